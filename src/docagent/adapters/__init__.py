"""Implementations of the ports: blobs, parsers."""
