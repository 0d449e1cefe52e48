"""The loop: what a turn does next, and the events that come of it. Knows no database, network or provider."""
