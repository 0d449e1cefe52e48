"""Queries on schemas, prompts, results, forms and lessons."""
