"""Takes background jobs and runs them, inside the server or in a process of its own."""
