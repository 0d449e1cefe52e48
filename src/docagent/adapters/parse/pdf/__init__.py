"""Reads PDF pages."""
