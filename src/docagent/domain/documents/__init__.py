"""Documents, their text and pictures."""
