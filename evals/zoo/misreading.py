"""Misreads words as recognition does, so that a model can learn from pages of scans without reading pictures."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from docagent.domain.documents.text import Line, Page, Word, WordSource

_CONFUSED = {
    "0": "O", "O": "0", "1": "l", "l": "1", "I": "l", "5": "S", "S": "5", "8": "B", "B": "8", "6": "G", "2": "Z",
    "rn": "m", "m": "rn", "e": "c", "c": "e", "u": "v", ".": ",", ",": ".", "ł": "l", "ř": "r", "ě": "e", "ä": "a",
    "ö": "o", "ü": "u", "é": "e", "ã": "a", "ç": "c", "ß": "B", "€": "E",
}  # fmt: skip


def misread(pages: Sequence[Page], share: float, dice: random.Random) -> list[Page]:
    """Return the pages with about that share of their words misread. Words keep their number, order and boxes."""
    return [
        replace(
            page,
            lines=tuple(Line(tuple(_read(word, share, dice) for word in line.words)) for line in page.lines),
        )
        for page in pages
    ]


def _read(word: Word, share: float, dice: random.Random) -> Word:
    text, sure = word.text, dice.uniform(0.8, 0.99)
    if dice.random() < share:
        text, sure = confused(text, dice), dice.uniform(0.3, 0.97)
    return replace(word, text=text, confidence=sure, source=WordSource.OCR)


def confused(text: str, dice: random.Random) -> str:
    """Return the text with one letter or digit taken for another."""
    places = [(at, part) for part in _CONFUSED for at in range(len(text)) if text.startswith(part, at)]
    if not places:
        return text
    at, part = dice.choice(places)
    return text[:at] + _CONFUSED[part] + text[at + len(part) :]
