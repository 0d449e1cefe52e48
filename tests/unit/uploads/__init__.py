"""Uploads in JSON."""
