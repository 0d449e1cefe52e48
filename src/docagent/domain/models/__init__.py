"""Language models, their providers and what calls cost."""
