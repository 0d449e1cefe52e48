"""Schemas for documents that have none: what kind it is, and what its like would carry."""
