"""The client of MCP servers: over HTTP through the one guarded way out, or with a process over its pipes."""
