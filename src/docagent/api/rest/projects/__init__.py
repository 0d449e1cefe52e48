"""Endpoints of projects and living documents."""
