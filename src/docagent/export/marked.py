"""The data of many documents as one table, a row for each, with what is unproven marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.domain.field_path import ROOT, FieldPath
from docagent.export.cells import csv_of, harmless, headings


@dataclass(frozen=True, slots=True)
class MarkedRow:
    before: Mapping[str, Any]
    """Columns that stand before the data."""
    data: Mapping[str, Any]
    unproven: Collection[FieldPath]
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MarkedCell:
    value: Any
    marked: bool = False


def marked_csv(rows: Sequence[MarkedRow]) -> bytes:
    """CSV has no marks: `after` is where the paths of unproven values can stand."""
    return csv_of([harmless(cell.value) for cell in line] for line in lines_of(rows)).encode()


def lines_of(rows: Sequence[MarkedRow]) -> Iterator[list[MarkedCell]]:
    """Yield the heading, then the rows. A list is one cell of JSON, marked if anything in it is unproven."""
    before = dict.fromkeys(name for row in rows for name in row.before)
    after = dict.fromkeys(name for row in rows for name in row.after)
    columns = headings(path for row in rows for path in _fields(row.data, ROOT))
    yield [MarkedCell(name) for name in (*before, *columns.values(), *after)]
    for row in rows:
        values = _fields(row.data, ROOT)
        marked = {path for path in values if any(one.is_within(path) for one in row.unproven)}
        yield [
            *(MarkedCell(row.before.get(name)) for name in before),
            *(MarkedCell(values.get(path), path in marked) for path in columns),
            *(MarkedCell(row.after.get(name)) for name in after),
        ]


def _fields(data: Any, path: FieldPath) -> dict[FieldPath, Any]:
    if isinstance(data, Mapping):
        return {
            inner: value
            for name, below in data.items()
            for inner, value in _fields(below, path / str(name)).items()
        }
    return {path: orjson.dumps(data).decode() if isinstance(data, list) and data else data}
