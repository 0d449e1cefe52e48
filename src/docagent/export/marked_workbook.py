"""The data of many documents as a workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.styles import PatternFill

from docagent.export.cells import harmless
from docagent.export.marked import MarkedRow, cells_of, columns_of

UNPROVEN = PatternFill("solid", fgColor="FFF2B3")


def marked_xlsx(rows: Sequence[MarkedRow]) -> bytes:
    """Unproven values stand on yellow."""
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet("Results")
    sheet.freeze_panes = "B2"

    def cell(value: Any, *, marked: bool = False) -> Cell:
        made = WriteOnlyCell(sheet, value=harmless(value))
        if isinstance(made.value, str):
            made.data_type = "s"
        if marked:
            made.fill = UNPROVEN
        return made

    columns = columns_of(rows)
    sheet.append([cell(column) for column in columns])
    for row in rows:
        cells = cells_of(row)
        sheet.append(
            [
                cell(cells[column].value, marked=cells[column].marked) if column in cells else cell(None)
                for column in columns
            ]
        )
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()
