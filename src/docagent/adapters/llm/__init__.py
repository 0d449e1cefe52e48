"""Models behind the Model port: four wire formats over one session, litellm, Ollama, and a scripted one."""
