"""Words that may stand for one another in labels, though they do not mean quite the same."""

from __future__ import annotations

from functools import lru_cache

from docagent.reading.printed.folding import fold
from docagent.reading.printed.table import FAMILIES, LABELS

_SHORTEST_PART = 5


def _families_by_word() -> dict[str, frozenset[str]]:
    """Return the families of each word. A meaning that is in no family of the table is a family of its own."""
    families: dict[str, set[str]] = {}
    for family in FAMILIES:
        for member in family.split():
            families.setdefault(member, set()).add(family)
    by_word: dict[str, set[str]] = {}
    for meaning, words in LABELS.items():
        for word in words.split():
            by_word.setdefault(fold(word), set()).update(families.get(meaning, {meaning}))
    for member, own in families.items():
        if member not in LABELS:
            by_word.setdefault(fold(member), set()).update(own)
    return {word: frozenset(own) for word, own in by_word.items()}


_FAMILIES = _families_by_word()


@lru_cache(maxsize=65536)
def families_of(word: str) -> frozenset[str]:
    """Return the families of a folded word. A compound has the families of its parts."""
    known = _FAMILIES.get(word) or _FAMILIES.get(word.removesuffix("s"))
    if known or len(word) <= _SHORTEST_PART:
        return known or frozenset()
    return frozenset(
        family
        for part, families in _FAMILIES.items()
        if len(part) >= _SHORTEST_PART and part in word
        for family in families
    )
