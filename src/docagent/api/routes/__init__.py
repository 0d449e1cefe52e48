"""Endpoints, one file for each noun. They translate between HTTP and services."""
