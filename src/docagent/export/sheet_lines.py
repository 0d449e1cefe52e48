"""Rows of a sheet as lines: CSV, and JSON with one object a line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from docagent.domain.extraction.sheets import Column, ColumnKind, Row, plain
from docagent.export.cells import harmless


@dataclass(frozen=True, slots=True)
class NamedColumn:
    name: str
    kind: ColumnKind


BEFORE = (
    NamedColumn("document", ColumnKind.TEXT),
    NamedColumn("document_id", ColumnKind.TEXT),
    NamedColumn("page", ColumnKind.NUMBER),
    NamedColumn("state", ColumnKind.TEXT),
)
"""The columns before the fields. A field of the same name gets an underscore."""


class SheetFormat(StrEnum):
    CSV = "csv"
    JSON_LINES = "jsonl"
    XLSX = "xlsx"
    PARQUET = "parquet"

    @property
    def is_lines(self) -> bool:
        """Whether the file grows line by line, so that it can be sent while it is made."""
        return self in (SheetFormat.CSV, SheetFormat.JSON_LINES)


class SheetLines:
    """Writes rows as lines. The columns keep their order, under names of which each stands once."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = [*BEFORE, *_named(columns)]

    def head(self, format: SheetFormat) -> bytes:
        if format is SheetFormat.JSON_LINES:
            return b""
        return _csv([[harmless(column.name) for column in self.columns]])

    def written(self, format: SheetFormat, rows: Sequence[Row]) -> bytes:
        if format is SheetFormat.JSON_LINES:
            return b"".join(orjson.dumps(self._object(row), option=orjson.OPT_APPEND_NEWLINE) for row in rows)
        return _csv([[harmless(value) for value in self._object(row).values()] for row in rows])

    def _object(self, row: Row) -> dict[str, Any]:
        result = row.result
        values = [result.document_name, result.document_id, row.page, row.state]
        values += [plain(cell.value) for cell in row.cells]
        return {column.name: value for column, value in zip(self.columns, values, strict=True)}


def _named(columns: Sequence[Column]) -> Iterator[NamedColumn]:
    taken = {column.name for column in BEFORE}
    for column in columns:
        name = column.path.dotted
        while name in taken:
            name += "_"
        taken.add(name)
        yield NamedColumn(name, column.kind)


def _csv(lines: Sequence[Sequence[Any]]) -> bytes:
    target = io.StringIO()
    csv.writer(target).writerows(lines)
    return target.getvalue().encode()
