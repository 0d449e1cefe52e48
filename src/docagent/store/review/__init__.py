"""Queries on sheets, review queues, accuracy and calibration."""
