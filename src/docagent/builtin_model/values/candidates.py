"""Finds values where a label points: after it, to its right, or below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.labels import Label, find_labels
from docagent.builtin_model.page.reading import Scalar, Value, read_values
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.words import any_of

_INLINE, _RIGHT, _BELOW = 1.0, 0.97, 0.88
_NUMERIC = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
_WORDY = frozenset({Kind.NAME, Kind.TEXT, Kind.ADDRESS})
_FIGURES = _NUMERIC | {Kind.DATE}
_PARTY_KEYS = frozenset({"supplier", "buyer"})
"""Fields whose labels head a section of several lines."""
_TOTAL_KEYS = frozenset({"total", "due_payable"})
_CARRIERS = frozenset({"name", "number", "date", "amount"})
"""Words that may be the second piece of a label printed in two: `Advertiser`, then `Name:`."""
_ROWS_BELOW = 2
_FARTHEST_BELOW = 2.6
"""In line heights, from the bottom of the label to the top of the value."""
_FARTHEST_COLUMN_STEP = 4.0
_NEAR, _FAR = 8, 20
_PAGE_STEP = 0.02
_OWN_SIDE, _OTHER_SIDE = 2.0, 0.3
"""Factors for a single date that stands for one end of a span."""
_PROSE = 0.35
_SIDES = frozenset({"from", "to", "date", "period"})
_SHORT_CODE = 2
_MARKS = frozenset(":=-#\u2013")
_ROUNDED = 0.2
_ITEM_WORDS = frozenset({"quantity", "price", "description", "item", "position"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value and the evidence for it."""

    value: Scalar
    text: str
    score: float
    segment: Segment
    label: Label | None = None


def find_candidates(sheet: Sheet, field: Field) -> list[Candidate]:
    """Return the values that the labels of a field point at, best first."""
    found = []
    for label in find_labels(sheet, field):
        if label.strength < 0.2 or (label.meanings == {field.side} and not _is_side_alone(label)):
            continue
        if field.key == "bank" and _has_words(label.rest) and not _is_marked(label):
            continue
        for segment, value, place in _values_at(sheet, field, label):
            fit = value.fit * _side_fit(field, label, value)
            score = label.strength * place * fit * (1 - _PAGE_STEP * min(segment.page, 5))
            found.append(Candidate(value.value, value.text, score, segment, label))
    if field.key in _TOTAL_KEYS:
        found = _after_rounding(sheet, found)
    late = field.kind is Kind.AMOUNT
    found.sort(key=lambda one: (-round(one.score, 3), -one.segment.row if late else one.segment.row))
    return found


def _is_side_alone(label: Label) -> bool:
    """Return whether a line begins with nothing but `from` or `to`: `Invoice from` is the date of an invoice."""
    inside = {atom.meaning for atom in label.segment.atoms if atom.start < label.end}
    return label.start == 0 and inside <= _SIDES


def _is_marked(label: Label) -> bool:
    """Return whether a colon parts the label from its value."""
    return label.segment.text[label.end - 1] in ":=" or label.rest.lstrip()[:1] in (":", "=")


def _side_fit(field: Field, label: Label, value: Value) -> float:
    """Return how well a single date fits the end of a span that its label names, as in `Flight start`."""
    if field.side is None or value.fit == 1.0:
        return 1.0
    named = {atom.meaning for atom in label.segment.atoms if label.start <= atom.start < label.end}
    other = "to" if field.side == "from" else "from"
    return _OWN_SIDE if field.side in named else _OTHER_SIDE if other in named else 1.0


def _after_rounding(sheet: Sheet, found: list[Candidate]) -> list[Candidate]:
    """Prefer amounts below the rounding, as the amount to pay stands there."""
    rounding = [
        segment.row for segment in sheet.segments if any_of("papers", "rounding").search(segment.text)
    ]
    return [
        replace(one, score=one.score + _ROUNDED) if any(one.segment.row > row for row in rounding) else one
        for one in found
    ]


def _values_at(sheet: Sheet, field: Field, label: Label) -> Iterator[tuple[Segment, Value, float]]:
    if field.kind in _NUMERIC:
        yield from _numbers_at(sheet, field, label)
    elif _has_words(label.rest):
        value = _first(sheet, field, label.rest)
        if value is not None:
            yield label.segment, value, _INLINE * _likelihood(field, label, label.rest, value)
    else:
        beside = _to_the_right(sheet, field, label)
        if beside is not None:
            yield beside
        if field.key not in _PARTY_KEYS:
            yield from _underneath(sheet, field, label, beside=beside is not None)


def _to_the_right(sheet: Sheet, field: Field, label: Label) -> tuple[Segment, Value, float] | None:
    right = next((one for one in sheet.after(label.segment) if not one.meanings <= _CARRIERS), None)
    value = _first(sheet, field, right.text) if right is not None else None
    if right is None or value is None:
        return None
    far = field.kind in _WORDY and right.left - label.segment.right > _FAR * sheet.height
    return right, value, _RIGHT * _likelihood(field, label, right.text, value) * (0.6 if far else 1.0)


def _underneath(
    sheet: Sheet, field: Field, label: Label, *, beside: bool
) -> Iterator[tuple[Segment, Value, float]]:
    for below, place in _below(sheet, label):
        value = _first(sheet, field, below.text)
        stacked = field.kind in _WORDY and _is_stacked_label(sheet, label.segment, below)
        if value is not None and not stacked:
            yield (
                below,
                value,
                place * _likelihood(field, label, below.text, value) * (0.7 if beside else 1.0),
            )
            return


