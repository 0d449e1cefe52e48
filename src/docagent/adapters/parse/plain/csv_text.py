"""The rows of a CSV file as lines of a table."""

from __future__ import annotations

import csv
from pathlib import Path

from docagent.adapters.parse.plain.plain_text import text_of
from docagent.adapters.parse.plain.tables import table_lines

_DELIMITERS = ",;\t|"


def lines(path: Path, max_characters: int) -> list[str]:
    """Return the rows, whatever separates their cells. Raises ReadFailed."""
    text = text_of(path, max_characters)
    rows = text.split("\n")
    sample = rows[:20]
    delimiter = max(_DELIMITERS, key=lambda candidate: sum(row.count(candidate) for row in sample))
    csv.field_size_limit(len(text) + 1)
    return table_lines(csv.reader(rows, delimiter=delimiter))
