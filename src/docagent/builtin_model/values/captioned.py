"""Finds values under captions that say what a field is called, in its own words or in words that mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from docagent.builtin_model.asked.asking import described_meanings
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.asked.meaning import GENERIC
from docagent.builtin_model.page.pairs import Pair
from docagent.builtin_model.page.reading import Scalar, read_values
from docagent.builtin_model.values.candidates import Candidate
from docagent.reading.printed import Style, meanings_of, squeezed

LABELLED = "Labelled "
"""How the description of a proposed field begins: with the caption that it was found under."""
_ANOTHER_FORM = 0.9
"""Where the schema asks for any text, and the value is none of the kind that the field's name suggests."""
_MARKED_WORDS = 0.9
_WORDS_BESIDE_WORDS = 0.8
"""Rules for names and addresses know better where words end."""
_CODES = frozenset({Kind.CODE, Kind.VAT_ID, Kind.PHONE})
_BY_MEANING = 0.9
_ALIKE = 0.5
_LITTLE = 0.3
_ANY_FORM = frozenset(
    {Kind.TEXT, Kind.NAME, Kind.CODE, Kind.DATE, Kind.PLACE, Kind.AMOUNT, Kind.NUMBER, Kind.DURATION}
)
_GROUPS = re.compile(r"(?=(?:\S* )*\S*\d)[A-Z0-9][A-Z0-9./-]*(?: [A-Z0-9][A-Z0-9./-]*){1,5}")
"""An identifier printed in groups: `8501 4427 903` is one value, and none of its parts."""
BOTH_LANGUAGES = " / "
"""Between a caption and the same in another language."""


def captioned(
    pairs: Sequence[Pair], field: Field, style: Style, meant: Mapping[int, float]
) -> Iterator[Candidate]:
    """Yield the values whose captions say what the field is called, or mean it in other words (`meant`, by place).

    Sums are weighed against one another elsewhere.
    """
    if field.key and field.kind is Kind.AMOUNT:
        return
    own = _own_words(field)
    for place, pair in enumerate(pairs):
        said = any(squeezed(part) in own for part in (pair.caption, *pair.caption.split(BOTH_LANGUAGES)))
        worth = 1.0 if said else meant.get(place, 0.0)
        if worth:
            value, text, fit = _read(pair, field, style)
            is_code = not said and field.kind is Kind.NAME and pair.at.look != ""
            if text and not is_code:
                sure = 1.0 if pair.at.look else _MARKED_WORDS if pair.label.marked else _WORDS_BESIDE_WORDS
                yield Candidate(value, text, worth * fit * sure, pair.at.segment)


def meant_by(pairs: Sequence[Pair], fields: Sequence[Field]) -> list[dict[int, float]]:
    """Return for each field the captions that mean it more than any other field, with how much they do.

    Words count as what they mean in any language. One caption names one field.
    """
    asked = [_meanings_of(field) for field in fields]
    found: list[dict[int, float]] = [{} for _ in fields]
    for place, pair in enumerate(pairs):
        told = [frozenset(meanings_of(part)) for part in pair.caption.split(BOTH_LANGUAGES)]
        worths = [max(_alike(one, other) for one in told for other in several) for several in asked]
        best = max(worths, default=0.0)
        if best >= _ALIKE and worths.count(best) == 1:
            found[worths.index(best)][place] = _BY_MEANING * best
    return [{place: worth for place, worth in one.items() if worth == max(one.values())} for one in found]


def _meanings_of(field: Field) -> list[frozenset[str]]:
    """Return what the field's name says, and what its title and the first clause of its description say."""
    described = described_meanings(str(field.schema.get("description") or ""))
    clause = frozenset(takewhile(bool, described))
    return [field.meanings, *([clause] if clause else [])]


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that both have; those that are used for many things count little.

    Where each has a word of its own they mean different things: a customer's name and number.
    """
    both, all_words = one & other, one | other
    if both not in (one, other) or (both <= GENERIC and one != other):
        return 0.0
    return sum(map(_weight, both)) / sum(map(_weight, all_words)) if both else 0.0


def _weight(word: str) -> float:
    return _LITTLE if word in GENERIC else 1.0


def in_groups(pairs: Sequence[Pair], field: Field, found: Candidate) -> Candidate:
    """Return a code with the other groups of the identifier that it is part of."""
    if field.kind not in _CODES or "string" not in field.types:
        return found
    for pair in pairs:
        if pair.at.segment is found.segment and found.text in pair.value and _GROUPS.fullmatch(pair.value):
            return replace(found, value=pair.value, text=pair.value)
    return found


def captions_in(pairs: Sequence[Pair]) -> frozenset[str]:
    """Return what stands before values, in letters alone, and is no value itself."""
    return frozenset(squeezed(one.caption) for one in pairs) - {squeezed(one.value) for one in pairs}


def _own_words(field: Field) -> frozenset[str]:
    """Return what the field is called, in letters alone."""
    described = str(field.schema.get("description") or "").partition(",")[0]
    caption = described.removeprefix(LABELLED)
    names = (field.name, str(field.schema.get("title") or ""), caption if caption != described else "")
    return frozenset(filter(None, map(squeezed, names)))


def _read(pair: Pair, field: Field, style: Style) -> tuple[Scalar, str, float]:
    printed = pair.value
    if field.kind in _CODES and "string" in field.types and _GROUPS.fullmatch(printed):
        return printed, printed, 1.0
    found = next(read_values(field.kind, printed, style, field.side), None)
    if found is not None:
        return found.value, found.text, found.fit
    free = field.kind in _ANY_FORM and field.takes_any_text and any(map(str.isalnum, printed))
    return printed, printed if free else "", _ANOTHER_FORM
