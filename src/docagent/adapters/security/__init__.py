"""Passwords, sealed values, signed tokens: thin wrappers around audited libraries."""
