"""Commands that talk with the agent."""
