"""Tools for schemas, prompts, forms, runs and results."""
