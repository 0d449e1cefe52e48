"""Gives the fields that nothing names to the columns that are left, where order and kinds leave no choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.tables.roles import Line, looks_of
from docagent.reading.printed import Style

_WORDS = frozenset({"words", "plain words"})
_HOLD = {
    Kind.DATE: frozenset({"date"}),
    Kind.AMOUNT: frozenset({"number"}),
    Kind.NUMBER: frozenset({"number", "counter"}),
    Kind.PERCENT: frozenset({"percentage", "number"}),
    Kind.NAME: _WORDS,
    Kind.CODE: frozenset({"code", "number"}),
    Kind.TEXT: _WORDS | {"code", "number", "counter"},
}
"""What the cells of a column look like that may hold values of a kind."""
_CANNOT_HOLD = {
    Kind.DATE: _WORDS | {"percentage"},
    Kind.AMOUNT: frozenset({"date", "percentage", "code", "plain words"}),
    Kind.NUMBER: frozenset({"date", "plain words"}),
}
_BY_BALANCE = frozenset({"row_debit", "row_credit", "row_balance"})
"""What changes of a balance tell, or nothing does."""
Held = Sequence[Field | None]


def assigned(
    held: Held, free: Sequence[int], fields: Sequence[Field], lines: Sequence[Line], style: Style
) -> dict[int, Field]:
    """Return the free columns that can only hold fields which no column holds yet.

    Columns that are told stand mostly in the order in which their fields are asked for. Then what is asked for between
    two of them stands between them.
    """
    looks = looks_of(lines, len(held), style)
    places = [next((number for number, one in enumerate(held) if one is field), None) for field in fields]
    known = [place for place in places if place is not None]
    found: dict[int, Field] = {}
    if not known:
        return found
    in_order = all(one < other for one, other in pairwise(known))
    left = [field for field, place in zip(fields, places, strict=True) if place is None]
    if any(field.key in _BY_BALANCE for field in left):
        return found
    gaps = _gaps(fields, places, len(held)) if in_order else iter([(left, -1, len(held))])
    for missing, first, last in gaps:
        between = [number for number in free if first < number < last] or [
            number
            for number, one in enumerate(held)
            if first < number < last and one not in fields and not any(field.concept for field in missing)
        ]
        fits = [[number for number in between if looks[number] in _HOLD.get(one.kind, ())] for one in missing]
        if all(len(one) == 1 for one in fits) and len({one[0] for one in fits}) == len(missing):
            found |= {one[0]: field for one, field in zip(fits, missing, strict=True)}
        elif (
            in_order
            and len(between) == len(missing)
            and all(number in one for number, one in zip(between, fits, strict=True))
        ):
            found |= dict(zip(between, missing, strict=True))
    return found


def contradicted(held: Held, lines: Sequence[Line], style: Style) -> list[int]:
    """Return the columns whose cells cannot be values of the field that their head names."""
    looks = looks_of(lines, len(held), style)
    return [
        number
        for number, (one, look) in enumerate(zip(held, looks, strict=True))
        if one is not None and look in _CANNOT_HOLD.get(one.kind, ())
    ]


def _gaps(
    fields: Sequence[Field], places: Sequence[int | None], columns: int
) -> Iterator[tuple[list[Field], int, int]]:
    """Yield the fields without a column that follow one another, and the columns before and after them."""
    missing: list[Field] = []
    before = -1
    for field, place in zip((*fields, None), (*places, columns), strict=True):
        if place is None and field is not None:
            missing.append(field)
        elif place is not None:
            if missing:
                yield missing, before, place
            missing, before = [], place
