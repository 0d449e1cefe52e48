"""The agent for clients that speak AG-UI."""
