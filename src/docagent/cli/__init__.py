"""Commands."""

import gc

# Importing makes many objects that stay. Looking for garbage among them would take an eighth of the time of a start;
# `main` switches the collector on again when all is imported.
gc.disable()
