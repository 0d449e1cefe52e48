"""Results as CSV: one flat table."""

from __future__ import annotations

from typing import Any

from docagent.domain.field_path import FieldPath
from docagent.export.cells import csv_of, flat, harmless, headings, is_table


def result_to_csv(data: dict[str, Any]) -> str:
    """Write one row for each item of the longest list, repeating the other fields; one row if there is no list."""
    name, rows = _longest_list(data)
    fields = flat({key: value for key, value in data.items() if not rows or key != name})
    lines = [{**fields, **flat(row, FieldPath((name,)))} for row in rows] or [fields]
    columns = headings(column for line in lines for column in line)
    rows_of_cells = [columns.values(), *(map(line.get, columns) for line in lines)]
    return csv_of(map(harmless, cells) for cells in rows_of_cells)


def _longest_list(data: dict[str, Any]) -> tuple[str, list[Any]]:
    tables = [(key, value) for key, value in data.items() if is_table(value)]
    return max(tables, key=lambda item: len(item[1]), default=("", []))
