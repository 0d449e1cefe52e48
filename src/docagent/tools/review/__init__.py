"""Tools for accuracy."""
