"""Queries on documents, their pages and tags."""
