"""Words that may stand for one another in labels, though they do not mean quite the same."""

from __future__ import annotations

from functools import cache, lru_cache

from docagent.reading.printed.folding import fold
from docagent.words import words

_SHORTEST_PART = 5
_KIN = (
    "total gross, amount price, number code reference, date tag jour, invoice bill receipt, due payable, "
    "net subtotal basis, address street, customer buyer bill sold besteller, supplier company from, "
    "quantity hours, price unit, description item product, phone fax, from since first, to last, contract "
    "order estimate, line position item row, rate percent %"
)
"""Meanings and other words that may stand for one another: the label of a field `price` may be `Amount`."""


@cache
def _families_by_word() -> dict[str, frozenset[str]]:
    """Return the families of each word. A meaning that is in no family of the table is a family of its own."""
    families: dict[str, set[str]] = {}
    for family in _KIN.split(", "):
        for member in family.split():
            families.setdefault(member, set()).add(family)
    by_word: dict[str, set[str]] = {}
    for meaning, some in words("labels").items():
        for word in some:
            by_word.setdefault(fold(word), set()).update(families.get(meaning, {meaning}))
    for member, own in families.items():
        if member not in words("labels"):
            by_word.setdefault(fold(member), set()).update(own)
    return {word: frozenset(own) for word, own in by_word.items()}


@lru_cache(maxsize=65536)
def families_of(word: str) -> frozenset[str]:
    """Return the families of a folded word. A compound has the families of its parts."""
    families = _families_by_word()
    known = families.get(word) or families.get(word.removesuffix("s"))
    if known or len(word) <= _SHORTEST_PART:
        return known or frozenset()
    return frozenset(
        family
        for part, own in families.items()
        if len(part) >= _SHORTEST_PART and part in word
        for family in own
    )
