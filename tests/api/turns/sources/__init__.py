"""What a turn is told: sources, context, what is open."""
