"""Finds check marks."""
