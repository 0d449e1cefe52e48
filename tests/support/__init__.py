"""Real services for tests, each started from a PyPI package and gone when the tests are."""
