"""Results as a workbook: a sheet for the fields of each, and one for each list."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from docagent.export.cells import flat, harmless, headings, is_table

_SHEET_NAME_LENGTH = 31


def results_to_xlsx(results: Sequence[tuple[str, dict[str, Any]]]) -> bytes:
    """Write sheets for each named result: first its fields, then each of its lists."""
    workbook = Workbook()
    workbook.remove(workbook.active)  # type: ignore[arg-type]
    for name, data in results:
        lists = {key: value for key, value in data.items() if is_table(value)}
        sheet = _sheet(workbook, name)
        _append(sheet, ["field", "value"])
        fields = flat({key: value for key, value in data.items() if key not in lists})
        for path, heading in headings(fields).items():
            _append(sheet, [heading, fields[path]])
        for key, rows in lists.items():
            _append_table(_sheet(workbook, f"{name} {key}"), rows)
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()


def _append_table(sheet: Worksheet, rows: list[dict[str, Any]]) -> None:
    lines = [flat(row) for row in rows]
    columns = headings(column for line in lines for column in line)
    _append(sheet, list(columns.values()))
    for row in lines:
        _append(sheet, [row.get(column) for column in columns])


def _append(sheet: Worksheet, values: list[Any]) -> None:
    sheet.append([harmless(value) for value in values])
    for cell in sheet[sheet.max_row]:
        if isinstance(cell.value, str):
            cell.data_type = "s"


def _sheet(workbook: Workbook, name: str) -> Worksheet:
    plain = "".join(character for character in name if character not in "[]:*?/\\'") or "Result"
    title = plain[:_SHEET_NAME_LENGTH]
    number = 2
    while title.lower() in (other.lower() for other in workbook.sheetnames):
        suffix = f" {number}"
        title = plain[: _SHEET_NAME_LENGTH - len(suffix)] + suffix
        number += 1
    sheet: Worksheet = workbook.create_sheet(title)
    return sheet
