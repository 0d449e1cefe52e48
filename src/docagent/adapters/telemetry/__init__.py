"""Sends spans and counts to outside tools through OpenTelemetry."""
