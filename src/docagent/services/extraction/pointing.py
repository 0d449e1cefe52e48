"""Point and fill: what a person points at on a page, read as a field of a result, with the place of every word."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docagent import builtin_model
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.text import Box, Page, Word
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.results import Result
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import field_schema, resolved, types_of
from docagent.reading.printed import Style, likely_style
from docagent.services.documents.text import TextService
from docagent.services.extraction.results import ResultService

PAGES_AROUND = 3
"""How many pages before and after tell how the document writes dates and numbers."""


@dataclass(frozen=True, slots=True)
class PointedValue:
    """One value of what was taken, and the words that say it."""

    path: FieldPath
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What a person pointed at, as the field stores it."""

    value: Any
    text: str
    remark: str | None
    places: list[PointedValue]


class PointingService:
    def __init__(self, results: ResultService, text: TextService) -> None:
        self._results = results
        self._text = text

    async def take(
        self, member: Member, document_id: str, prompt_revid: str, path: str, page: int, box: Box
    ) -> Taken:
        """Read the words in a box of a page as the field at a path: a value, or the rows of a list."""
        result, schema = await self._results.with_schema(member, document_id, prompt_revid)
        first = max(1, page - PAGES_AROUND)
        _, around = await self._text.some_pages(member, document_id, first, page - first + 1 + PAGES_AROUND)
        shown = next((one for one in around if one.number == page), None)
        if shown is None:
            raise InvalidInput(f"The document has no page {page} that was read.")
        style = await asyncio.to_thread(likely_style, "\n".join(one.text for one in around))
        where = FieldPath.parse(path, result.data, schema)
        return await asyncio.to_thread(_taken, result, schema or {}, where, shown, box, style)


def _taken(
    result: Result, schema: dict[str, Any], path: FieldPath, page: Page, box: Box, style: Style
) -> Taken:
    part = field_schema(schema, path)
    item = resolved(part.get("items"), schema)
    if "array" in types_of(part) and item.get("properties"):
        return _rows(path, builtin_model.read_rows(page, box, item, schema, style), list(item["properties"]))
    words = [word for line in builtin_model.words_in(page, box) for word in line.words]
    if not words:
        raise InvalidInput("There are no words at this place. Point at the words that say the value.")
    was = path.get(result.model_data)
    one = builtin_model.read_pointed(words, path.name, part, style, stores_iso=_may_be_iso(was))
    return Taken(one.value, one.text, one.remark, [PointedValue(path, one.words)])


def _rows(path: FieldPath, rows: Sequence[dict[str, builtin_model.Pointed]], names: Sequence[str]) -> Taken:
    if not rows:
        raise InvalidInput(
            "No rows were found at this place. Drag over the rows of the table, with their heading if it has one."
        )
    places = [
        PointedValue(path / number / name, cell.words)
        for number, row in enumerate(rows)
        for name, cell in row.items()
    ]
    remarks = [
        f"Row {number}, {name}: {cell.remark}"
        for number, row in enumerate(rows, 1)
        for name, cell in row.items()
        if cell.remark
    ]
    value = [{name: row[name].value if name in row else None for name in names} for row in rows]
    text = "\n".join(" ".join(cell.text for cell in row.values()) for row in rows)
    return Taken(value, text, " ".join(remarks[:3]) or None, places)


def _may_be_iso(value: Any) -> bool:
    """Whether a text field stores dates in the one form that programs read, as far as its value tells."""
    return value in (None, "") or (
        isinstance(value, str) and len(value) == len("2026-03-14") and value[4:5] == value[7:8] == "-"
    )
