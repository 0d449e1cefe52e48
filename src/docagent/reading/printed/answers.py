"""Words that say yes or no: answers, and what programs write for a check mark."""

from __future__ import annotations

from functools import cache

from docagent.reading.printed.folding import fold
from docagent.words import words

_AROUND = " .,:;()[]"


def answer_of(word: str) -> bool | None:
    """True for yes, False for no, None for every other word."""
    return _among(word, "yes", "no")


def mark_of(word: str) -> bool | None:
    """True for a word that stands for a set check mark, False for one that is not set, None for every other word."""
    return _among(word, "marked", "unmarked")


@cache
def answer_words(meaning: str) -> frozenset[str]:
    """Return the words for `yes`, `no`, `marked` or `unmarked`, folded."""
    return frozenset(map(fold, words("answers")[meaning]))


def _among(word: str, true: str, false: str) -> bool | None:
    bare = fold(word).strip(_AROUND)
    return True if bare in answer_words(true) else False if bare in answer_words(false) else None
