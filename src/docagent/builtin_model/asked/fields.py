"""Turns the fields of a JSON Schema into questions to a document: what kind of value, under which labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.builtin_model.asked.asking import described_meanings, name_meanings, words_of
from docagent.builtin_model.asked.concepts import SHAPED, Concept, Kind, Meanings, concepts
from docagent.builtin_model.asked.contract_words import contract_meaning
from docagent.builtin_model.asked.meaning import (
    ALL_KINDS,
    GENERIC,
    Kinds,
    asks_for_own_number,
    concept_for,
    described_concepts,
)
from docagent.jsonschema import types_of
from docagent.reading.printed import atoms_of, meanings_of

Schema = dict[str, Any]

_FROM_DESCRIPTION = 0.85
_SIDE_ALONE = 0.5
_SPAN = "period"
"""The concept that has a first and a last day."""
_VAGUE = frozenset({"period", "invoice_date", "nationality"})
_DATE_WORDS = frozenset({"date", "from", "to", "period"})
_OF_MONEY = "amount total price tax net gross balance subtotal cost fee discount commission charge charges"
_MONEY = frozenset(_OF_MONEY.split())
_PARTIES = frozenset({"supplier", "buyer", "customer", "company", "bill", "delivery"})
_PARTY_KINDS = frozenset({Kind.NAME, Kind.ADDRESS})
_CARRIERS = {
    Kind.NAME: frozenset({"name", "full"}),
    Kind.CODE: frozenset({"number", "code"}),
    Kind.DATE: frozenset({"date"}),
    Kind.AMOUNT: frozenset({"amount", "value"}),
    Kind.TEXT: frozenset({"name", "text", "value"}),
}
_NAMELESS = frozenset({"field", "value", "column", "col", "key", "attribute", "property", "data", "var"})
"""Names that say nothing: `field_1`."""
_BY_SHAPE = SHAPED | {Kind.PLACE, Kind.DURATION}
"""Kinds that a description names so clearly that a name such as `Bank` or `Account` does not matter."""


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

    @property
    def takes_any_text(self) -> bool:
        """Whether the schema asks for any text, whatever kind of value the name suggests."""
        return "string" in self.types and not self.schema.keys() & {"format", "enum", "const"}


def field_of(name: str, schema: Schema, context: tuple[str, ...] = (), *, in_row: bool = False) -> Field:
    """Derive what to look for from the name, title, description and type, and from the names of objects around it."""
    types = types_of(schema)
    said = _Said.of(name, schema, types, context, in_row=in_row)
    described = list(described_concepts(said.description, in_row=in_row, kinds=said.kinds))
    if not said.asks_for_date:
        described = [concept for concept in described if concept.key != _SPAN]
    concept = _concept_of(said, types, described)
    if not in_row and _is_vague(concept, described):
        meant = contract_meaning(words_of(name), words_of(str(schema.get("description") or "")), said.kinds)
        concept = concepts()[meant] if meant else concept
    side = said.side
    if side is None and concept is not None and concept.key == _SPAN:
        side = _side(said.description)
    kind = _kind(schema, types, said.meanings, side, concept, described)
    if concept is not None and not _compatible(concept.kind, kind):
        concept = None
    if concept is None and not described and kind is Kind.DATE and side is not None:
        concept = concepts()[_SPAN]
    # A description that names what the name says mentions other things only beside it: `who handles it at the issuer`.
    described = [] if concept in described else [one for one in described if _compatible(one.kind, kind)]
    labels = _labels_of(said, kind, concept, described)
    if kind is Kind.DATE and side is not None:
        _add_labels(labels, {frozenset({side, "date"}): _SIDE_ALONE}, 1.0)
        if concept is not None and concept.key == _SPAN:
            _add_labels(labels, {frozenset({side}): _SIDE_ALONE}, 1.0)
    main = concept or (described[0] if described else None)
    harmless = main.harmless if main else frozenset()
    return Field(name, schema, kind, said.meanings, main, labels, harmless | said.meanings, side, types)


@dataclass(frozen=True)
class _Said:
    """What a schema says of one field, as meanings."""

    meanings: Meanings
    """Of the name, with the party that objects around it name."""
    printed: Meanings
    """Of the name, read as a label on paper, if it has words of which only papers tell the meaning."""
    title: Meanings
    description: tuple[str, ...]
    side: str | None
    kinds: Kinds
    """What values of the schema's type and format can be."""
    in_row: bool

    @property
    def asks_for_date(self) -> bool:
        """Whether a type or a word says that a date is wanted, and not just something that lasts."""
        return self.kinds != ALL_KINDS or not _DATE_WORDS.isdisjoint(
            {*self.meanings, *self.description, self.side}
        )

    @classmethod
    def of(
        cls, name: str, schema: Schema, types: frozenset[str], context: tuple[str, ...], *, in_row: bool
    ) -> _Said:
        description = str(schema.get("description") or "")
        own = _own_meanings(name, described=bool(description))
        stem = frozenset(own) - {"from", "to"} or frozenset(own)
        around = frozenset(meaning for part in context for meaning in name_meanings(part))
        of_party = not in_row and not around.isdisjoint(_PARTIES)
        return cls(
            stem | around if of_party else stem,
            _as_printed(name, own) if own else frozenset(),
            frozenset(name_meanings(str(schema.get("title") or ""))) - {"from", "to"},
            described_meanings(description),
            _side(own),
            _possible_kinds(schema, types),
            in_row,
        )


