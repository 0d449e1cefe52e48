"""Projects in the browser."""
