"""Fills lists of simple values: e-mail addresses, the parties of a contract, names behind a label."""

from __future__ import annotations

import re

from docagent.builtin_model import prose
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.values.candidates import Candidate, find_candidates
from docagent.builtin_model.values.choosing import THRESHOLD, Json, as_json
from docagent.reading.printed import squeezed
from docagent.words import any_of

_ALL_OF_A_SHAPE = frozenset({Kind.EMAIL, Kind.WEBSITE, Kind.IBAN})
_PARTIES = frozenset({"parties", "first_party", "second_party"})
_SEVERAL = re.compile(r"[,;\u2022|]")
_LONGEST = 60


def fill_list(sheet: Sheet, field: Field) -> list[Json]:
    """Return the values that the document names for a list; none where nothing tells."""
    if field.key in _PARTIES:
        return [one.text for one in prose.find_parties(sheet)]
    if field.kind in _ALL_OF_A_SHAPE:
        values = [
            value
            for segment in sheet.segments
            for value in read_values(field.kind, segment.text, sheet.style)
        ]
        return list(
            {squeezed(value.text): as_json(value.value, value.text, field) for value in values}.values()
        )
    found = [one for one in find_candidates(sheet, field) if one.score >= THRESHOLD and _is_marked(one)]
    if not found:
        return []
    parts = _parts(found[0].text)
    if field.kind not in (Kind.NAME, Kind.TEXT, Kind.PLACE) or any(len(part) > _LONGEST for part in parts):
        return [as_json(found[0].value, found[0].text, field)]
    return [as_json(part, part, field) for part in parts if part]


def _parts(text: str) -> list[str]:
    """Return the values that a line lists: parted by marks, the last two perhaps by a word."""
    *first, last = (part.strip() for part in _SEVERAL.split(text))
    return [*first, *map(str.strip, any_of("papers", "joins").split(last))] if first else [last]


def _is_marked(candidate: Candidate) -> bool:
    """Return whether a colon parts the label from the values: a list in running text has no clear end."""
    label = candidate.label
    return label is not None and label.start == 0 and ":" in label.segment.text[label.end - 1 : label.end + 2]
