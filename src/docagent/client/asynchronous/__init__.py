"""The client for programs that use asyncio. `docagent.client.synchronous` is made from this package."""
