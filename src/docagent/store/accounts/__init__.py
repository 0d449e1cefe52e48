"""Queries on users, organisations, credentials and sealed values."""
