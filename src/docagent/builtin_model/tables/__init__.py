"""Rows of tables: their heads, their columns' meaning by arithmetic, and their cells."""
