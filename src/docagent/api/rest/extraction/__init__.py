"""Endpoints of schemas, prompts, runs and results."""
