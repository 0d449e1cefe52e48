"""Reads Word documents and spreadsheets."""
