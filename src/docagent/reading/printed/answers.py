"""Words that say yes or no: answers, and what programs write for a check mark."""

from __future__ import annotations

from docagent.reading.printed import table
from docagent.reading.printed.folding import fold

YES = frozenset(fold(table.YES).split())
NO = frozenset(fold(table.NO).split())
_MARKED = frozenset(table.MARKED.split())
_UNMARKED = frozenset(table.UNMARKED.split())
_AROUND = " .,:;()[]"


def answer_of(word: str) -> bool | None:
    """True for yes, False for no, None for every other word."""
    return _among(word, YES, NO)


def mark_of(word: str) -> bool | None:
    """True for a word that stands for a set check mark, False for one that is not set, None for every other word."""
    return _among(word, _MARKED, _UNMARKED)


def _among(word: str, true: frozenset[str], false: frozenset[str]) -> bool | None:
    bare = fold(word).strip(_AROUND)
    return True if bare in true else False if bare in false else None
