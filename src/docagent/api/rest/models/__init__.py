"""Endpoints of models, providers and credits."""
