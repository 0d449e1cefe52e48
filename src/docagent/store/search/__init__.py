"""Full-text search on both databases."""
