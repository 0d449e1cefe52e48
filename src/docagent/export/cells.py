"""Values of results as cells of a table, for CSV and workbooks alike."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from docagent.domain.field_path import ROOT, FieldPath, leaves

_SIGNS = frozenset("=+-@\N{MINUS SIGN}")
_BREAKS = ("\t", "\r", "\n")
_BLANK = ("Z", "C")


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


def csv_of(lines: Iterable[Iterable[Any]], delimiter: str = ",") -> str:
    target = io.StringIO()
    csv.writer(target, delimiter=delimiter).writerows(lines)
    return target.getvalue()


def runs_as_formula(text: str) -> bool:
    """Whether the text begins with a sign that starts a formula, blanks and invisible characters aside.

    A wide or small form of a sign counts as the sign: spreadsheets and what reads their files make one of the other.
    """
    if text.startswith(_BREAKS):
        return True
    first = next((letter for letter in text if not unicodedata.category(letter).startswith(_BLANK)), "")
    return unicodedata.normalize("NFKC", first) in _SIGNS
