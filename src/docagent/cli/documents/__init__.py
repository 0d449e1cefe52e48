"""Commands that upload files."""
