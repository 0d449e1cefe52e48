"""Turns, their events, tools and permission."""
