"""Tells whether a schema fits a document: by what its fields mean, their types, and how many the document fills."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import Sheet, sheet_of
from docagent.builtin_model.proposals.propose import FIRST_PAGES, Proposal, proposal_for
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import resolved, types_of
from docagent.reading.printed import meanings_of

_FILLED_SHARE = 0.6
"""The share of a schema's fields that a document of its kind fills at least."""
_FEWEST_FILLED = 3
_THE_SAME = 0.8
_FEWEST_OF_THE_SAME = 2
_ALIKE = 0.5
_ALIKE_IN_KIND = 0.3
"""How alike a schema must be whose fields name the document's kind: people ask for less than all there is."""
_ON_EVERY_PAPER = frozenset({"title", "invoice_date"})
"""What any document fills: a heading, and its own date under whatever name."""
_DEEPEST = 8
_MOST_FIELDS = 300
_SAME_COLUMNS = 0.5
_FEWEST_SHARED = 3
_HEART = 0.6
"""The share of the smaller schema's fields that schemas for the same kind of document have in common at least."""
_EQUAL = {"due_payable": "total", "line_sum": "net", "contract_number": "order_number"}
"""Concepts that stand for one another in schemas for the same kind of document."""
_CARRIERS = frozenset({"name", "full", "value", "text", "document"})
_NAMED_KINDS = {
    "invoice": "invoice",
    "bill": "invoice",
    "receipt": "receipt",
    "merchant": "receipt",
    "order": "order",
    "contract": "contract",
    "quote": "quote",
    "quotation": "quote",
    "reminder": "reminder",
    "credit note": "credit note",
    "delivery note": "delivery note",
    "statement": "bank statement",
    "payslip": "payslip",
    "employee": "payslip",
}
"""Words in the names of fields that say what kind of document the schema is for."""
_ALSO_CALLED = {"advertising order": frozenset({"order", "contract"})}

Meaning = str | frozenset[str]


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a schema fits a document."""

    filled: int
    """How many of the schema's fields the document fills; a list of rows is one. Not counted, so 0, if the fields
    are not alike."""
    fields: int
    """How many fields the schema has."""
    alike: float
    """How much the fields agree, by meaning and type, with those that would be proposed: 0 to 1."""
    fits: bool


@dataclass(frozen=True)
class _Leaf:
    """A field of a schema, or a list of rows with its columns."""

    path: tuple[str, ...]
    type: str
    meaning: Meaning
    columns: frozenset[Meaning] = frozenset()

    def is_like(self, other: _Leaf) -> bool:
        if self.type != other.type:
            return False
        if self.type == "rows":
            shared = len(self.columns & other.columns)
            return shared > 0 and shared >= _SAME_COLUMNS * min(len(self.columns), len(other.columns))
        return self.meaning == other.meaning


def fit(pages: Sequence[Page], schema: Mapping[str, Any]) -> Fit:
    """Tell how well a JSON Schema fits a document."""
    return fits(pages, [schema])[0]


def fits(pages: Sequence[Page], schemas: Sequence[Mapping[str, Any]]) -> list[Fit]:
    """Tell how well each of several JSON Schemas fits a document. The document is looked at once."""
    sheet = sheet_of(pages[:FIRST_PAGES])
    proposed = proposal_for(sheet, pages[:FIRST_PAGES])
    own = list(_leaves({"type": "object", "properties": proposed.properties}))
    return [_judged(sheet, dict(schema), own, proposed) for schema in schemas]


@dataclass(frozen=True, slots=True)
class Shared:
    """The fields of one schema that are fields of another."""

    names: Mapping[str, str]
    """By the other schema's name: the name here. Fields at the top only."""
    columns: Mapping[str, Mapping[str, str]]
    """By the other schema's name of a list of rows: its columns, in the same way."""
    is_heart: bool
    """Whether so much is shared that both are for the same kind of document."""


def shared(one: Mapping[str, Any], other: Mapping[str, Any]) -> Shared:
    """Find the fields that two JSON Schemas share: those of one name and type, then those of one meaning and type."""
    ours, theirs = _top(one), _top(other)
    names = _twins(ours, theirs)
    rows = {theirs[name].path[0]: ours[twin] for name, twin in names.items() if ours[twin].type == "rows"}
    columns = {name: _twins(_cells(one, mine.path[0]), _cells(other, name)) for name, mine in rows.items()}
    telling = [name for name in names if theirs[name].meaning not in _ON_EVERY_PAPER]
    kinds = {_kind_named(list(leaves.values())) for leaves in (ours, theirs)} - {None}
    enough = len(names) >= _FEWEST_SHARED and len(names) >= _HEART * min(len(ours), len(theirs))
    return Shared(names, columns, enough and len(telling) > 1 and len(kinds) < 2)


def _top(schema: Mapping[str, Any]) -> dict[str, _Leaf]:
    """The fields at the top by name. An object is one field, known by its name alone."""
    top: dict[str, _Leaf] = {}
    for leaf in _leaves(dict(schema)):
        name = leaf.path[0]
        is_object = len(leaf.path) > 1
        top[name] = _Leaf((name,), "object", frozenset({name})) if is_object else leaf
    return top


