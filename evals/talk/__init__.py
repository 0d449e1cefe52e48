"""Messages as people write them to the agent of a project, with what should come of each."""
