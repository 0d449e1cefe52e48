"""What a turn knows about its subject before the model is asked."""
