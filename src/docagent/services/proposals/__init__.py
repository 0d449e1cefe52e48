"""Prepares uploaded documents and applies the verdicts of people."""
