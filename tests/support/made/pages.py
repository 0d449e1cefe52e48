"""Pages made of a few rows of text."""

from __future__ import annotations

from docagent.domain.documents.text import Box, Line, Page, Word


def page_of(rows: list[list[tuple[float, str]]]) -> Page:
    """A page with a row every twentieth of its height."""
    lines = []
    for number, pieces in enumerate(rows):
        top = 0.1 + 0.05 * number
        for left, text in (piece for piece in pieces if piece[1]):
            words, across = [], left
            for part in text.split():
                words.append(Word(part, Box(across, top, across + 0.011 * len(part), top + 0.016)))
                across += 0.011 * len(part) + 0.008
            lines.append(Line(tuple(words)))
    return Page(1, 595, 842, tuple(lines))
