"""Endpoints of documents, their text, pictures and tags."""
