"""Implementations of the ports: blobs, models, file reading, guarded calls out, telemetry."""
