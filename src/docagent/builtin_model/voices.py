"""Joins the built-in model's two voices: what rules leave empty, the network may fill where it is sure.

Rules win wherever they speak. The network is not heard where their silence tells more: on amounts of which they know no
name, and on kinds of which they see every occurrence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docagent import reader_model
from docagent.builtin_model.choosing import Json, as_json
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import Field, Schema, field_of
from docagent.builtin_model.reading import read_values
from docagent.builtin_model.sheet import Sheet
from docagent.domain.text import Page
from docagent.jsonschema import resolved, types_of
from docagent.reader_model import Question, Span

_SURE = 0.99
"""Below this chance, as the network gives it, a field stays empty. Fields of other trades decided on it."""
_FITS = 0.5
_DEEPEST = 8
_MOST_ASKED = 60
_RULES_ALONE = frozenset({Kind.BOOLEAN, Kind.CURRENCY, Kind.DURATION, Kind.IBAN})
_NUMBERS = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
Path = tuple[str, ...]


@dataclass(frozen=True)
class _Empty:
    """A field that the rules left empty."""

    path: Path
    field: Field
    question: Question

    @property
    def is_list(self) -> bool:
        return self.question.type == "list"


def with_network(
    pages: Sequence[Page], sheet: Sheet, schema: Schema, filled: dict[str, Any]
) -> dict[str, Any]:
    """Return what rules filled, and what the network adds to it. Without the network nothing is added."""
    if not reader_model.is_available():
        return filled
    root = resolved(schema, schema)
    empty = [one for one in _empty(root, schema, (), filled) if _may_be_asked(one)][:_MOST_ASKED]
    if not empty:
        return filled
    answers = reader_model.answer(pages, [one.question for one in empty])
    for one, spans in zip(empty, answers, strict=True):
        value = _several(spans, one.field, sheet) if one.is_list else _one(spans, one.field, sheet)
        if value:
            _put(filled, one.path, value)
    return filled


def _empty(part: Schema, root: Schema, path: Path, filled: dict[str, Any]) -> Iterator[_Empty]:
    for name, child in (part.get("properties") or {}).items():
        inner = resolved(child, root)
        types, here = types_of(inner), (*path, name)
        value = filled.get(name)
        description = str(inner.get("description") or "")
        if "object" in types:
            if isinstance(value, dict) and len(here) < _DEEPEST:
                yield from _empty(inner, root, here, value)
        elif "array" in types:
            items = resolved(inner.get("items"), root)
            if value == [] and not items.get("properties") and types_of(items) == {"string"}:
                field = field_of(name, {"description": description, **items}, path)
                yield _Empty(here, field, Question(" ".join(here), description, "list"))
        elif value is None:
            field = field_of(name, inner, path)
            yield _Empty(here, field, Question(" ".join(here), description, _type(inner, types)))


def _type(schema: Schema, types: frozenset[str]) -> str:
    if types & {"number", "integer"} and "string" not in types:
        return "number"
    return "date" if schema.get("format") in ("date", "date-time") else "text"


def _may_be_asked(one: _Empty) -> bool:
    field = one.field
    if field.kind in _RULES_ALONE or "const" in field.schema or "enum" in field.schema:
        return False
    return bool(field.types) and (field.key != "" or field.kind not in _NUMBERS)


def _one(spans: Sequence[Span], field: Field, sheet: Sheet) -> Json:
    best = spans[0] if spans else None
    return _value(best, field, sheet) if best is not None else None


def _several(spans: Sequence[Span], field: Field, sheet: Sheet) -> list[Json]:
    values = [_value(span, field, sheet) for span in spans]
    return list(dict.fromkeys(value for value in values if value is not None))


def _value(span: Span, field: Field, sheet: Sheet) -> Json:
    """Return the value that the words say, if they have the printed form of the field's kind."""
    if span.chance < _SURE:
        return None
    read = next(iter(read_values(field.kind, span.text, sheet.style, field.side)), None)
    return as_json(read.value, read.text, field) if read is not None and read.fit >= _FITS else None


def _put(filled: dict[str, Any], path: Path, value: Any) -> None:
    for name in path[:-1]:
        filled = filled[name]
    filled[path[-1]] = value
