"""Finds values where a label points: after it, to its right, or below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.labels import Label, find_labels
from docagent.builtin_model.page.meant import dates_in
from docagent.builtin_model.page.reading import NUMBERED, Scalar, Value, is_label, is_sentence, read_values
from docagent.builtin_model.page.shapes import IBAN, has_hard_legal_form
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.reading.printed import currency_in
from docagent.words import any_of

_INLINE, _RIGHT, _BELOW = 1.0, 0.97, 0.88
_NUMERIC = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
_WORDY = frozenset({Kind.NAME, Kind.TEXT, Kind.ADDRESS})
_FIGURES = _NUMERIC | {Kind.DATE}
_PARTY_KEYS = frozenset({"supplier", "buyer"})
"""Fields whose labels head a section of several lines."""
_PERSON_KEYS = frozenset({"contact", "signer", "first_name", "last_name"})
_TOTAL_KEYS = frozenset({"total", "due_payable"})
_CARRIERS = frozenset({"name", "number", "date", "amount"})
"""Words that may be the second piece of a label printed in two: `Advertiser`, then `Name:`."""
_ROWS_BELOW = 2
_FARTHEST_BELOW = 2.6
"""In line heights, from the bottom of the label to the top of the value."""
_FARTHEST_COLUMN_STEP = 4.0
_NEAR, _FAR = 8, 20
_BESIDE = 3
"""In characters, from a label to its value."""
_PAGE_STEP = 0.02
_OWN_SIDE, _OTHER_SIDE = 2.0, 0.3
"""Factors for a single date that stands for one end of a span."""
_PROSE = 0.35
_SIDES = frozenset({"from", "to", "date", "period"})
_SHORT_CODE = 2
_MARKS = frozenset(":=-#\u2013")
_BOX = re.compile(r"(?:\[[xX ]?\]|[\u2610-\u2612])\s*$")
_BOX_FIRST = re.compile(r"[\[(][xX ]?[\])]|[\u2610-\u2612\u25cb\u25cf]")
_ROUNDED = 0.2
_IN_SENTENCE = 0.4
_GROUPS = re.compile(r"[A-Z0-9]{1,4}(?: [A-Z0-9]{1,4})*")
_BOOKED = frozenset({"total_debits", "total_credits"})
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
        if field.kind in _WORDY and not _is_marked(label) and _is_entry(sheet.rows[label.segment.row]):
            continue
        for segment, value, place in _values_at(sheet, field, label):
            if field.kind in _FIGURES and _is_offer(segment):
                continue
            if is_of_another_sort(field, value.text) or _is_no_words(field, label, segment, value, sheet):
                continue
            fit = value.fit * _side_fit(field, label, value)
            score = label.strength * place * fit * (1 - _PAGE_STEP * min(segment.page, 5))
            found.append(Candidate(value.value, value.text, score, segment, label))
    if field.key in _TOTAL_KEYS:
        found = _after_rounding(sheet, found)
    late = field.kind is Kind.AMOUNT
    found.sort(key=lambda one: (-round(one.score, 3), -one.segment.row if late else one.segment.row))
    return found


def is_of_another_sort(field: Field, text: str) -> bool:
    """Return whether a firm stands where a person is meant, a bank account where the customer's number is, or nothing
    but money where terms are."""
    if field.key == "customer_number" and "account" not in field.meanings:
        return IBAN.fullmatch(text) is not None
    if field.key in _PERSON_KEYS:
        return has_hard_legal_form(text)
    if field.key != "payment_terms" or currency_in(text) is None:
        return False
    letters = "".join(filter(str.isalpha, text))
    return not letters or currency_in(letters) is not None


def _is_no_words(field: Field, label: Label, segment: Segment, value: Value, sheet: Sheet) -> bool:
    """Return whether a day stands where a name is meant, or the next numbered box where words are meant."""
    if field.kind not in _WORDY:
        return False
    days = dates_in(value.text, sheet.style) if field.kind is Kind.NAME else ()
    is_day = any(day.start == 0 and day.end == len(value.text) for day in days)
    numbered = segment is not label.segment and NUMBERED.match(label.segment.text)
    return is_day or bool(numbered and NUMBERED.match(segment.text))


def _is_offer(segment: Segment) -> bool:
    """Return whether a line says what may be taken off by who pays early: `2 % discount if paid by 25 May: 98.00`."""
    return "discount" in segment.meanings and "%" in segment.text and bool(segment.dates)


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
    box = _box_before(sheet, label) if field.kind is Kind.BOOLEAN else None
    if field.kind in _NUMERIC:
        yield from _numbers_at(sheet, field, label)
    elif box is not None:
        yield label.segment, Value(box, box, 1.0), _INLINE
    elif _has_words(label.rest):
        rest = _with_next_groups(sheet, field, label.segment, label.rest)
        value = _first(sheet, field, rest)
        if value is not None:
            yield label.segment, value, _INLINE * _likelihood(field, label, label.rest, value)
    else:
        beside = _to_the_right(sheet, field, label)
        if beside is not None:
            yield beside
        if field.key not in _PARTY_KEYS and not (beside is None and _is_answered(sheet, label)):
            yield from _underneath(sheet, field, label, beside=beside is not None)


def _is_answered(sheet: Sheet, label: Label) -> bool:
    """Return whether an amount or a day stands right beside a label with a colon."""
    right = next(iter(sheet.after(label.segment)), None)
    if right is None or right.left - label.segment.right > _NEAR * sheet.height:
        return False
    return label.segment.text.endswith(":") and bool(right.amounts or right.dates)


def _to_the_right(sheet: Sheet, field: Field, label: Label) -> tuple[Segment, Value, float] | None:
    right = next((one for one in sheet.after(label.segment) if not one.meanings <= _CARRIERS), None)
    if right is None or _names_another(right, field):
        return None
    value = _first(sheet, field, _with_next_groups(sheet, field, right, right.text))
    if value is None:
        return None
    far = field.kind in _WORDY and right.left - label.segment.right > _FAR * sheet.height
    return right, value, _RIGHT * _likelihood(field, label, right.text, value) * (0.6 if far else 1.0)


def _underneath(
    sheet: Sheet, field: Field, label: Label, *, beside: bool
) -> Iterator[tuple[Segment, Value, float]]:
    for below, text, place in _below(sheet, label):
        if NUMBERED.match(label.segment.text) and NUMBERED.match(below.text):
            return
        value = _first(sheet, field, _with_next_groups(sheet, field, below, text))
        stacked = field.kind in _WORDY and (
            _is_stacked_label(sheet, label.segment, below) or is_of_boxes(sheet, below)
        )
        if value is not None and not stacked and not _names_another(below, field):
            yield below, value, place * _likelihood(field, label, text, value) * (0.7 if beside else 1.0)
            return


def _with_next_groups(sheet: Sheet, field: Field, segment: Segment, text: str) -> str:
    """Return the text with the groups of an account number that stand apart from it, or on the next line."""
    if field.kind is not Kind.IBAN or next(read_values(Kind.IBAN, text, sheet.style), None) is not None:
        return text
    for right in sheet.after(segment):
        if not _GROUPS.fullmatch(right.text):
            break
        text += f" {right.text}"
    below = [one for row in sheet.rows_below(segment, 1) for one in row if one.stands_over(segment)]
    wrapped = next((one.text for one in below if _GROUPS.fullmatch(one.text)), "")
    return f"{text} {wrapped}".rstrip()


def _first(sheet: Sheet, field: Field, text: str) -> Value | None:
    return next(read_values(field.kind, text, sheet.style, field.side), None)


def _likelihood(field: Field, label: Label, text: str, value: Value) -> float:
    """Return a lower factor for a value some words after its label, or one that continues the label's sentence."""
    nearness = 1.0 if value.start <= 12 else 0.85 if value.start <= 40 else 0.5
    in_sentence = _reads_on(label, text) and (
        field.kind in _WORDY or _is_code_in_sentence(field, label, value)
    )
    is_part = text is not label.rest and _is_part_of_line(field, label, text, value)
    return nearness * (_PROSE if in_sentence or is_part or _is_code_for_words(field, value) else 1.0)


