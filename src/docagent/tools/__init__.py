"""What the model may call, grouped by noun; registry.py is the list."""
