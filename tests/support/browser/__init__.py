"""A browser and a terminal, and the steps that their tests share."""
