"""Judges where values were located, by words: how many of the located words are the value's, and how many of the
value's words were located.

Where the labels have boxes, the value's words are the ones in them. Where they have none, the value must stand in
the located words, and those that it could do without are its neighbours, which should not have been located; and so
must every other value for which the same words were located.

A place is hit if more than half of its words are the value's and more than half of the value's words are in it. The
words of a place that is not hit count as located, and none of them as right: one word out of a page, or a page around
one word, is no place. Words without letters and digits do not count beside others that have some.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from docagent.domain.documents.text import Box, Page, Word
from docagent.services.extraction.checking import grounding_of
from evals.matching import centre_inside, letters, overlap, share, similarity, squeeze
from evals.printed import is_printed

Where = tuple[str | int, ...]
"""The names and the places in lists that lead to one value."""
Locate = Callable[[Sequence[Page], Any, dict[str, Any] | None], Any]
"""Grounds data on pages under a schema, in the form in which the product stores it."""

_UNPROVEN = "unproven"
_SEVERAL = "several_candidates"


@dataclass(frozen=True)
class Place:
    """Boxes that together hold the words of one value, each with the number of its page."""

    boxes: tuple[tuple[int, Box], ...]
    only_value: bool = True
    """Whether the boxes hold nothing else. Otherwise, as in boxes of whole lines, the words that spell it count."""


@dataclass
class PlaceTally:
    """Counts over values and documents."""

    values: int = 0
    located: int = 0
    several: int = 0
    hits: int = 0
    right_words: int = 0
    located_words: int = 0
    labelled_words: int = 0
    readable: int = 0
    """Values that were read rightly in the labelled place, or a part of them; all where there is no labelled place."""
    readable_hits: int = 0

    def __add__(self, other: PlaceTally) -> PlaceTally:
        return PlaceTally(*(getattr(self, name) + getattr(other, name) for name in vars(self)))

    @property
    def hit(self) -> float:
        return share(self.hits, self.values)

    @property
    def precision(self) -> float:
        return share(self.right_words, self.located_words)

    @property
    def recall(self) -> float:
        return share(self.right_words, self.labelled_words)

    @property
    def f1(self) -> float:
        return share(2 * self.right_words, self.located_words + self.labelled_words)


class Located:
    """The product's grounding of one document's data, or a substitute's."""

    def __init__(
        self,
        pages: Sequence[Page],
        data: Any,
        schema: dict[str, Any] | None = None,
        locate: Locate = grounding_of,
    ) -> None:
        self._words = [(page.number, word) for page in pages for word in page.words]
        self._by_box: dict[tuple[int, tuple[float, ...]], list[int]] = {}
        for number, (page, word) in enumerate(self._words):
            self._by_box.setdefault((page, _rounded(word.box)), []).append(number)
        started = time.perf_counter()
        self._tree = locate(pages, data, schema)
        self.seconds = time.perf_counter() - started
        self._claims: dict[tuple[int, ...], set[str]] = {}
        for where, value in leaves(data):
            self._claims.setdefault(tuple(self._words_at(where)), set()).add(str(value))

    def is_located(self, where: Where) -> bool:
        return bool(self._words_at(where))

    def judge(self, where: Where, value: Any, places: Sequence[Place] = ()) -> PlaceTally:
        """Judge one value's place by its labelled places, of which any may be meant; without places by its words."""
        found = self._words_at(where)
        tallies = [self._against(place, value, found) for place in places]
        tally = (
            max(tallies, key=lambda one: (one.f1, one.readable)) if tallies else self._spelled(found, value)
        )
        node = self._at(where)
        tally.several = int(bool(found) and node["match"] == _SEVERAL)
        return tally

    def _at(self, where: Where) -> Any:
        node = self._tree
        for part in where:
            node = node[part]
        return node

    def _words_at(self, where: Where) -> list[int]:
        """Return the words that were located, in reading order. Boxes that are no word's hold those inside them."""
        node = self._at(where)
        if not node or node["match"] == _UNPROVEN:
            return []
        found: set[int] = set()
        for word in node["words"]:
            box = tuple(word["box"])
            known = self._by_box.get((word["page"], _rounded(Box(*box))))
            found.update(known if known is not None else self._inside(word["page"], Box(*box)))
        return self._telling(sorted(found))

    def _telling(self, numbers: Sequence[int]) -> list[int]:
        """Return the words that have letters or digits; all of them if none has."""
        return [number for number in numbers if _says(self._words[number][1])] or list(numbers)

    def _inside(self, page: int, box: Box) -> list[int]:
        return [
            number
            for number, (on, word) in enumerate(self._words)
            if on == page and centre_inside(word.box, box)
        ]

    def _labelled(self, place: Place, value: Any) -> tuple[set[int], int]:
        """Return the words of a labelled place that were read, and how many it has in all."""
        words: set[int] = set()
        unread = 0
        for page, box in place.boxes:
            here = [
                number for number, (on, word) in enumerate(self._words) if on == page and _touches(word, box)
            ]
            if not place.only_value:
                here = self._spelling(here, value)
            words.update(here)
            unread += not here
        telling = set(self._telling(sorted(words)))
        return telling, len(telling) + unread if telling else max(unread, len(str(value).split()))

    def _spelling(self, numbers: Sequence[int], value: Any) -> list[int]:
        """Return the run of words that is most like the value, or like a part of it."""
        wanted = letters(str(value))
        ordered = sorted(numbers, key=lambda number: self._words[number][1].box.left)
        texts = [letters(self._words[number][1].text) for number in ordered]
        if "".join(texts) in wanted:
            return ordered
        start, end = max(
            combinations(range(len(ordered) + 1), 2),
            key=lambda run: (similarity("".join(texts[slice(*run)]), wanted), run[0] - run[1]),
        )
        return ordered[start:end]

    def _against(self, place: Place, value: Any, found: Sequence[int]) -> PlaceTally:
        words, in_all = self._labelled(place, value)
        read = letters("".join(self._words[number][1].text for number in sorted(words)))
        wanted = letters(str(value))
        readable = bool(words) and (read in wanted or wanted in read)
        return _tally(len(words.intersection(found)), len(found), in_all, readable=readable)

    def _spelled(self, found: Sequence[int], value: Any) -> PlaceTally:
        """Judge words by the value that must stand in them, for want of a labelled place.

        A value has at most as many words as letters; of more than twice as many, most are neighbours.
        """
        long = len(str(value).split())
        if not found or len(found) > 2 * max(1, len(letters(str(value)))):
            return _tally(0, len(found), long)
        claims = {str(value), *self._claims.get(tuple(found), ())}
        if not all(self._prints(found, claim) for claim in claims):
            return _tally(0, len(found), long)
        kept = list(found)
        for number in found:
            fewer = [other for other in kept if other != number]
            if fewer and self._prints(fewer, value):
                kept = fewer
        return _tally(len(kept), len(found), len(kept))

    def _prints(self, numbers: Sequence[int], value: Any) -> bool:
        """Return whether words print a value. Words that are not side by side may be parts of a wrapped text."""
        pieces: list[list[str]] = []
        for before, number in zip((None, *numbers), numbers, strict=False):
            if before is None or number != before + 1:
                pieces.append([])
            pieces[-1].append(self._words[number][1].text)
        return is_printed(value, "\n".join(" ".join(piece) for piece in pieces))


