"""Spans and counts for others to look at: OpenTelemetry."""
