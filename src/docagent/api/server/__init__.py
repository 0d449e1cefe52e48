"""Connections, request bodies, uploads and the layers around the application."""
