"""The agent as a model of OpenAI's API."""
