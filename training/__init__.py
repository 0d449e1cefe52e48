"""Teaches the built-in model's network with made documents. Nobody needs it to use the product; see README.md."""
