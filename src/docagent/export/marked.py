"""The data of many documents as one table, a row for each, with what is unproven marked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.export.cells import harmless


@dataclass(frozen=True, slots=True)
class MarkedRow:
    before: Mapping[str, Any]
    """Columns that stand before the data."""
    data: Mapping[str, Any]
    unproven: frozenset[str]
    """Paths of values, such as `lines.0.amount`."""
    after: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MarkedCell:
    value: Any
    marked: bool = False


def marked_csv(rows: Sequence[MarkedRow]) -> bytes:
    """CSV has no marks: `after` is where the paths of unproven values can stand."""
    target = io.StringIO()
    writer = csv.writer(target)
    columns = columns_of(rows)
    writer.writerow([harmless(column) for column in columns])
    for row in rows:
        cells = cells_of(row)
        writer.writerow([harmless(cells[column].value) if column in cells else "" for column in columns])
    return target.getvalue().encode()


def columns_of(rows: Sequence[MarkedRow]) -> list[str]:
    """The columns of all rows, in the order in which they first come."""
    groups: tuple[dict[str, None], ...] = ({}, {}, {})
    for row in rows:
        for group, names in zip(groups, (row.before, dict(_fields(row.data, ())), row.after), strict=True):
            group.update(dict.fromkeys(names))
    return list(groups[0] | groups[1] | groups[2])


def cells_of(row: MarkedRow) -> dict[str, MarkedCell]:
    """The row by column. A list is one cell of JSON, marked if anything in it is unproven."""
    return {
        **{name: MarkedCell(value) for name, value in row.before.items()},
        **{
            path: MarkedCell(value, any(f"{one}.".startswith(f"{path}.") for one in row.unproven))
            for path, value in _fields(row.data, ())
        },
        **{name: MarkedCell(value) for name, value in row.after.items()},
    }


def _fields(data: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            yield from _fields(value, (*path, str(name)))
    else:
        yield ".".join(path), orjson.dumps(data).decode() if isinstance(data, list) and data else data
