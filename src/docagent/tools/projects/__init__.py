"""Tools for living documents."""
