"""The data of many documents as a workbook."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.styles import PatternFill

from docagent.export.cells import harmless
from docagent.export.marked import MarkedRow, lines_of

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

    for line in lines_of(rows):
        sheet.append([cell(one.value, marked=one.marked) for one in line])
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()
