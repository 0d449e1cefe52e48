"""Rows of a sheet as lines: CSV, for programs or for people, and JSON with one object a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote

import orjson

from docagent.domain.extraction.sheets import Column, ColumnKind, Row, plain
from docagent.export.cells import csv_of, harmless


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

WORDS = {
    "en": {
        "document": "Document",
        "row": "Row",
        "state": "State",
        "proof": "Proof",
        "verified": "Checked",
        "rejected": "Rejected",
        "auto_verified": "Released without review",
        "inconsistent": "Does not add up",
        "doubtful": "To check",
        "proven": "Sure",
    },
    "de": {
        "document": "Dokument",
        "row": "Zeile",
        "state": "Stand",
        "proof": "Beleg",
        "verified": "Geprüft",
        "rejected": "Abgelehnt",
        "auto_verified": "Ohne Prüfung freigegeben",
        "inconsistent": "Geht nicht auf",
        "doubtful": "Zu prüfen",
        "proven": "Sicher",
    },
}


class SheetFormat(StrEnum):
    CSV = "csv"
    JSON_LINES = "jsonl"
    XLSX = "xlsx"
    PARQUET = "parquet"

    @property
    def is_lines(self) -> bool:
        """Whether the file grows line by line, so that it can be sent while it is made."""
        return self in (SheetFormat.CSV, SheetFormat.JSON_LINES)


@dataclass(frozen=True, slots=True)
class ForPeople:
    """How a file for people is written, rather than one for programs."""

    address: str
    """Where the organisation's documents are shown."""
    prompt_id: str
    language: str = "en"
    decimal: str = "."
    pictures: bool = False

    def word(self, name: str) -> str:
        return WORDS[self.language][name]

    def address_of(self, document_id: str, path: str = "") -> str:
        """Where a document, or the words of one of its values, can be seen."""
        field = f"?prompt=%22{self.prompt_id}%22&field={quote(orjson.dumps(path), safe='')}" if path else ""
        return f"{self.address}/{document_id}{field}"


@dataclass(frozen=True, slots=True)
class Part:
    """A tab to write: its columns; `column` is the table that they belong to, None for the documents."""

    columns: Sequence[Column]
    column: Column | None = None


class SheetLines:
    """Writes rows as lines. The columns keep their order, under names of which each stands once."""

    def __init__(self, columns: Sequence[Column], people: ForPeople | None = None) -> None:
        self.columns = [*BEFORE, *_named(columns)]
        self._titles = [column.title for column in columns]
        self._people = people

    def head(self, format: SheetFormat) -> bytes:
        if format is SheetFormat.JSON_LINES:
            return b""
        if self._people is None:
            return self._csv([[harmless(column.name) for column in self.columns]])
        names = [self._people.word("document"), *self._titles, self._people.word("state")]
        return b"\xef\xbb\xbf" + self._csv([[harmless(name) for name in names]])  # Excel takes it for UTF-8

    def written(self, format: SheetFormat, rows: Sequence[Row]) -> bytes:
        if format is SheetFormat.JSON_LINES:
            return b"".join(orjson.dumps(self._object(row), option=orjson.OPT_APPEND_NEWLINE) for row in rows)
        if self._people is None:
            return self._csv([[harmless(value) for value in self._object(row).values()] for row in rows])
        return self._csv([[self._shown(value) for value in self._read(row, self._people)] for row in rows])

    def _object(self, row: Row) -> dict[str, Any]:
        result = row.result
        values = [result.document_name, result.document_id, row.page, row.state]
        values += [plain(cell.value) for cell in row.cells]
        return {column.name: value for column, value in zip(self.columns, values, strict=True)}

    def _read(self, row: Row, people: ForPeople) -> list[Any]:
        values = [plain(cell.value) for cell in row.cells]
        return [row.result.document_name, *values, people.word(row.state)]

    def _shown(self, value: Any) -> Any:
        if isinstance(value, float) and self._people is not None:
            return str(value).replace(".", self._people.decimal)
        return harmless(value)

    def _csv(self, lines: Sequence[Sequence[Any]]) -> bytes:
        delimiter = ";" if self._people is not None and self._people.decimal == "," else ","
        return csv_of(lines, delimiter).encode()


def _named(columns: Sequence[Column]) -> Iterator[NamedColumn]:
    taken = {column.name for column in BEFORE}
    for column in columns:
        name = column.path.dotted
        while name in taken:
            name += "_"
        taken.add(name)
        yield NamedColumn(name, column.kind)
