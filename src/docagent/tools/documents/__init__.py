"""Tools for documents and tags."""
