"""Endpoints of webhooks and the changes feed."""
