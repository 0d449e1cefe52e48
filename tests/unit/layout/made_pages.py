"""Pages made by hand, as a reader would give them: ten-point type on US Letter."""

from __future__ import annotations

from docagent.domain.documents.text import Box, Line, Page, Word, WordSource

WIDTH, HEIGHT = 612.0, 792.0
LETTER, SPACE = 0.5, 0.25


class PageMaker:
    """Writes lines at places in points from the top left."""

    def __init__(self, number: int = 1) -> None:
        self._number = number
        self._lines: list[Line] = []

    def write(self, left: float, top: float, text: str, size: float = 10.0) -> PageMaker:
        """One line of words."""
        return self.row(top, {left: text}, size)

    def row(self, top: float, texts: dict[float, str], size: float = 10.0) -> PageMaker:
        """One line of words with gaps: texts by their left edges."""
        self._lines.append(
            Line(tuple(word for left, text in texts.items() for word in words_at(left, top, text, size)))
        )
        return self

    def box(self, top: float, left: float, *, checked: bool, label: str) -> PageMaker:
        """A form's checkbox with its label."""
        mark = Word("[x]" if checked else "[ ]", _box(left, top, 10, 10), 1.0, WordSource.WIDGET)
        self._lines.append(Line((mark, *words_at(left + 15, top, label, 10.0))))
        return self

    def page(self, note: str | None = None) -> Page:
        return Page(self._number, WIDTH, HEIGHT, tuple(self._lines), note)


def words_at(left: float, top: float, text: str, size: float = 10.0) -> list[Word]:
    """The words of a text set from a left edge on."""
    words = []
    for word in text.split():
        width = len(word) * LETTER * size
        words.append(Word(word, _box(left, top, width, size)))
        left += width + SPACE * size
    return words


def right_aligned(right: float, text: str, size: float = 10.0) -> float:
    """The left edge of a text that ends at a right edge."""
    words = text.split()
    return right - size * (sum(map(len, words)) * LETTER + (len(words) - 1) * SPACE)


def _box(left: float, top: float, width: float, height: float) -> Box:
    return Box(left / WIDTH, top / HEIGHT, (left + width) / WIDTH, (top + height) / HEIGHT)
