"""The server that a command reaches or runs."""
