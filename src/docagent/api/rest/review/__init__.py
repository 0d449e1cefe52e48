"""Endpoints of sheets, review, accuracy and straight-through processing."""
