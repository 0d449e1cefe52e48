"""The product as an MCP server: one more view of the same log, the same tools and the same permission."""
