"""Queries on providers, credits and tool servers."""