def _tally(right: int, located: int, labelled: int, *, readable: bool = True) -> PlaceTally:
    hit = 2 * right > located and 2 * right > labelled
    return PlaceTally(
        values=1,
        located=int(located > 0),
        hits=int(hit),
        right_words=right if hit else 0,
        located_words=located,
        labelled_words=labelled,
        readable=int(readable),
        readable_hits=int(hit and readable),
    )


def judge_places(
    pages: Sequence[Page],
    data: Any,
    places: Mapping[Where, Sequence[Place]],
    schema: dict[str, Any] | None = None,
    locate: Locate = grounding_of,
) -> PlaceTally:
    """Ground the labelled data and judge every value that has labelled places."""
    located = Located(pages, data, schema, locate)
    total = PlaceTally()
    for where, alternatives in places.items():
        value: Any = data
        for part in where:
            value = value[part]
        total += located.judge(where, value, alternatives)
    return total


def leaves(node: Any, where: Where = ()) -> Iterable[tuple[Where, Any]]:
    """Yield every value that can be located, with the way to it."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from leaves(value, (*where, name))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from leaves(value, (*where, number))
    elif node is not None and squeeze(str(node)):
        yield where, node


def _says(word: Word) -> bool:
    return any(map(str.isalnum, word.text))


def _touches(word: Word, box: Box) -> bool:
    return centre_inside(word.box, box) or centre_inside(box, word.box) or overlap(word.box, box) > 0.3


def _rounded(box: Box) -> tuple[float, ...]:
    return tuple(round(edge, 5) for edge in (box.left, box.top, box.right, box.bottom))
