"""Schemas, prompts, runs, results, learning."""
