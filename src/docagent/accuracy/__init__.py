"""Compares what was extracted with what people verified: value by value, rows matched by best assignment."""

from docagent.accuracy.comparing import Compared, compare, same

__all__ = ["Compared", "compare", "same"]
