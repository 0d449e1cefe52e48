"""What an `act` decides, where it stands, and what it says. The strategy `decide` and the chat API read the same."""
