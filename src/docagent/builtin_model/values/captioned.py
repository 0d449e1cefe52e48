"""Finds values under captions that say what a field is called, in its own words or in words that mean the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.asked.meaning import GENERIC
from docagent.builtin_model.page.pairs import Pair
from docagent.builtin_model.page.reading import Scalar, read_values
from docagent.builtin_model.page.shapes import has_hard_legal_form
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.values.candidates import Candidate, is_of_another_sort
from docagent.reading.printed import Style, squeezed

LABELLED = "Labelled "
"""How the description of a proposed field begins: with the caption that it was found under."""
_ANOTHER_FORM = 0.9
"""Where the schema asks for any text, and the value is none of the kind that the field's name suggests."""
_MARKED_WORDS = 0.9
_WORDS_BESIDE_WORDS = 0.8
"""Rules for names and addresses know better where words end."""
_CODES = frozenset({Kind.CODE, Kind.VAT_ID, Kind.PHONE})
_NAMES = frozenset({Kind.NAME, Kind.TEXT})
_LONGEST_FIRM = 6
_BY_ITS_NAME = 0.6
_ANY_FORM = frozenset(
    {Kind.TEXT, Kind.NAME, Kind.CODE, Kind.DATE, Kind.PLACE, Kind.AMOUNT, Kind.NUMBER, Kind.DURATION}
)
_GROUPS = re.compile(r"(?=(?:\S* )*\S*\d)[A-Z0-9][A-Z0-9./-]*(?: [A-Z0-9][A-Z0-9./-]*){1,5}")
"""An identifier printed in groups: `8501 4427 903` is one value, and none of its parts."""
BOTH_LANGUAGES = " / "
"""Between a caption and the same in another language."""


def captioned(pairs: Sequence[Pair], field: Field, style: Style) -> Iterator[Candidate]:
    """Yield the values whose captions say what the field is called. Sums are weighed against one another elsewhere."""
    if field.key and field.kind is Kind.AMOUNT:
        return
    own = _own_words(field)
    for pair in pairs:
        if any(squeezed(part) in own for part in (pair.caption, *pair.caption.split(BOTH_LANGUAGES))):
            value, text, fit = _read(pair, field, style)
            if text and not is_of_another_sort(field, text):
                sure = 1.0 if pair.at.look else _MARKED_WORDS if pair.label.marked else _WORDS_BESIDE_WORDS
                yield Candidate(value, text, fit * sure, pair.at.segment)


def in_groups(pairs: Sequence[Pair], field: Field, found: Candidate) -> Candidate:
    """Return a code with the other groups of the identifier that it is part of."""
    if field.kind not in _CODES or "string" not in field.types:
        return found
    for pair in pairs:
        if pair.at.segment is found.segment and found.text in pair.value and _GROUPS.fullmatch(pair.value):
            return replace(found, value=pair.value, text=pair.value)
    return found


def firms_called(sheet: Sheet, field: Field) -> Iterator[Candidate]:
    """Yield the firms whose names say what the field is called: `Hotel Bellevue Ltd` is the hotel."""
    if field.key or field.kind not in _NAMES or not field.takes_any_text:
        return
    for segment in sheet.with_meanings(field.meanings - GENERIC):
        text = segment.text
        few = len(text.split()) <= _LONGEST_FIRM and not any(map(str.isdigit, text))
        if few and has_hard_legal_form(text):
            yield Candidate(text, text, _BY_ITS_NAME, segment)


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
