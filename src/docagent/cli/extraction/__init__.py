"""Commands that extract and review."""
