"""Real services for tests, each started from a PyPI package and stopped with the tests."""
