"""Sheets, queues, checks, accuracy, calibration, straight-through processing."""