def _first(sheet: Sheet, field: Field, text: str) -> Value | None:
    return next(read_values(field.kind, text, sheet.style, field.side), None)


def _likelihood(field: Field, label: Label, text: str, value: Value) -> float:
    """Return a lower factor for a value some words after its label, or one that continues the label's sentence."""
    nearness = 1.0 if value.start <= 12 else 0.85 if value.start <= 40 else 0.5
    in_sentence = field.kind in _WORDY and _reads_on(label, text)
    is_part = text is not label.rest and _is_part_of_line(field, text, value)
    return nearness * (_PROSE if in_sentence or is_part else 1.0)


def _is_part_of_line(field: Field, text: str, value: Value) -> bool:
    """Return whether a code is only a number of another line: of a house, a time, or the line itself."""
    return field.kind is Kind.CODE and value.text != text.strip() and len(value.text) <= _SHORT_CODE


def _reads_on(label: Label, text: str) -> bool:
    """Return whether label and text are one sentence: no mark between them, and the text in lower case."""
    between = label.rest.lstrip()[:1]
    marked = label.segment.text[label.end - 1] in ":=" or (between != "" and between in _MARKS)
    inside = text is label.rest and label.start > 0
    return not marked and (text.split()[0].islower() or inside)


def _is_stacked_label(sheet: Sheet, label: Segment, below: Segment) -> bool:
    """Return whether this is a column of labels: the lower one has a value beside it, the upper one has none."""
    is_answered = [
        any(right.left - one.right < _NEAR * sheet.height for right in sheet.after(one)[:1])
        for one in (label, below)
    ]
    return is_answered == [False, True] and abs(below.left - label.left) < sheet.height


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _below(sheet: Sheet, label: Label) -> Iterator[tuple[Segment, float]]:
    """Yield what stands under a label, nearest first."""
    segment = label.segment
    left = segment.left_at(label.start)
    for step, row in enumerate(sheet.rows_below(segment, _ROWS_BELOW)):
        if row[0].top - segment.bottom > _FARTHEST_BELOW * sheet.height:
            return
        under = [
            one
            for one in row
            if one.left < segment.right and one.right > left - sheet.height and not one.text.endswith(":")
        ]
        if under:
            below = min(under, key=lambda one: abs(one.left - left))
            yield below, _BELOW - 0.12 * step


def _numbers_at(sheet: Sheet, field: Field, label: Label) -> Iterator[tuple[Segment, Value, float]]:
    segment = label.segment
    in_row: list[tuple[Segment, Value]] = [
        (segment, value) for value in read_values(field.kind, label.rest, sheet.style)
    ]
    for right in sheet.after(segment):
        if (
            any(atom.meaning.isalpha() and len(atom.meaning) > 3 for atom in right.atoms)
            and not right.amounts
        ):
            break
        in_row += [(right, value) for value in read_values(field.kind, right.text, sheet.style)]
    if in_row:
        where, value = _chosen_in_row(field, in_row)
        yield where, value, _RIGHT * (1.0 if len(in_row) == 1 else 0.93)
        return
    if not _has_words(label.rest):
        yield from _down_the_column(sheet, field, label)


def _chosen_in_row(field: Field, in_row: list[tuple[Segment, Value]]) -> tuple[Segment, Value]:
    """Choose among several amounts in a row: the largest for a total, the last for net or tax, else the first."""
    money = [pair for pair in in_row if pair[1].fit == 1.0] or in_row
    if len(money) == 1:
        return money[0]
    if field.key in _TOTAL_KEYS:
        return max(money, key=lambda pair: pair[1].value)
    return money[-1] if field.key in ("tax", "net", "line_sum") else money[0]


def _down_the_column(sheet: Sheet, field: Field, label: Label) -> Iterator[tuple[Segment, Value, float]]:
    """Yield the amount under a heading. Of several, it is the one in the row of totals or the sum of those above."""
    segment = label.segment
    left, right = segment.left_at(label.start), segment.right
    column: list[tuple[Segment, Value]] = []
    bottom = segment.bottom
    is_total = False
    for row in sheet.rows_below(segment, 40):
        if row[0].top - bottom > _FARTHEST_COLUMN_STEP * sheet.height:
            break
        under = [
            one
            for one in row
            if one.left < right + sheet.height and one.right > left - sheet.height and one.amounts
        ]
        value = next(read_values(field.kind, under[0].text, sheet.style), None) if under else None
        if value is None:
            continue
        column.append((under[0], value))
        bottom = under[0].bottom
        is_total = "total" in row[0].meanings
        if is_total:
            break
    if not column:
        return
    where, value = column[-1]
    above = [one.value for _, one in column[:-1]]
    sums_up = len(above) > 1 and sum(above) == value.value  # type: ignore[arg-type]
    if is_total or sums_up or (len(column) == 1 and not _heads_items(sheet, segment)):
        yield where, value, _BELOW


def _heads_items(sheet: Sheet, segment: Segment) -> bool:
    """Return whether the label heads a column in a table of items."""
    rows = sheet.rows[max(segment.row - 1, 0) : segment.row + 1]
    return any(one.meanings & _ITEM_WORDS for row in rows for one in row if one is not segment)
