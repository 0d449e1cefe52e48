"""Single values: everything that could answer a field, what speaks for it, and the choice."""
