"""Results as tables: CSV for one flat table, XLSX with a sheet for the fields and one for each list."""

from __future__ import annotations

import csv
import io
from typing import Any

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from docagent.domain.extraction.paths import leaves
from docagent.export.formulas import runs_as_formula

_SHEET_NAME_LENGTH = 31


def result_to_csv(data: dict[str, Any]) -> str:
    """Write one row for each item of the longest list, repeating the other fields; one row if there is no list."""
    name, rows = _longest_list(data)
    fields = {path: value for path, value in leaves({k: v for k, v in data.items() if k != name}) if path}
    lines = [{**fields, **_flat(row, name)} for row in rows] or [fields]
    header = list(dict.fromkeys(column for line in lines for column in line))
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow([_harmless(column) for column in header])
    for line in lines:
        writer.writerow([_harmless(line.get(column)) for column in header])
    return target.getvalue()


def results_to_xlsx(results: list[tuple[str, dict[str, Any]]]) -> bytes:
    """Write sheets for each named result: first its fields, then each of its lists."""
    workbook = Workbook()
    workbook.remove(workbook.active)  # type: ignore[arg-type]
    for name, data in results:
        lists = {key: value for key, value in data.items() if _is_table(value)}
        sheet = _sheet(workbook, name)
        _append(sheet, ["field", "value"])
        for path, value in leaves({key: value for key, value in data.items() if key not in lists}):
            if path:
                _append(sheet, [path, value])
        for key, rows in lists.items():
            _append_table(_sheet(workbook, f"{name} {key}"), rows)
    target = io.BytesIO()
    workbook.save(target)
    return target.getvalue()


def _append_table(sheet: Worksheet, rows: list[dict[str, Any]]) -> None:
    flat = [_flat(row, "") for row in rows]
    header = list(dict.fromkeys(column for row in flat for column in row))
    _append(sheet, list(header))
    for row in flat:
        _append(sheet, [row.get(column) for column in header])


def _append(sheet: Worksheet, values: list[Any]) -> None:
    sheet.append([_harmless(value) for value in values])
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


def _longest_list(data: dict[str, Any]) -> tuple[str, list[Any]]:
    tables = [(key, value) for key, value in data.items() if _is_table(value)]
    return max(tables, key=lambda item: len(item[1]), default=("", []))


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _flat(row: Any, prefix: str) -> dict[str, Any]:
    return {f"{prefix}.{path}" if prefix else path: value for path, value in leaves(row) if path}


def _harmless(value: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay numbers."""
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, str):
        plain = "".join(character for character in value if character >= " " or character in "\t\n\r")
        return f"'{plain}" if runs_as_formula(plain) else plain
    return value
