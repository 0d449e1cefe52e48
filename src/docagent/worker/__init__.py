"""Background work: takes jobs and runs them, inside the server or as a process of its own."""