def _concept_of(said: _Said, types: frozenset[str], described: list[Concept]) -> Concept | None:
    concept = concept_for(said.meanings, in_row=said.in_row, kinds=said.kinds)
    if concept is None and said.printed:
        concept = concept_for(said.printed, in_row=said.in_row, kinds=said.kinds)
    if concept is None and said.title:
        concept = concept_for(said.title, in_row=said.in_row, kinds=said.kinds)
    if concept is not None and concept.key == _SPAN and not said.asks_for_date:
        concept = None
    if said.side and said.meanings <= {"date", "from", "to"}:
        concept = concepts()[_SPAN]
    if not said.in_row and Kind.CODE in said.kinds and _wants_own_number(concept, said):
        return concepts()["document_number"]
    if described and _says_more(described[0], concept, said.meanings, types):
        return described[0]
    return concept


def _is_vague(concept: Concept | None, described: list[Concept]) -> bool:
    """Return whether a name and description tell nothing, or only that some day or country is wanted."""
    told = concept or (described[0] if described else None)
    return told is None or told.key in _VAGUE


def _labels_of(
    said: _Said, kind: Kind, concept: Concept | None, described: list[Concept]
) -> dict[Meanings, float]:
    labels: dict[Meanings, float] = {}
    for meanings, weight in ((said.meanings, 1.0), (said.printed, 0.95), (said.title, 0.95)):
        if meanings:
            _add_own_labels(labels, meanings, weight, kind)
    if concept is not None:
        _add_labels(labels, concept.labels, 1.0)
        if kind is Kind.AMOUNT:
            return labels
    for place, found in enumerate(described):
        weight = _FROM_DESCRIPTION - 0.05 * place if concept is not None or place else 0.95
        _add_labels(labels, found.labels, weight)
    return labels


def _wants_own_number(named: Concept | None, said: _Said) -> bool:
    described = asks_for_own_number(said.description)
    if named is None:
        return asks_for_own_number(said.meanings) or (said.meanings <= GENERIC and described)
    return named.key == "document_number" and described


def _possible_kinds(schema: Schema, types: frozenset[str]) -> Kinds:
    """Return the kinds that values of the schema's type and format can have."""
    if types == {"boolean"}:
        return frozenset({Kind.BOOLEAN})
    if types and types <= {"number", "integer"}:
        return frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.CODE})
    if schema.get("format") in _BY_FORMAT:
        return frozenset({_BY_FORMAT[schema["format"]]})
    return ALL_KINDS


def _own_meanings(name: str, *, described: bool) -> tuple[str, ...]:
    own = name_meanings(name)
    says_nothing = not own or (len(own) == 1 and (own[0] in _NAMELESS or len(own[0]) == 1))
    return () if described and says_nothing else own or (name.lower(),)


def _as_printed(name: str, own: Sequence[str]) -> Meanings:
    atoms = atoms_of(" ".join(meanings_of(name)))
    all_known = all(atom.is_known for atom in (*atoms, *atoms_of(" ".join(own))))
    return frozenset() if all_known else frozenset(atom.meaning for atom in atoms)


def _side(meanings: Sequence[str]) -> str | None:
    return next((meaning for meaning in reversed(meanings) if meaning in ("from", "to")), None)


def _says_more(described: Concept, named: Concept | None, meanings: Meanings, types: frozenset[str]) -> bool:
    """Return whether the description counts more than the name, because that names nothing or many things."""
    if named is None:
        return meanings <= GENERIC or described.kind in _BY_SHAPE
    if named.kind is Kind.AMOUNT and types == {"string"}:
        return True
    if named.key == "document_number" and described.kind is Kind.CODE:
        return True
    return described.kind in _BY_SHAPE and (named.kind is Kind.CODE or meanings <= GENERIC)


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


_BY_FORMAT = {
    "duration": Kind.DURATION,
    "date": Kind.DATE,
    "date-time": Kind.DATE,
    "email": Kind.EMAIL,
    "uri": Kind.WEBSITE,
}
_BY_MEANING = (
    ({"duration"}, Kind.DURATION),
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
    if described and described[0].kind in _PARTY_KINDS | _BY_SHAPE | {Kind.CODE}:
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
