"""Made documents for teaching: those of the zoo's building half, and kinds that only teaching needs."""
