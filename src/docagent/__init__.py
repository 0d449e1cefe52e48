"""A self-hosted document agent."""

__version__ = "0.4.0"
