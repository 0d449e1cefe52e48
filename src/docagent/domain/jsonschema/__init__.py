"""JSON Schema draft 7: checking schemas, checking values, and what each provider accepts of them."""
