"""Ways to run the loop, one file each."""
