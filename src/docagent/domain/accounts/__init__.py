"""People, organisations, addresses and passwords."""
