"""Endpoints of search."""
