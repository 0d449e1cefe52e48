"""The agent's pages in the browser."""
