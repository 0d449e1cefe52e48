"""Measures how fast docagent is and how much memory it takes, as ratios to a floor that runs in the same command."""
