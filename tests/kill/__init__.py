"""Kills the server at every point of a turn and looks whether anything was lost or doubled: `make kill-test`."""
