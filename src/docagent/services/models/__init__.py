"""Providers of models, calls of them, credits, and tools of other servers."""
