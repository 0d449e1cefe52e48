"""Finds out which concepts a field's name and description stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from docagent.builtin_model.asked.concepts import Concept, Kind, Meanings, concepts

Kinds = frozenset[Kind]
ALL_KINDS: Kinds = frozenset(Kind)

_CARRIERS = frozenset({"from", "to", "value", "text", "full", "document"})
_PAPER = frozenset({"invoice", "document", "receipt", "bill"})
_SENDER = frozenset({"supplier", "company", "number", "address"})
_CARRIERS_OF = {
    Kind.NAME: frozenset({"name", "company"}),
    Kind.TEXT: frozenset({"name"}),
    Kind.CODE: frozenset({"number"}),
    Kind.DATE: frozenset({"date"}),
    Kind.AMOUNT: frozenset({"amount", "total"}) | _PAPER,
    Kind.CURRENCY: frozenset({"amount", "code"}) | _PAPER,
    Kind.PHONE: _SENDER,
    Kind.IBAN: _SENDER | {"account", "bank"},
    Kind.BIC: _SENDER | {"bank", "code"},
    Kind.EMAIL: _SENDER,
    Kind.WEBSITE: _SENDER,
    Kind.VAT_ID: _SENDER,
    Kind.PLACE: frozenset({"state", "country", "contract"}),
    Kind.DURATION: frozenset({"contract", "period"}),
}
"""For each kind, the words in a field's name that add nothing to the kind."""
_GENERIC = (
    "date total amount type title name description order invoice contract period company price code product item "
    "balance address gross net tax rate payable number reference document account bank receipt bill cash change "
    "registration from to"
)
GENERIC = frozenset(_GENERIC.split())
"""Words that are used for many things, so that alone they name no concept in a description."""
_NUMBERS = frozenset(
    {Kind.CODE, Kind.IBAN, Kind.BIC, Kind.VAT_ID, Kind.PHONE, Kind.NUMBER, Kind.AMOUNT, Kind.DURATION}
)
_KINDS_OF_HEADS = {
    "number": _NUMBERS,
    "code": _NUMBERS | {Kind.CURRENCY},
    "date": frozenset({Kind.DATE}),
    "amount": frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.CURRENCY}),
    "price": frozenset({Kind.AMOUNT, Kind.NUMBER}),
}
"""What a description can be about that begins with such a word."""
_LONGEST = 4
_PAPERS = frozenset({"invoice", "contract", "order", "document", "receipt"})


def concept_for(meanings: Meanings, *, in_row: bool, kinds: Kinds = ALL_KINDS) -> Concept | None:
    """Return the concept that a field's name stands for, exactly or apart from words that add no meaning."""
    exact = _by_name(in_row).get(meanings, ())
    for concept in exact:
        if concept.kind in kinds:
            return concept
    inside = []
    for name, called in _by_name(in_row).items():
        if not name < meanings:
            continue
        for concept in called:
            carriers = _CARRIERS | _CARRIERS_OF.get(concept.kind, frozenset())
            if concept.kind in kinds and meanings - name <= carriers and not name <= carriers:
                inside.append((len(name), concept))
    return max(inside, key=lambda pair: pair[0])[1] if inside else None


def asks_for_own_number(meanings: Sequence[str] | Meanings) -> bool:
    """Return whether words ask for the number of the paper, whatever it is: `contractOrInvoiceNumber`."""
    return "number" in meanings and len(_PAPERS & set(meanings)) > 1


def described_concepts(
    meanings: Sequence[str], *, in_row: bool, kinds: Kinds = ALL_KINDS
) -> Iterator[Concept]:
    """Yield the concepts that a description names in its order, trying the longest names first.

    Words that no name has may stand between those of a name: `date printed on the receipt`.
    """
    found = list(_in_windows(meanings, in_row, kinds))
    if not found:
        known = _words_of_names(in_row)
        found = list(_in_windows([word for word in meanings if not word or word in known], in_row, kinds))
    yield from {concept.key: concept for concept in found}.values()


def _in_windows(meanings: Sequence[str], in_row: bool, kinds: Kinds) -> Iterator[Concept]:
    start = 0
    while start < len(meanings):
        step = 1
        for length in range(min(_LONGEST, len(meanings) - start), 0, -1):
            window = frozenset(meanings[start : start + length])
            concept = next((one for one in _by_name(in_row).get(window, ()) if one.kind in kinds), None)
            if (
                concept is not None
                and _is_head(meanings[:start], concept)
                and not (length == 1 and window <= GENERIC)
            ):
                yield concept
                step = length
                break
        start += step


def _is_head(before: Sequence[str], concept: Concept) -> bool:
    """Return whether a description is about the concept: `company number of the supplier` is about no name."""
    clause = before[len(before) - 1 - list(reversed(before)).index("") :] if "" in before else before
    return all(concept.kind in _KINDS_OF_HEADS.get(word, ALL_KINDS) for word in clause)


@cache
def _words_of_names(in_row: bool) -> Meanings:
    return frozenset(word for name in _by_name(in_row) for word in name)


@cache
def _by_name(in_row: bool) -> dict[Meanings, tuple[Concept, ...]]:
    """Return the concepts by their names: those of a table's row, or the others."""
    possible = [concept for concept in concepts().values() if concept.in_row is in_row]
    if in_row:
        possible += [concepts()["invoice_date"], concepts()["delivery_date"]]
    found: dict[Meanings, tuple[Concept, ...]] = {}
    for concept in possible:
        for name in concept.names:
            found[name] = (*found.get(name, ()), concept)
    return found
