"""Values of results as cells of a table, for CSV and workbooks alike."""

from __future__ import annotations

from typing import Any

from docagent.domain.extraction.paths import leaves
from docagent.export.formulas import runs_as_formula


def is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def flat(row: Any, prefix: str) -> dict[str, Any]:
    return {f"{prefix}.{path}" if prefix else path: value for path, value in leaves(row) if path}


def harmless(value: Any) -> Any:
    """Put an apostrophe before text that a spreadsheet would run as a formula. Numbers stay numbers."""
    if value is None or value == [] or value == {}:
        return ""
    if isinstance(value, str):
        plain = "".join(character for character in value if character >= " " or character in "\t\n\r")
        return f"'{plain}" if runs_as_formula(plain) else plain
    return value
