"""Kills the server at every point of a turn and checks that nothing was lost or doubled: `make kill-test`."""
