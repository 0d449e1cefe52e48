"""Queries on projects and living documents."""
