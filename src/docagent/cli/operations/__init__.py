"""Commands for whoever operates a deployment."""
