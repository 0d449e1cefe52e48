"""Puts the fields of a schema to the network, and reads its words as values of the fields' kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.values.choosing import Json, as_json
from docagent.jsonschema import resolved, types_of
from docagent.reader_model import Question, Span

_FITS = 0.5
_DEEPEST = 8
_RULES_ALONE = frozenset({Kind.BOOLEAN, Kind.CURRENCY, Kind.DURATION, Kind.IBAN})
"""Kinds of which rules see every occurrence."""
_NUMBERS = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
Path = tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """A field, with what rules found for it."""

    path: Path
    field: Field
    question: Question
    value: Any

    @property
    def is_list(self) -> bool:
        return self.question.type == "list"

    @property
    def is_empty(self) -> bool:
        return self.value is None or self.value == []

    @property
    def has_words(self) -> bool:
        """Whether its value is printed, so that the network can be asked for it."""
        field = self.field
        return (
            bool(field.types)
            and field.kind is not Kind.BOOLEAN
            and not field.schema.keys() & {"const", "enum"}
        )

    @property
    def is_open(self) -> bool:
        """Whether the network may fill it. Where rules know no name for an amount, their silence tells more."""
        field = self.field
        if field.kind in _RULES_ALONE or not self.has_words:
            return False
        return field.key != "" or field.kind not in _NUMBERS


@dataclass(frozen=True)
class AskedRows:
    """A list of rows with its columns."""

    path: Path
    columns: list[Field]
    questions: list[Question]
    rows: list[dict[str, Any]]


@dataclass(frozen=True)
class Said:
    """A value that the network reads, and its chance."""

    value: Json
    chance: float


def fields_of(
    part: Schema, root: Schema, filled: dict[str, Any], path: Path = ()
) -> Iterator[Asked | AskedRows]:
    """Yield the fields of a schema with what rules found for them."""
    for name, child in (part.get("properties") or {}).items():
        inner = resolved(child, root)
        types, here = types_of(inner), (*path, name)
        value = filled.get(name)
        description = str(inner.get("description") or "")
        if "object" in types:
            if isinstance(value, dict) and len(here) < _DEEPEST:
                yield from fields_of(inner, root, value, here)
        elif "array" in types:
            items = resolved(inner.get("items"), root)
            if items.get("properties"):
                yield _rows(here, items, root, value or [])
            elif types_of(items) == {"string"}:
                field = field_of(name, {"description": description, **items}, path)
                yield Asked(here, field, Question(" ".join(here), description, "list"), value)
        else:
            field = field_of(name, inner, path)
            yield Asked(here, field, Question(" ".join(here), description, _type(inner, types)), value)


def single_fields(schema: Schema) -> dict[Path, Field]:
    """Return the fields of a schema that have one printed value each."""
    fields = _with_objects(resolved(schema, schema), schema)
    asked = (one for one in fields_of(resolved(schema, schema), schema, fields) if isinstance(one, Asked))
    return {one.path: one.field for one in asked if one.has_words and not one.is_list}


def _with_objects(part: Schema, root: Schema, depth: int = 0) -> dict[str, Any]:
    """Return the objects of a schema, without values."""
    inner = {name: resolved(child, root) for name, child in (part.get("properties") or {}).items()}
    return {
        name: _with_objects(child, root, depth + 1)
        for name, child in inner.items()
        if "object" in types_of(child) and depth < _DEEPEST
    }


def _rows(path: Path, items: Schema, root: Schema, rows: list[dict[str, Any]]) -> AskedRows:
    parts = {name: resolved(part, root) for name, part in items["properties"].items()}
    parts = {name: part for name, part in parts.items() if not types_of(part) & {"object", "array"}}
    questions = [
        Question(f"{path[-1]} {name}", str(part.get("description") or ""), "column")
        for name, part in parts.items()
    ]
    return AskedRows(
        path, [field_of(name, part, in_row=True) for name, part in parts.items()], questions, rows
    )


def _type(schema: Schema, types: frozenset[str]) -> str:
    if types & {"number", "integer"} and "string" not in types:
        return "number"
    return "date" if schema.get("format") in ("date", "date-time") else "text"


def said_by(spans: Sequence[Span], field: Field, sheet: Sheet) -> list[Said]:
    """Return the values that the words say, as far as they have the printed form of the field's kind."""
    found = [Said(value_of(span, field, sheet), span.chance) for span in spans]
    return [one for one in found if one.value is not None and one.value != ""]


def value_of(span: Span, field: Field, sheet: Sheet) -> Json:
    read = next(iter(read_values(field.kind, span.text, sheet.style, field.side)), None)
    return as_json(read.value, read.text, field) if read is not None and read.fit >= _FITS else None


def same(one: Any, other: Any) -> bool:
    """Return whether two values say the same, however they are spaced and spelt."""
    if isinstance(one, str) and isinstance(other, str):
        return _letters(one) == _letters(other)
    return bool(one == other)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
