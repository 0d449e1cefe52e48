"""Results as workbooks: one result a tab with a tab for each list, or all of them in one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.export.cells import flat, headings, is_table
from docagent.export.marked import MarkedRow, lines_of
from docagent.export.workbook import Book


def results_to_xlsx(results: Sequence[tuple[str, dict[str, Any]]]) -> bytes:
    book = Book()
    for name, data in results:
        lists = {key: value for key, value in data.items() if is_table(value)}
        fields = flat({key: value for key, value in data.items() if key not in lists})
        tab = book.tab(name)
        tab.head(["field", "value"])
        for path, heading in headings(fields).items():
            tab.add([heading, fields[path]])
        for key, rows in lists.items():
            lines = [flat(row) for row in rows]
            columns = headings(column for line in lines for column in line)
            tab = book.tab(f"{name} {key}")
            tab.head(columns.values())
            for line in lines:
                tab.add(line.get(column) for column in columns)
    return book.bytes()


def marked_xlsx(rows: Sequence[MarkedRow]) -> bytes:
    """Unproven values stand on yellow."""
    book = Book()
    tab = book.tab("Results")
    lines = lines_of(rows)
    tab.head(str(cell.value) for cell in next(lines))
    for line in lines:
        tab.add(tab.cell(one.value, marked=one.marked) for one in line)
    return book.bytes()
