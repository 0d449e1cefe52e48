"""Views folded from the log of a turn."""