def _cells(schema: Mapping[str, Any], rows: str) -> dict[str, _Leaf]:
    root = dict(schema)
    items = resolved(resolved(root["properties"][rows], root).get("items"), root)
    asked = {
        name: field_of(name, resolved(cell, root), in_row=True)
        for name, cell in (items.get("properties") or {}).items()
    }
    return {name: _Leaf((name,), _type(field), _meaning(field)) for name, field in asked.items()}


def _twins(ours: Mapping[str, _Leaf], theirs: Mapping[str, _Leaf]) -> dict[str, str]:
    """By their names: our field that each of these is. No field is two."""
    names = {name: name for name in theirs if name in ours and ours[name].type == theirs[name].type}
    for name, leaf in theirs.items():
        free = (twin for twin in ours if twin not in names.values() and ours[twin].is_like(leaf))
        if name not in names and (twin := next(free, None)) is not None:
            names[name] = twin
    return names


def _judged(sheet: Sheet, schema: Schema, own: list[_Leaf], proposed: Proposal) -> Fit:
    theirs = list(_leaves(schema))
    alike = _likeness(theirs, own, proposed)
    if not _is_alike(theirs, proposed, alike):
        return Fit(0, len(theirs), alike, fits=False)
    data = fill_sheet(sheet, schema)
    filled = [leaf for leaf in theirs if not _is_empty(FieldPath(leaf.path).get(data))]
    says_more = bool(proposed.core) or any(leaf.meaning not in _ON_EVERY_PAPER for leaf in filled)
    enough = says_more and _fills_enough(len(filled), len(theirs), len(own), alike)
    return Fit(len(filled), len(theirs), alike, enough)


def _fills_enough(filled: int, fields: int, own: int, alike: float) -> bool:
    """Return whether so much is filled that the document is of the schema's kind.

    A few fields that every document fills prove nothing. But if nothing else would be proposed anyway, a second
    schema would not help a document that leaves much empty.
    """
    if alike >= _THE_SAME:
        return filled >= min(_FEWEST_OF_THE_SAME, own)
    return filled >= _FEWEST_FILLED and filled >= _FILLED_SHARE * fields


def _is_alike(theirs: list[_Leaf], proposed: Proposal, alike: float) -> bool:
    named = _kind_named(theirs)
    in_kind = named is not None and named in (proposed.kind, *_ALSO_CALLED.get(proposed.kind, ()))
    if named is not None and not in_kind and proposed.core:
        return False
    return alike >= (_ALIKE_IN_KIND if in_kind else _ALIKE)


def _likeness(theirs: list[_Leaf], own: list[_Leaf], proposed: Proposal) -> float:
    """Return the share of fields that both have. What not every document of the kind carries need not be there."""
    left = list(own)
    shared = 0
    for leaf in theirs:
        twin = next((one for one in left if leaf.is_like(one)), None)
        if twin is not None:
            left.remove(twin)
            shared += 1
    missing = sum(leaf.path[0] in proposed.core or not proposed.core for leaf in left)
    together = len(theirs) + missing
    return shared / together if together else 0.0


def _kind_named(leaves: list[_Leaf]) -> str | None:
    """Return the kind of document that the names of the fields speak of most, or first."""
    votes: dict[str, int] = {}
    for leaf in leaves:
        meanings = set(meanings_of(leaf.path[-1]))
        for words, kind in _NAMED_KINDS.items():
            if meanings.issuperset(words.split()):
                votes[kind] = votes.get(kind, 0) + 1
    return max(votes, key=lambda kind: votes[kind], default=None)


def _leaves(schema: Schema) -> Iterator[_Leaf]:
    return islice(_leaves_in(resolved(schema, schema), schema, ()), _MOST_FIELDS)


def _leaves_in(part: Schema, root: Schema, path: tuple[str, ...]) -> Iterator[_Leaf]:
    for name, member in (part.get("properties") or {}).items():
        inner = resolved(member, root)
        types = types_of(inner)
        here = (*path, name)
        if "object" in types:
            if len(here) < _DEEPEST:
                yield from _leaves_in(inner, root, here)
        elif "array" in types:
            items = resolved(inner.get("items"), root)
            columns = [
                field_of(column, resolved(cell, root), in_row=True)
                for column, cell in (items.get("properties") or {}).items()
            ]
            kind = "rows" if columns else "list"
            yield _Leaf(here, kind, frozenset(meanings_of(name)), frozenset(map(_meaning, columns)))
        else:
            asked = field_of(name, inner, path)
            yield _Leaf(here, _type(asked), _meaning(asked))


def _type(field: Field) -> str:
    if field.types & {"number", "integer"} and "string" not in field.types:
        return "number"
    if "string" in field.types:
        return "date" if field.kind is Kind.DATE else "text"
    return "".join(sorted(field.types))


def _meaning(field: Field) -> Meaning:
    if field.key:
        return f"{_EQUAL.get(field.key, field.key)} {field.side or ''}".strip()
    return field.meanings - _CARRIERS or field.meanings


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [])
