"""How fast docagent is and how much memory it takes, as ratios to a floor that ran in the same command."""
