"""Endpoints of conversations with the agent."""
