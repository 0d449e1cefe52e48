"""Citations: links in a living document to extracted values, words on pages, or sheets.

`[EUR 1,909.40](doc:<document>/<prompt>/<path> "1909.4")` cites a value, `[as agreed](doc:<document>/page/3 "within 30
days")` the words of a page. The title keeps what was there when the passage was written: when it is no longer so, the
passage is stale.

A paragraph that is only `[Invoices](sheet:<prompt>/rows/supplier,total)` stands for columns of a sheet, and
`[By supplier](sheet:<prompt>/sum/supplier,total)` for a sum as a chart. The table below it has what the sheet said.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote, unquote

from docagent.domain.extraction.results import DEFAULT_PROMPT

SCHEME = "doc:"
SHEET_SCHEME = "sheet:"
MOST_SHEET_COLUMNS = 12
_VALUE = re.compile(rf"doc:([0-9a-f]{{24}})/([0-9a-f]{{24}}|{DEFAULT_PROMPT})/([^/]+)")
_WORDS = re.compile(r"doc:([0-9a-f]{24})/page/([1-9][0-9]{0,8})")
_SHEET = re.compile(rf"sheet:([0-9a-f]{{24}}|{DEFAULT_PROMPT})/(rows|sum)/([^/,]+(?:,[^/,]+)*)")


class CitationState(StrEnum):
    CURRENT = "current"
    STALE = "stale"
    """What is cited says something else now."""
    GONE = "gone"
    """The document, the result, the field or the page is not there any more."""


@dataclass(frozen=True, slots=True)
class CitedValue:
    document_id: str
    prompt_id: str
    path: str

    @property
    def address(self) -> str:
        return f"{SCHEME}{self.document_id}/{self.prompt_id}/{quote(self.path, safe='')}"


@dataclass(frozen=True, slots=True)
class CitedWords:
    document_id: str
    page: int

    @property
    def address(self) -> str:
        return f"{SCHEME}{self.document_id}/page/{self.page}"


class SheetForm(StrEnum):
    ROWS = "rows"
    """The columns, a row for each document."""
    SUM = "sum"
    """The documents, or the sum of the second column, for each value of the first; of dates, for each month."""


@dataclass(frozen=True, slots=True)
class CitedSheet:
    prompt_id: str
    form: SheetForm
    columns: tuple[str, ...]

    @property
    def address(self) -> str:
        columns = ",".join(quote(column, safe="") for column in self.columns)
        return f"{SHEET_SCHEME}{self.prompt_id}/{self.form}/{columns}"


Cited = CitedValue | CitedWords


def cited_at(address: str) -> Cited | None:
    """What an address cites; None for all other addresses, such as one that only leads to a document."""
    if found := _WORDS.fullmatch(address):
        return CitedWords(found[1], int(found[2]))
    if found := _VALUE.fullmatch(address):
        return CitedValue(found[1], found[2], unquote(found[3]))
    return None


def sheet_at(address: str) -> CitedSheet | None:
    """What of a sheet an address stands for; None for all other addresses."""
    found = _SHEET.fullmatch(address)
    columns = tuple(unquote(column) for column in found[3].split(",")) if found else ()
    most = 2 if found and found[2] == SheetForm.SUM else MOST_SHEET_COLUMNS
    return CitedSheet(found[1], SheetForm(found[2]), columns) if found and len(columns) <= most else None


def in_title(value: Any) -> str:
    """A value as the title of a citation has it."""
    return (
        one_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )


def is_value(title: str, value: Any) -> bool:
    """Whether a citation's title says this value."""
    if isinstance(value, str):
        return one_line(title) == one_line(value)
    try:
        said = json.loads(title)
    except ValueError:
        return False
    return bool(said == value) and isinstance(said, bool) == isinstance(value, bool)


def one_line(text: str) -> str:
    return " ".join(text.split())


def escaped(text: str) -> str:
    """A text on one line of markdown that shows all of its characters."""
    return re.sub(r"([\\\[\]`*_<|])", r"\\\1", one_line(text))


def as_link(text: str, cited: Cited, title: str) -> str:
    """The citation as markdown."""
    shown = escaped(text)
    said = one_line(title).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{shown}]({cited.address} "{said}")'
