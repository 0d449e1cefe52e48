# Written by `make client` from the asynchronous client: change that one.
"""The client for programs without asyncio."""
