"""Projects of living documents."""
