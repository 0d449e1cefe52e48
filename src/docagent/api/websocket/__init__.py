"""The agent over a WebSocket."""
