"""A sheet as a Parquet file, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from arro3.core import DataType, Field, Schema
from arro3.io import read_json, write_parquet

from docagent.domain.extraction.sheets import ColumnKind
from docagent.export.sheet_lines import NamedColumn

ROWS_AT_ONCE = 1000
ROWS_IN_A_GROUP = 10_000


def write(columns: Sequence[NamedColumn], rows: Path, target: Path) -> None:
    """Write the file from rows that are JSON objects, one a line.

    A column that holds a value of another type, as a result that breaks its schema may, becomes a column of text.
    """
    kinds = {column.name: column.kind for column in columns}
    for row in _objects(rows):
        for name, value in row.items():
            if value is not None and not _fits(value, kinds[name]):
                kinds[name] = ColumnKind.TEXT
    typed = rows.with_suffix(".typed")
    with typed.open("wb") as lines:
        for row in _objects(rows):
            made = {name: _typed(value, kinds[name]) for name, value in row.items()}
            lines.write(orjson.dumps(made, option=orjson.OPT_APPEND_NEWLINE))
    fields = [Field(name, _type(kind), nullable=True) for name, kind in kinds.items()]
    batches = read_json(str(typed), Schema(fields), batch_size=ROWS_AT_ONCE)
    write_parquet(batches, str(target), max_row_group_size=ROWS_IN_A_GROUP)


def _objects(rows: Path) -> Iterator[dict[str, Any]]:
    with rows.open("rb") as lines:
        for line in lines:
            yield orjson.loads(line)


def _fits(value: Any, kind: ColumnKind) -> bool:
    if kind is ColumnKind.YES_NO:
        return isinstance(value, bool)
    return kind is not ColumnKind.NUMBER or (isinstance(value, int | float) and not isinstance(value, bool))


def _typed(value: Any, kind: ColumnKind) -> Any:
    if value is None or kind in (ColumnKind.NUMBER, ColumnKind.YES_NO):
        return value
    return str(value)


def _type(kind: ColumnKind) -> DataType:
    if kind is ColumnKind.NUMBER:
        return DataType.float64()
    return DataType.bool() if kind is ColumnKind.YES_NO else DataType.utf8()
