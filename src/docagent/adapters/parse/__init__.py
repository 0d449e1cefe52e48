"""Turns files into pages of words and into PDFs. Each file is handled in a child process with limits."""
