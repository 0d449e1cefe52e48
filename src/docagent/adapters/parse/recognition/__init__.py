"""Reads the words of pictures."""
