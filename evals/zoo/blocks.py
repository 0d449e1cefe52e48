"""Parts that papers of several kinds are put together from: blocks of addresses, labels with values, footers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from evals.zoo.canvas import Mark
from evals.zoo.paper import Paper, Piece
from evals.zoo.parties import Party


@dataclass(frozen=True)
class Entry:
    """A label and its value as written, in pieces of which some are marked."""

    label: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, label: str, text: str, mark: Mark | None = None) -> Entry:
        return cls(label, ((text, mark),))

    @property
    def text(self) -> str:
        return "".join(part for part, _ in self.pieces)


def entry(paper: Paper, concept: str, value: Any, text: str, label: str | None = None) -> Entry:
    return Entry.of(label or paper.label(concept), text, paper.mark(concept, value))


def period(paper: Paper, start: date, end: date, *, together: bool) -> list[Entry]:
    """Say a period, by two labels or by one for both days."""
    written = paper.writing.date(start), paper.writing.date(end)
    if not together:
        return [entry(paper, "period_from", start, written[0]), entry(paper, "period_to", end, written[1])]
    pieces: tuple[Piece, ...] = (
        (written[0], paper.mark("period_from", start)),
        (paper.dice.choice((" - ", " / ", " – ")), None),  # noqa: RUF001 - a dash as papers have it
        (written[1], paper.mark("period_to", end)),
    )
    return [Entry(paper.label("period"), pieces)]


def entries(
    paper: Paper, x: float, y: float, width: float, items: list[Entry], layout: str, columns: int = 1
) -> float:
    """Draw labels with their values in an area, and return the base line after it."""
    if layout in ("above", "strip"):
        return _above(paper, x, y, width, items, len(items) if layout == "strip" else columns)
    widest = max(paper.width(item.label + paper.look.colon, bold=True) for item in items)
    tab = min(widest + 12, width * 0.62)
    for item in items:
        y = _beside(paper, x, y, width, item, layout, tab)
    return y


def _beside(paper: Paper, x: float, y: float, width: float, item: Entry, layout: str, tab: float) -> float:
    bold = paper.look.bold_labels
    label = item.label + paper.look.colon
    if layout == "two lines" and " " in item.label:
        first, _, second = item.label.partition(" ")
        paper.put(x, y, first, bold=bold)
        y += paper.step
        label = second + paper.look.colon
    end = paper.put(x, y, label, bold=bold)
    space = paper.look.size * 0.5
    if layout == "inline":
        return _value(paper, end + space, y, item, x + width - end - space)
    if layout in ("right", "leaders"):
        start = x + width - paper.width(item.text)
        if start < end + space:
            y += paper.step
        elif layout == "leaders":
            _leaders(paper, end, start, y)
        paper.put_pieces(x + width, y, item.pieces, align="right")
        return y + paper.step
    return _value(paper, max(x + tab, end + space), y, item, width - tab)


def _leaders(paper: Paper, start: float, stop: float, y: float) -> None:
    dot = paper.width(".")
    count = int((stop - start - 12) / dot)
    if count > 3:
        paper.put(start + 6, y, "." * count, grey=0.4)


def _value(paper: Paper, x: float, y: float, item: Entry, width: float) -> float:
    for line in paper.wrapped_pieces(item.pieces, max(width, 60)):
        paper.put_pieces(x, y, line)
        y += paper.step
    return y


def _above(paper: Paper, x: float, y: float, width: float, items: list[Entry], columns: int) -> float:
    columns = max(1, min(columns, len(items)))
    cell = width / columns
    for start in range(0, len(items), columns):
        row = items[start : start + columns]
        labels = [paper.wrapped(item.label + paper.look.colon, cell - 8, bold=True) for item in row]
        deepest = max(map(len, labels))
        bottom = y
        for index, (item, label) in enumerate(zip(row, labels, strict=True)):
            left = x + index * cell
            paper.put_lines(left, y, label, bold=paper.look.bold_labels)
            after = _value(paper, left, y + deepest * paper.step, item, cell - 8)
            bottom = max(bottom, after)
        y = bottom + paper.step * 0.5
    return y


def party(
    paper: Paper,
    x: float,
    y: float,
    width: float,
    who: Party,
    concept: str | None,
    *,
    label: str = "",
    align: str = "left",
    name_size: float | None = None,
    extra: list[str] | None = None,
) -> float:
    """Draw a block with a name and an address, marked as `<concept>_name` and `<concept>_address`."""
    if label:
        paper.put(x, y, label, bold=paper.look.bold_labels, align=align)
        y += paper.step
    name = paper.mark(f"{concept}_name", who.name) if concept else None
    lines = paper.wrapped(who.name, width, size=name_size, bold=bool(name_size))
    y = paper.put_lines(x, y, lines, name, align=align, size=name_size, bold=bool(name_size))
    for line in extra or ():
        paper.put(x, y, line, align=align)
        y += paper.step
    address = paper.mark(f"{concept}_address", ", ".join(who.address)) if concept else None
    return paper.put_lines(x, y, who.address, address, align=align)


def spaced(text: str) -> str:
    """Return a title with spaces between its letters."""
    return "   ".join(" ".join(word) for word in text.upper().split())
