"""A page as plain text that keeps its layout, for models: columns stay apart, tables are rows of cells."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.domain.documents.text import Page, Word
from docagent.reading.layout.flow import parts_in_order
from docagent.reading.layout.tables import Table

_COLUMNS = 100
"""How many characters the width of a page is."""
_GAP = 1.2
"""A gap wider than this many times the tallest word of a line parts two columns."""
_APART = "   "


def to_plain(page: Page) -> str:
    """Return a page's text line by line. Every word of the page is in it, but for dots and dashes beside tables."""
    lines: list[str] = []
    row: tuple[Word, ...] = ()
    margin = min((word.box.left for word in page.words), default=0.0)
    for part in (*parts_in_order(page), ()):
        if row and part and not isinstance(part, Table) and _is_beside(row[-1], part[0]):
            row += part
            continue
        lines += [_apart(row, page, margin)] if row else []
        lines += _cells(part) if isinstance(part, Table) else []
        row = () if isinstance(part, Table) else part
    return "\n".join(lines)


def _is_beside(word: Word, after: Word) -> bool:
    """Return whether a line continues with a word that a wide gap has made a line of its own."""
    middle = (after.box.top + after.box.bottom) / 2
    return word.box.top < middle < word.box.bottom and word.box.right <= after.box.left


def _cells(table: Table) -> list[str]:
    rows = [[""] * table.column_count for _ in table.rows]
    for row in table.rows:
        for cell in row:
            rows[cell.row][cell.column] = cell.text.replace("|", "\\|")
    return [f"| {' | '.join(row)} |" for row in rows]


def _apart(words: Sequence[Word], page: Page, margin: float) -> str:
    """Return the words of a line, those after a wide gap under the same place of the page as in other lines."""
    text, reach = "", 0.0
    widest_space = _GAP * max(word.box.height for word in words) * page.height
    for word in words:
        if text and (word.box.left - reach) * page.width <= widest_space:
            text += " "
        elif text:
            text += _APART + " " * (round((word.box.left - margin) * _COLUMNS) - len(text) - len(_APART))
        text += word.text
        reach = max(reach, word.box.right)
    return text
