"""The tools that a model may call, on real databases."""
