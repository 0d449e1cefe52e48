"""Words in the pixels of a view, as the readers of pictures find them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from docagent.adapters.parse.imaging import View
from docagent.domain.documents.text import Line, Word, WordSource

_AROUND_WORDS = ".,;:!?()[]{}'\"*/-&%$€£"
_AGREED, _DISAGREED = 0.99, 0.5
"""The least confidence of words on which two readers agree, and the most of all others."""

LineKey = tuple[str, ...]


class Found(NamedTuple):
    """A word and where its pixels are."""

    text: str
    confidence: float
    line: LineKey
    left: int
    top: int
    right: int
    bottom: int
    agreed: bool | None = None
    """Whether two readers read the same, in a careful reading."""
    other: str | None = None
    """What the other reader read, where the two disagree."""

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def told_confidence(self) -> float:
        """The confidence, in the light of the other reader."""
        if self.agreed is None:
            return self.confidence
        return max(self.confidence, _AGREED) if self.agreed else min(self.confidence, _DISAGREED)


@dataclass(frozen=True)
class Reading:
    """The words of a view, line by line."""

    found: list[Found]
    view: View

    @property
    def confidence(self) -> float:
        letters = sum(len(word.text) for word in self.found)
        return sum(word.confidence * len(word.text) for word in self.found) / letters if letters else 0.0

    @property
    def credible_letters(self) -> float:
        """The letters and digits of words that look real, weighted by confidence."""
        return sum(
            letter_count(word.text) * word.confidence
            for word in self.found
            if word.confidence > 0.5 and looks_written(word.text)
        )

    @property
    def lines(self) -> list[list[Found]]:
        words_of_line: dict[LineKey, list[Found]] = {}
        for word in self.found:
            words_of_line.setdefault(word.line, []).append(word)
        return list(words_of_line.values())

    def on_page(self, words: Iterable[Found]) -> Line:
        """Return a line of words with boxes in fractions of the page."""
        return Line(
            tuple(
                Word(
                    word.text,
                    self.view.to_page(word.left, word.top, word.right, word.bottom),
                    word.told_confidence,
                    WordSource.OCR,
                )
                for word in words
            )
        )


def letter_count(text: str) -> int:
    return sum(character.isalnum() for character in text)


def looks_written(text: str) -> bool:
    """Return whether the text is mostly letters or digits, with upper and lower case as people use them."""
    core = text.strip(_AROUND_WORDS)
    if not core or letter_count(core) < 0.7 * len(core):
        return False
    letters = "".join(filter(str.isalpha, core))
    return not letters or letters.isupper() or letters[1:].islower() or not any(map(str.isupper, letters[2:]))
