"""A document as a typed object with its proof, from every door."""
