"""Queries on turns, threads and permission rules."""
