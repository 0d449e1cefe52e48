"""Full-text search over everything of an organisation."""
