"""A sheet as a workbook, written row by row: openpyxl keeps the rows on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell

from docagent.export.cells import harmless


def write(names: Sequence[str], rows: Path, target: Path) -> None:
    """Write the workbook from rows that are JSON objects, one a line."""
    workbook = Workbook(write_only=True)
    sheet = workbook.create_sheet("Results")
    sheet.freeze_panes = "B2"

    def cell(value: Any) -> Cell:
        made = WriteOnlyCell(sheet, value=harmless(value))
        if isinstance(made.value, str):
            made.data_type = "s"
        return made

    sheet.append([cell(name) for name in names])
    with rows.open("rb") as lines:
        for line in lines:
            sheet.append([cell(value) for value in orjson.loads(line).values()])
    workbook.save(target)
