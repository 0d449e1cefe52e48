"""Learns from verified documents how their values are found, and finds them so in documents of the same layout."""
