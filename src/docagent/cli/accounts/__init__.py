"""Commands for users and tokens."""
