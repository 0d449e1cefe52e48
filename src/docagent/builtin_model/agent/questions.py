"""Answers questions about a document: from its extraction if that has the value, else from its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.builtin_model.agent.names import Path
from docagent.builtin_model.agent.telling import counted, page_of
from docagent.builtin_model.agent.typewords import snake, spoken, type_of_name
from docagent.builtin_model.agent.values import as_text, at, find_values, is_money
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.describing import describe
from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath

_NO_TEXT = "I have no text of this document."
_MOST_ROWS = 20
_CURRENCY = "currency"


def answer(name: str, data: Any, pages: Sequence[Page]) -> str:
    """Return what the document says under this name, with the page, or say that it was not found."""
    from_extraction = _from_extraction(name, data, pages) if data else None
    if from_extraction is not None:
        return from_extraction
    if not pages:
        return f"I did not find “{name}” in the extraction. {_NO_TEXT}" if data else _NO_TEXT
    return _from_words(name, pages) or f"I did not find “{name}” in this document."


def _from_extraction(name: str, data: Any, pages: Sequence[Page]) -> str | None:
    try:
        found = find_values(data, name)
    except GiveUp as none:
        return none.text
    told: list[tuple[Path, Any]] = [
        (path, value) for path in found if (value := at(data, path)) not in (None, "", [], {})
    ]
    if not told:
        return None
    if len(told) > 1:
        return "\n".join(
            f"- {FieldPath(path)}: {as_text(value, path[-1])}" for path, value in told[:_MOST_ROWS]
        )
    path, value = told[0]
    if isinstance(value, list) and any(isinstance(row, dict) for row in value):
        return _rows(path[-1], value)
    currency = data.get(_CURRENCY) if isinstance(data, dict) else None
    return _said(path[-1], value, currency, page_of(data, path, pages), "in the extraction")


def _from_words(name: str, pages: Sequence[Page]) -> str | None:
    key = snake(name)
    if not key:
        return None
    part = type_of_name(name)
    asked = {key: part, _CURRENCY: {"type": "string"}}
    found = fill(pages, {"type": "object", "properties": asked})
    value = found[key]
    if value in (None, "", []):
        return None
    if isinstance(value, list):
        return _rows(name, value)
    return _said(name, value, found[_CURRENCY], page_of({key: value}, (key,), pages), "")


def _said(name: str, value: Any, currency: Any, page: int | None, source: str) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and is_money(name):
        text = f"{value:.2f}" + (f" {currency}" if isinstance(currency, str) and currency else "")
    else:
        text = as_text(value, name)
    place = f" (page {page})" if page else f" ({source}; I did not find it on the pages)" if source else ""
    return f"The {spoken(name)} is **{text}**{place}."


def _rows(name: str, rows: list[Any]) -> str:
    lines = [f"{number}. {as_text(row)}" for number, row in enumerate(rows[:_MOST_ROWS], 1)]
    more = [f"\nand {len(rows) - _MOST_ROWS} more"] if len(rows) > _MOST_ROWS else []
    return (
        f"There {'is' if len(rows) == 1 else 'are'} {counted(len(rows), 'row')} in {spoken(name)}:\n\n"
        + "\n".join(lines + more)
    )


def about(pages: Sequence[Page]) -> str:
    if not pages:
        return _NO_TEXT
    told = describe(pages)
    kind = told["document_type"]
    article = "an" if kind and kind[0] in "aeiou" else "a"
    opening = f"It looks like {article} {kind}. " if kind else ""
    return f"{opening}{told['summary']}"


def count_pages(pages: Sequence[Page]) -> str:
    return f"This document has {counted(len(pages), 'page')}." if pages else _NO_TEXT
