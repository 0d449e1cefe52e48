"""Turns the fields of a JSON Schema into questions to a document: what kind of value, under which labels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docagent.builtin_model.concepts import (
    BY_KEY,
    CONCEPTS,
    ITEM_CONCEPTS,
    Concept,
    Kind,
    Meanings,
    concept_for,
)
from docagent.printed import atoms_of, meanings_of

Schema = dict[str, Any]

_FROM_DESCRIPTION = 0.85
_DEEPEST_REFERENCE = 8
_SIDE_ALONE = 0.5
_MONEY = frozenset(
    {
        "amount",
        "total",
        "price",
        "tax",
        "net",
        "gross",
        "balance",
        "subtotal",
        "cost",
        "fee",
        "discount",
        "commission",
        "charge",
        "charges",
    }
)
_PARTY_KINDS = frozenset({Kind.NAME, Kind.ADDRESS})
_CARRIERS = {
    Kind.NAME: frozenset({"name", "full"}),
    Kind.CODE: frozenset({"number", "code"}),
    Kind.DATE: frozenset({"date"}),
    Kind.AMOUNT: frozenset({"amount", "value"}),
    Kind.TEXT: frozenset({"name", "text", "value"}),
}
_GENERIC = frozenset(
    {
        "date",
        "total",
        "amount",
        "type",
        "title",
        "name",
        "description",
        "order",
        "invoice",
        "contract",
        "period",
    }
    | {
        "company",
        "price",
        "code",
        "product",
        "item",
        "balance",
        "address",
        "gross",
        "net",
        "tax",
        "rate",
        "payable",
    }
)
"""Words that descriptions use for many things, so that alone they name no concept."""
_NEGATION = re.compile(
    r"\b(?:not|never|except|excluding|without|before|other than|nicht|kein\w*|ohne|vor)\b.*?(?=[.;,]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Field:
    """One value to look for."""

    name: str
    schema: Schema
    kind: Kind
    meanings: Meanings
    concept: Concept | None
    labels: dict[Meanings, float]
    harmless: Meanings
    side: str | None = None
    """`from` or `to` if the field is one end of a span of dates."""
    types: frozenset[str] = field(default_factory=frozenset)

    @property
    def key(self) -> str:
        return self.concept.key if self.concept else ""


def resolved(schema: Any, root: Schema, depth: int = 0) -> Schema:
    """Return the schema with references followed, and without null as an alternative."""
    if not isinstance(schema, dict):
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/") and depth < _DEEPEST_REFERENCE:
        target: Any = root
        for part in reference[2:].split("/"):
            target = (
                target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, dict) else {}
            )
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return resolved({**target, **rest} if isinstance(target, dict) else rest, root, depth + 1)
    if depth < _DEEPEST_REFERENCE:
        for word in ("anyOf", "oneOf"):
            choices = [
                one for one in schema.get(word, []) if isinstance(one, dict) and one.get("type") != "null"
            ]
            if choices:
                rest = {key: value for key, value in schema.items() if key != word}
                return resolved({**resolved(choices[0], root, depth + 1), **rest}, root, depth + 1)
        if isinstance(schema.get("allOf"), list):
            return _together(schema, root, depth)
    return schema


def _together(schema: Schema, root: Schema, depth: int) -> Schema:
    """Merge a schema with the parts of its `allOf`."""
    merged: Schema = {}
    properties: Schema = {}
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    for part in [*schema["allOf"], rest]:
        inner = resolved(part, root, depth + 1)
        properties |= inner.get("properties") or {}
        merged |= inner
    return {**merged, "properties": properties} if properties else merged


def types_of(schema: Schema) -> frozenset[str]:
    """Return the types that a schema allows, except null."""
    named = schema.get("type")
    types = [named] if isinstance(named, str) else list(named or [])
    if not types:
        types = ["object"] if "properties" in schema else ["array"] if "items" in schema else ["string"]
    return frozenset(str(name) for name in types if name != "null")


def field_of(name: str, schema: Schema, context: tuple[str, ...] = (), *, in_row: bool = False) -> Field:
    """Derive what to look for from the name, title, description and type, and from the names of objects around it."""
    types = types_of(schema)
    own = meanings_of(name) or (name.lower(),)
    side = next((meaning for meaning in reversed(own) if meaning in ("from", "to")), None)
    stem = frozenset(own) - {"from", "to"} or frozenset(own)
    around = frozenset(meaning for part in context for meaning in meanings_of(part))
    meanings = stem if in_row else stem | (around if _names_a_party(around) else frozenset())
    title = frozenset(meanings_of(str(schema.get("title") or ""))) - {"from", "to"}
    described = list(_described(str(schema.get("description") or ""), in_row=in_row))
    concept = concept_for(meanings, in_row=in_row) or (concept_for(title, in_row=in_row) if title else None)
    if side and frozenset({"date"}) >= stem:
        concept = BY_KEY["period"]
    if concept is not None and concept.kind is Kind.AMOUNT and types == {"string"} and described:
        concept = described[0]
    kind = _kind(schema, types, meanings, side, concept, described)
    if concept is not None and not _compatible(concept.kind, kind):
        concept = None
    described = [found for found in described if _compatible(found.kind, kind)]
    labels: dict[Meanings, float] = {}
    for meaning_set, weight in ((meanings, 1.0), (title, 0.95)):
        if meaning_set:
            _add_own_labels(labels, meaning_set, weight, kind)
    if concept is not None:
        _add_labels(labels, concept.labels, 1.0)
    if kind is Kind.DATE and side is not None:
        _add_labels(labels, {frozenset({side, "date"}): _SIDE_ALONE}, 1.0)
    if concept is not None and kind is Kind.AMOUNT:
        described = []
    for place, found in enumerate(described):
        weight = _FROM_DESCRIPTION - 0.05 * place if concept is not None or place else 0.95
        _add_labels(labels, found.labels, weight)
    main = concept or (described[0] if described else None)
    harmless = main.harmless if main else frozenset()
    return Field(name, schema, kind, meanings, main, labels, harmless | meanings, side, types)


def _names_a_party(meanings: Meanings) -> bool:
    return bool(meanings & {"supplier", "buyer", "customer", "company", "bill", "delivery"})


def _add_own_labels(labels: dict[Meanings, float], meanings: Meanings, weight: float, kind: Kind) -> None:
    _add_labels(labels, {meanings: weight}, 1.0)
    carriers = _CARRIERS.get(kind, frozenset())
    bare = meanings - carriers
    if bare and bare != meanings:
        _add_labels(labels, {bare: weight}, 0.85)
    if bare:
        _add_labels(labels, {bare | {carrier}: weight for carrier in carriers}, 0.95)


def _add_labels(labels: dict[Meanings, float], more: dict[Meanings, float], factor: float) -> None:
    for meanings, weight in more.items():
        labels[meanings] = max(labels.get(meanings, 0.0), weight * factor)


def _described(description: str, *, in_row: bool) -> Iterator[Concept]:
    """Yield the concepts that a description names, trying the longest names first."""
    atoms = [atom.meaning for atom in atoms_of(_NEGATION.sub(" ", description))]
    names = {
        name: concept
        for concept in reversed(CONCEPTS)
        if (concept.key in ITEM_CONCEPTS) is in_row
        for name in concept.names
    }
    seen: set[str] = set()
    start = 0
    while start < len(atoms):
        for length in (4, 3, 2, 1):
            window = frozenset(atoms[start : start + length])
            concept = names.get(window)
            if (
                concept is not None
                and len(atoms) - start >= length
                and not (length == 1 and window <= _GENERIC)
            ):
                if concept.key not in seen:
                    seen.add(concept.key)
                    yield concept
                start += length - 1
                break
        start += 1


def _kind(
    schema: Schema,
    types: frozenset[str],
    meanings: Meanings,
    side: str | None,
    concept: Concept | None,
    described: list[Concept],
) -> Kind:
    if types == {"boolean"}:
        return Kind.BOOLEAN
    if types & {"number", "integer"} and "string" not in types:
        known = concept or (described[0] if described else None)
        if known is not None and known.kind in (Kind.AMOUNT, Kind.PERCENT, Kind.NUMBER, Kind.CODE):
            return known.kind
        return Kind.AMOUNT if meanings & _MONEY else Kind.NUMBER
    if schema.get("format") in _BY_FORMAT:
        return _BY_FORMAT[schema["format"]]
    if "enum" in schema:
        return Kind.TEXT
    return concept.kind if concept is not None else _kind_of_text(schema, meanings, side, described)


_BY_FORMAT = {"date": Kind.DATE, "date-time": Kind.DATE, "email": Kind.EMAIL, "uri": Kind.WEBSITE}
_BY_MEANING = (
    ({"date"}, Kind.DATE),
    ({"iban"}, Kind.IBAN),
    ({"email"}, Kind.EMAIL),
    ({"phone", "fax"}, Kind.PHONE),
    ({"website"}, Kind.WEBSITE),
    ({"currency"}, Kind.CURRENCY),
    ({"address"}, Kind.ADDRESS),
    ({"number", "code", "reference"}, Kind.CODE),
    ({"percent", "percentage"}, Kind.PERCENT),
    ({"name"}, Kind.NAME),
)


def _kind_of_text(schema: Schema, meanings: Meanings, side: str | None, described: list[Concept]) -> Kind:
    """Return the kind of a text field whose name is not a known concept."""
    for words, kind in _BY_MEANING:
        if meanings & words:
            return kind
    if meanings & _MONEY and not meanings & {"description", "terms", "method", "type"}:
        return Kind.AMOUNT
    if side is not None or (described and described[0].kind is Kind.DATE):
        return Kind.DATE
    if described and described[0].kind in _PARTY_KINDS:
        return described[0].kind
    return Kind.NAME if "name" in meanings_of(str(schema.get("description") or "")) else Kind.TEXT


def _compatible(concept: Kind, kind: Kind) -> bool:
    families = (
        {Kind.NAME, Kind.TEXT},
        {Kind.AMOUNT, Kind.NUMBER},
        {Kind.NUMBER, Kind.PERCENT},
        {Kind.VAT_ID, Kind.CODE},
    )
    return concept is kind or any({concept, kind} <= family for family in families)
