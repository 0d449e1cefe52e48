"""HTTP: routes, requests and responses. The only code that knows the web framework."""
