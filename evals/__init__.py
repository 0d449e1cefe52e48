"""Scores docagent against labelled data: `python -m evals --data FOLDER`."""
