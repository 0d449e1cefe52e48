"""The text of a document: pages of lines of words, each word with its place on the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

NO_TEXT = "No text was found on this page."
"""The note on a page that shows no words."""


class WordSource(StrEnum):
    """Where a word came from."""

    TEXT = "text"
    WIDGET = "widget"
    OCR = "ocr"
    HIDDEN = "hidden"
    """Of a text layer, but nobody sees it on the page: it is invisible, covered, tiny, or in the colour behind it."""
    MODEL = "model"
    """A model saw it on a picture of the page, and no reader confirms it. Its box is that of its line."""


PROVE_NOTHING = (WordSource.HIDDEN, WordSource.MODEL)
CHECKED, UNCHECKED = "[x]", "[ ]"
"""The words that stand for a box or circle that is drawn on a page or is a field of a form."""
_MARKS = {
    CHECKED: True,
    UNCHECKED: False,
    "(x)": True,
    "( )": False,
    "\u2611": True,
    "\u2612": True,
    "\u2610": False,
    "\u2713": True,
    "\u2714": True,
    "\u2717": False,
    "\u2718": False,
    "\u25cb": False,
    "\u25c9": True,
}


def mark_state(text: str) -> bool | None:
    """Return whether the word is a check mark that says yes, one that says no, or None if it is no check mark."""
    state = _MARKS.get(text)
    if state is None and len(text) > 1:
        inside = text.strip("_").lower()
        return True if inside == "x" and text[0] == text[-1] == "_" else _MARKS.get(text.lower())
    return state


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle as fractions 0..1 of the page as shown, measured from its top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def union(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def touches(self, other: Box) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def part(self, inner: Box) -> Box:
        """What is given as fractions of this box, as fractions of the page."""
        return Box(
            self.left + inner.left * self.width,
            self.top + inner.top * self.height,
            self.left + inner.right * self.width,
            self.top + inner.bottom * self.height,
        )

    def grown(self, by: float) -> Box:
        """With what is around it, as far as the page goes."""
        right, bottom = min(1.0, self.right + by), min(1.0, self.bottom + by)
        return Box(max(0.0, self.left - by), max(0.0, self.top - by), right, bottom)

    def rounded(self, decimals: int) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        left, top = round(self.left, decimals), round(self.top, decimals)
        return left, top, round(self.right, decimals), round(self.bottom, decimals)


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without spaces. Confidence is 0..1; text layers and widgets have 1."""

    text: str
    box: Box
    confidence: float = 1.0
    source: WordSource = WordSource.TEXT


@dataclass(frozen=True)
class Line:
    """Words that a reader reads in one go, left to right."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        box = self.words[0].box
        for word in self.words[1:]:
            box = box.union(word.box)
        return box


@dataclass(frozen=True)
class Page:
    """One page as it is shown: numbered from 1, sizes in PDF points after rotation."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    note: str | None = None
    """What a person should know about this page's text, such as that it could not be read."""
    ruling: tuple[Box, ...] = ()
    """The level and upright lines that the page draws, such as those of tables."""
    other_readings: Mapping[int, str] = field(default_factory=dict)
    """What a second reader made of words on which two readers disagree, by the word's number on the page from 0."""

    @cached_property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for line in self.lines for word in line.words)

    @property
    def has_hidden_words(self) -> bool:
        return any(word.source in PROVE_NOTHING for line in self.lines for word in line.words)

    def without_hidden_words(self) -> Page:
        """Return the page as our readers see it."""
        return self._only(lambda word: word.source not in PROVE_NOTHING)

    def without_model_words(self) -> Page:
        if not any(word.source is WordSource.MODEL for word in self.words):
            return self
        return self._only(lambda word: word.source is not WordSource.MODEL)

    def without(self, regions: Sequence[Box]) -> Page:
        """Return the page without the words that these regions touch."""
        if not regions:
            return self
        return self._only(lambda word: not any(region.touches(word.box) for region in regions))

    def _only(self, keeps: Callable[[Word], bool]) -> Page:
        lines, kept, count = [], list[int](), 0
        for line in self.lines:
            numbers = [at for at, word in enumerate(line.words) if keeps(word)]
            kept += [count + at for at in numbers]
            count += len(line.words)
            if numbers:
                lines.append(Line(tuple(line.words[at] for at in numbers)))
        others = self.other_readings
        readings = {new: others[old] for new, old in enumerate(kept) if old in others} if others else {}
        return replace(self, lines=tuple(lines), other_readings=readings)


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page as it is stored. Readers make it, and nobody needs to look inside on the way to the database."""

    number: int
    text: str
    layout: bytes
    note: str | None = None
