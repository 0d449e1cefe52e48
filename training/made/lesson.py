"""A made document to learn from: its words, what it says and where, and what it does not say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evals.zoo.canvas import Mark
from evals.zoo.document import Occurrence
from evals.zoo.halves import Dice

from docagent.domain.documents.text import Page
from docagent.reader_model.features import SeenWord

Span = tuple[int, int]
"""The first and the last word of an occurrence."""
Way = tuple[str, str]
"""A name and a description to ask with."""


class Ways:
    """The ways to ask for one thing, redrawn each time."""

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        raise NotImplementedError


@dataclass(frozen=True)
class Fact:
    """Something to ask for. Without spans the document does not say it."""

    type: str
    """`text`, `number`, `date`, `list`, or `column`."""
    ways: Ways
    spans: tuple[Span, ...] = ()
    rows: tuple[int, ...] = ()
    """Of a column: the row in which each span stands."""


@dataclass
class Lesson:
    words: list[SeenWord]
    facts: list[Fact] = field(default_factory=list)
    kind: str = ""
    """What kind of document it is, of those that the network tells; empty if nobody could say."""
    is_complete: bool = False
    """Whether the facts that it lacks are its own, so that none of other trades are asked beside them."""


class Reader:
    """Turns pages into words, and marks into spans of them."""

    def __init__(self, pages: Sequence[Page], places: dict[Mark, Occurrence]) -> None:
        self._places = places
        self._firsts: list[int] = []
        self.words: list[SeenWord] = []
        for number, page in enumerate(pages):
            self._firsts.append(len(self.words))
            for word in page.words:
                box = word.box
                self.words.append(SeenWord(word.text, box.left, box.top, box.right, box.bottom, number))

    def spans(self, marks: Iterable[Mark]) -> tuple[Span, ...]:
        """Return the occurrences whose words follow each other. Others cannot be pointed at."""
        found = []
        for mark in marks:
            numbers = sorted(
                {self._firsts[place.page - 1] + place.word for place in self._places.get(mark, ())}
            )
            if numbers and numbers[-1] - numbers[0] == len(numbers) - 1:
                found.append((numbers[0], numbers[-1]))
        return tuple(found)
