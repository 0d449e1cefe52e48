"""Use cases, one short transaction each. The only callers of the store."""
