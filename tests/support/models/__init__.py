"""Model providers that say what a test tells them."""
