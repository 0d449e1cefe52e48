"""Files made from what was read, for other programs."""
