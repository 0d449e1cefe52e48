"""Compares what was extracted with what people verified: value by value, rows matched by best assignment."""

from docagent.evidence.accuracy.comparing import Compared, compare, same
from docagent.evidence.accuracy.scoring import Mark, Score, mark_of, scores_of, total_of

__all__ = ["Compared", "Mark", "Score", "compare", "mark_of", "same", "scores_of", "total_of"]
