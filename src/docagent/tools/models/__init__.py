"""Tools for models."""
