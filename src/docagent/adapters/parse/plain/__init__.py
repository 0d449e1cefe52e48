"""Reads plain text."""