def _is_part_of_line(field: Field, label: Label, text: str, value: Value) -> bool:
    """Return whether a code is only a number of another line: of a house, a time, or the line itself."""
    if field.kind is not Kind.CODE or value.text == text.strip():
        return False
    return _is_code_in_sentence(field, label, value) or len(value.text) <= _SHORT_CODE


def _is_code_for_words(field: Field, value: Value) -> bool:
    """Return whether a single word with digits stands where a line of words is meant."""
    return field.key == "subject" and " " not in value.text and any(map(str.isdigit, value.text))


def _is_code_in_sentence(field: Field, label: Label, value: Value) -> bool:
    """Return whether a code stands some words behind a word such as `order` that need not be its label."""
    return field.kind is Kind.CODE and "number" not in label.meanings and value.start > _BESIDE


def _reads_on(label: Label, text: str) -> bool:
    """Return whether label and text are one sentence: no mark between them, and the text in lower case."""
    between = label.rest.lstrip()[:1]
    marked = label.segment.text[label.end - 1] in ":=" or (between != "" and between in _MARKS)
    inside = text is label.rest and label.start > 0
    return not marked and (text.split()[0].islower() or inside)


def _box_before(sheet: Sheet, label: Label) -> str | None:
    """Return the mark in a box to the left of a label, as in forms."""
    before = label.segment.text[: label.start]
    if not before and label.segment.place:
        before = sheet.rows[label.segment.row][label.segment.place - 1].text
    match = _BOX.search(before)
    return match[0] if match else None


