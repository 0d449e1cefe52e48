"""Deployments as released versions left them: people have such data, and every later version must go on with it."""
