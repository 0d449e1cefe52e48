"""Whether a value is right: where it stands, how sure it is, and how it compares with verified ones."""
