"""Reads what a person points at on a page, as the type that the field holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Schema, field_of
from docagent.builtin_model.page.reading import is_true
from docagent.builtin_model.values.choosing import Json, matching_choice
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource, mark_state
from docagent.jsonschema import types_of
from docagent.reading.printed import Style, find_dates, find_numbers, parse_date, parse_number

_ACROSS, _DOWN = 0.25, 0.15
"""The share of a word at each edge that a box may touch without meaning the word."""
_NEAR = 0.012
"""How far beside a word one may click, as a fraction of the page."""
_EDGES = " :;,|"
_NOT_READ = {
    "number": "“{}” is not a number.",
    "integer": "“{}” is not a whole number.",
    "date": "“{}” is not a date.",
    "boolean": "“{}” says neither yes nor no.",
    "choice": "“{}” is none of the choices.",
}


@dataclass(frozen=True, slots=True)
class Pointed:
    """A value as its field stores it, and the words that say it."""

    value: Json
    text: str
    words: tuple[Word, ...]
    remark: str | None = None
    """Why the value is only the text: it cannot be read as the field's type."""


def words_in(page: Page, box: Box) -> list[Line]:
    """Return the words that a box means, line by line; for a click, the one word there."""
    if box.width < _NEAR / 4 and box.height < _NEAR / 4:
        return _clicked(page, box)
    found = (
        tuple(
            word for word in line.words if word.source is not WordSource.HIDDEN and _is_meant(word.box, box)
        )
        for line in page.lines
    )
    return [Line(words) for words in found if words]


def read_pointed(
    words: Sequence[Word], name: str, schema: Schema, style: Style, *, stores_iso: bool
) -> Pointed:
    """Read words as the value of a field. `stores_iso` says that a text field holds dates as `2026-03-14`."""
    text = " ".join(word.text for word in words)
    kind = _kind_of(name, schema, stores_iso)
    value = _READ[kind](text, schema, style) if kind in _READ else None
    if value is not None:
        return Pointed(value, text, tuple(words))
    plain = text.strip(_EDGES)
    remark = _NOT_READ[kind].format(plain) if kind in _NOT_READ else None
    return Pointed(plain, text, tuple(words), remark)


def _clicked(page: Page, point: Box) -> list[Line]:
    across, down = (point.left + point.right) / 2, (point.top + point.bottom) / 2
    near = [
        (_distance(word.box, across, down), number, word)
        for number, word in enumerate(page.words)
        if word.source is not WordSource.HIDDEN
    ]
    away, _, word = min(near, default=(1.0, 0, None))
    return [Line((word,))] if word is not None and away <= _NEAR else []


def _distance(box: Box, across: float, down: float) -> float:
    return max(box.left - across, across - box.right, 0.0) + max(box.top - down, down - box.bottom, 0.0)


def _is_meant(word: Box, box: Box) -> bool:
    across, down = _ACROSS * word.width, _DOWN * word.height
    return (
        box.left < word.right - across
        and box.right > word.left + across
        and box.top < word.bottom - down
        and box.bottom > word.top + down
    )


def _kind_of(name: str, schema: Schema, stores_iso: bool) -> str:
    types = types_of(schema)
    if schema.get("enum"):
        return "choice"
    for type_ in ("integer", "number", "boolean"):
        if type_ in types and (type_ != "integer" or "number" not in types):
            return type_
    if str(schema.get("format", "")) in ("date", "date-time"):
        return "date"
    return "text date" if stores_iso and field_of(name, schema).kind is Kind.DATE else "text"


def _number(text: str, _: Schema, style: Style) -> Json:
    found = parse_number(text, style)
    among = [found] if found else find_numbers(text, style)
    return float(among[0].value) if len(among) == 1 else None


def _integer(text: str, schema: Schema, style: Style) -> Json:
    value = _number(text, schema, style)
    return int(value) if isinstance(value, float) and value.is_integer() else None


def _date(text: str, _: Schema, style: Style) -> Json:
    whole = parse_date(text.strip(_EDGES))
    among = [whole[0].in_style(style)] if whole else find_dates(text, style)
    day = among[0].day if len(among) == 1 else None
    return day.isoformat() if day else None


def _flag(text: str, _: Schema, __: Style) -> Json:
    marks = [state for word in text.split() if (state := mark_state(word)) is not None]
    return marks[0] if len(marks) == 1 else is_true(text)


def _choice(text: str, schema: Schema, style: Style) -> Json:
    choices = schema["enum"]
    found = matching_choice(text, choices)
    number = _number(text, schema, style) if found is None else None
    return found if number is None else next((one for one in choices if one == number), None)


_READ: dict[str, Callable[[str, Schema, Style], Json]] = {
    "number": _number,
    "integer": _integer,
    "date": _date,
    "text date": _date,
    "boolean": _flag,
    "choice": _choice,
}
