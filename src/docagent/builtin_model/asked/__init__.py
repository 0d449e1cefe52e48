"""What a schema's fields ask for, told by their names, descriptions and types."""
