"""The tools that a model may call, grouped by noun. registry.py lists them."""
