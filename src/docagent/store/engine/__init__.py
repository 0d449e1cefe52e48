"""Connections, transactions, tenancy and migrations on both databases."""
