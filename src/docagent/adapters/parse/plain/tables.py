"""Tables as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from docagent.adapters.parse.plain.plainlayout import COLUMNS, cells

_GAP = "  "
_TIGHT_GAP = " | "


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
