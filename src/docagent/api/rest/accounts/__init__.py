"""Endpoints of accounts, organisations and tokens."""
