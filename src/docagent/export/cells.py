"""Values of results as cells of a table, for CSV and workbooks alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from docagent.domain.field_path import ROOT, FieldPath, leaves
from docagent.export.formulas import runs_as_formula


def is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def flat(row: Any, above: FieldPath = ROOT) -> dict[FieldPath, Any]:
    """Every value of a row by its path, which leads on from where all rows stand."""
    return {path: value for path, value in leaves(row, above) if path != above}


def headings(paths: Iterable[FieldPath]) -> dict[FieldPath, str]:
    """Name columns with dots, as people read them; those that would read the same, by their exact paths."""
    columns = dict.fromkeys(paths)
    times = Counter(path.dotted for path in columns)
    return {path: path.dotted if times[path.dotted] == 1 else path.pointer for path in columns}


def harmless(value: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay numbers."""
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, str):
        plain = "".join(character for character in value if character >= " " or character in "\t\n\r")
        return f"'{plain}" if runs_as_formula(plain) else plain
    return value
