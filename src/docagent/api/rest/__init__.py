"""Endpoints by noun. They translate between HTTP and services."""
