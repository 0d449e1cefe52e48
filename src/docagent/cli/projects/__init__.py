"""Commands for living documents."""
