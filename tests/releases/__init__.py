"""Deployments as released versions left them. People have such data, and every later version must work with it."""
