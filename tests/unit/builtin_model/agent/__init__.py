"""The built-in model's talk."""
