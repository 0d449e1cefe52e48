"""What stands on a page: rows, captions, labels, check marks, and values read from text."""
