"""Tables and sheets as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

from docagent.adapters.parse.plain.plainlayout import COLUMNS, cells
from docagent.domain.errors import ReadFailed, ReadFailure

_GAP = "  "
_TIGHT_GAP = " | "
_MAX_CELLS = 2_000_000


def table_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """Write each row as one line: in columns if they fit on a page, else with the cells one after another."""
    table = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths: list[int] = []
    for row in table:
        widths.extend([0] * (len(row) - len(widths)))
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], cells(cell))
    if sum(widths) + len(_GAP) * len(widths) > COLUMNS:
        return [_TIGHT_GAP.join(cell for cell in row if cell) for row in table]
    return [
        _GAP.join(
            cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=False)
        ).rstrip()
        for row in table
    ]


def sheet_lines(title: str, rows: Iterable[Iterable[object]], max_characters: int) -> list[str]:
    """Return the sheet's name, then its rows. Empty rows are left out. Raises ReadFailed."""
    kept: list[list[str]] = []
    count = characters = 0
    for row in map(_texts, rows):
        if not row:
            continue
        kept.append(row)
        count += len(row)
        characters += sum(map(len, row))
        if count > _MAX_CELLS or characters > max_characters:
            raise ReadFailed(
                ReadFailure.TOO_LARGE,
                f"The sheet {title} holds more than is read. Split the spreadsheet and upload the parts.",
            )
    return [title, "", *table_lines(kept), ""] if kept else []


def _texts(row: Iterable[object]) -> list[str]:
    texts = [_text(value) for value in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case _:
            return str(value)