def _is_stacked_label(sheet: Sheet, label: Segment, below: Segment) -> bool:
    """Return whether this is a column of labels: the lower one has a value beside it, the upper one has none."""
    return (
        not _near_right(sheet, label)
        and _near_right(sheet, below)
        and abs(below.left - label.left) < sheet.height
    )


def is_of_boxes(sheet: Sheet, segment: Segment) -> bool:
    """Return whether boxes to tick follow: a label then, whatever it says."""
    return any(_BOX_FIRST.match(one.text) for one in sheet.after(segment)[:1])


def _near_right(sheet: Sheet, segment: Segment) -> bool:
    return any(one.left - segment.right < _NEAR * sheet.height for one in sheet.after(segment)[:1])


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _names_another(segment: Segment, field: Field) -> bool:
    return field.kind in _WORDY and is_label(segment.text)


def _below(sheet: Sheet, label: Label) -> Iterator[tuple[Segment, str, float]]:
    """Yield what stands under a label, nearest first, cut so that it begins under the label."""
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
            yield below, _from_column(below, left, sheet.height), _BELOW - 0.12 * step


def _from_column(segment: Segment, left: float, height: float) -> str:
    """Return the text from the word under `left` on, if the segment begins far to the left of it."""
    if segment.left >= left - 2 * height:
        return segment.text
    starts = [
        start for start, place in zip(segment.starts, segment.lefts, strict=True) if place >= left - height
    ]
    return segment.text[starts[0] :] if starts else segment.text


def _numbers_at(sheet: Sheet, field: Field, label: Label) -> Iterator[tuple[Segment, Value, float]]:
    segment = label.segment
    near = [sheet.rows[segment.row], *sheet.rows_below(segment, 1)]
    if field.key in _BOOKED and any(map(_is_booking, near)) and not label.meanings & {"total"}:
        return
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
        crowd = 1.0 if len(in_row) == 1 else 0.93
        crowd *= _IN_SENTENCE if where is segment and _is_inside_sentence(label, value) else 1.0
        yield where, value, _RIGHT * crowd
        return
    if not _has_words(label.rest):
        yield from _down_the_column(sheet, field, label)


def _is_inside_sentence(label: Label, value: Value) -> bool:
    """Return whether the word of a label is only one of a sentence: it neither begins one nor ends in a colon.

    If the words before it seem to belong to the label, the sentence must go on behind the value.
    """
    text = label.segment.text
    if _is_marked(label) or not is_sentence(text):
        return False
    if label.start > 0:
        return True
    first = next(atom.meaning for atom in label.segment.atoms)
    begins_otherwise = text[0].islower() or first not in label.meanings
    return begins_otherwise and is_sentence(label.rest[value.start + len(value.text) :])


def _is_booking(row: list[Segment]) -> bool:
    """Return whether a row begins with a day: `Direct debit` is then what was booked on it, and no sum."""
    return any(day.start == 0 for day in row[0].dates)


def _is_entry(row: list[Segment]) -> bool:
    """Return whether a row is one of an account: a day, what was booked, and an amount."""
    return len(row) > 2 and _is_booking(row) and bool(row[-1].amounts)


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
        if not under or _answers_another(sheet, under[0]):
            continue
        value = next(read_values(field.kind, under[0].text, sheet.style), None)
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


def _answers_another(sheet: Sheet, segment: Segment) -> bool:
    """Return whether the segment stands behind a label with a colon, which is no word for a total."""
    before = sheet.rows[segment.row][segment.place - 1] if segment.place else None
    return before is not None and before.text.endswith(":") and "total" not in before.meanings


def _heads_items(sheet: Sheet, segment: Segment) -> bool:
    """Return whether the label heads a column in a table of items."""
    rows = sheet.rows[max(segment.row - 1, 0) : segment.row + 1]
    return any(one.meanings & _ITEM_WORDS for row in rows for one in row if one is not segment)
