"""Uploads, reading, pages, pictures, tags and samples."""
