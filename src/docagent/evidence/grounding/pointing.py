"""Words that a person pointed at, found again by their places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from docagent.domain.documents.text import Box
from docagent.domain.field_path import FieldPath
from docagent.evidence.grounding.index import DocumentIndex

PointedWord = tuple[int, Box]
"""A word by its page and its box."""
_DECIMALS = 5
"""Boxes are stored with so many."""


def numbers_at(
    index: DocumentIndex, pointed: Mapping[FieldPath, Sequence[PointedWord]]
) -> dict[tuple[str | int, ...], frozenset[int]]:
    """Return, by path, the numbers of the words that stand where a person pointed."""
    if not pointed:
        return {}
    wanted = {page for words in pointed.values() for page, _ in words}
    standing: dict[tuple[int, float, float, float, float], set[int]] = defaultdict(set)
    for place, page in enumerate(index.pages):
        for number in index.words_of_page(place) if page.number in wanted else ():
            standing[_key(page.number, index.words[number].box)].add(number)
    return {
        path: frozenset(number for page, box in words for number in standing.get(_key(page, box), ()))
        for path, words in pointed.items()
    }


def _key(page: int, box: Box) -> tuple[int, float, float, float, float]:
    return page, *box.rounded(_DECIMALS)
