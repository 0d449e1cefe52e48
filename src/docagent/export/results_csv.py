"""Results as CSV: one flat table."""

from __future__ import annotations

import csv
import io
from typing import Any

from docagent.domain.extraction.paths import leaves
from docagent.export.cells import flat, harmless, is_table


def result_to_csv(data: dict[str, Any]) -> str:
    """Write one row for each item of the longest list, repeating the other fields; one row if there is no list."""
    name, rows = _longest_list(data)
    fields = {path: value for path, value in leaves({k: v for k, v in data.items() if k != name}) if path}
    lines = [{**fields, **flat(row, name)} for row in rows] or [fields]
    header = list(dict.fromkeys(column for line in lines for column in line))
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow([harmless(column) for column in header])
    for line in lines:
        writer.writerow([harmless(line.get(column)) for column in header])
    return target.getvalue()


def _longest_list(data: dict[str, Any]) -> tuple[str, list[Any]]:
    tables = [(key, value) for key, value in data.items() if is_table(value)]
    return max(tables, key=lambda item: len(item[1]), default=("", []))
