"""Sends letters to people, through an SMTP server."""
