"""Documents, organisations and files made for tests."""
