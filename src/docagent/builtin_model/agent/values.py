"""Values of an extraction: which one is meant, and how to turn the user's words into its type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from docagent.builtin_model.agent.clauses import unquoted
from docagent.builtin_model.agent.names import Path, matching
from docagent.builtin_model.agent.typewords import snake, spoken
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import field_of
from docagent.builtin_model.meant import dates_in, numbers_in
from docagent.builtin_model.reading import is_true
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import types_of
from docagent.reading.printed import Style

_ORDINALS = {
    word: number
    for number, words in enumerate(
        ("first 1st erste ersten", "second 2nd zweite zweiten", "third 3rd dritte dritten", "fourth 4th", "fifth 5th",
         "sixth 6th", "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th"),
        1,
    )
    for word in words.split()
}  # fmt: skip
_LINE = r"(?:line items?|lines?|rows?|items?|positions?|pos|entry|entries|zeile|position)"
_NUMBERED = re.compile(rf"\b{_LINE}\s*(?:no\.?|number|nr\.?|#)?\s*(?P<number>\d+)\b'?s?", re.IGNORECASE)
_ORDINAL = re.compile(
    rf"\b(?P<ordinal>{'|'.join(_ORDINALS)}|last|letzte|letzten)\s+{_LINE}\b(?:'s)?", re.IGNORECASE
)
_AROUND = re.compile(
    r"^(?:the|of|in|on|for|from|at|der|in)\s+|(?<!\s)\s+(?:of|in|on|for|from|at|the)$", re.IGNORECASE
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_SWITCHED = {"on": True, "off": False}


def all_paths(data: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value and container of an extraction."""
    if path:
        yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from all_paths(value, (*path, str(key)))
    elif isinstance(data, list):
        for position, value in enumerate(data):
            yield from all_paths(value, (*path, str(position)))


def at(data: Any, path: Path) -> Any:
    """Return the value at a path, or None if there is none."""
    return FieldPath(path).get(data)


def find_values(data: Any, phrase: str) -> list[Path]:
    """Return the values that a phrase may mean, such as `line 2 quantity`. Raises GiveUp if there is no such line."""
    rest, row = _row_in(phrase)
    paths = list(all_paths(data))
    steps = tuple(re.findall(r"\w+", phrase)) if re.fullmatch(r"[\w.\[\]]+", phrase) else ()
    if steps in paths:
        return [steps]
    if row is None:
        return matching(phrase, paths)
    lists = {path: value for path in paths if isinstance(value := at(data, path), list)}
    lengths = {len(value) for value in lists.values()}
    number = row if row > 0 else max(lengths, default=0)
    inside = [path for path in paths if any(path[: len(one) + 1] == (*one, str(number - 1)) for one in lists)]
    if not inside:
        raise GiveUp(f"There is no line {number}; the extraction has {max(lengths, default=0)}.")
    if not rest:
        return [path for path in inside if path[:-1] in lists]
    return matching(rest, [path for path in inside if path[:-1] not in lists])


def _row_in(phrase: str) -> tuple[str, int | None]:
    """Return the phrase without its row, and the row's number from 1 (-1 for the last)."""
    for pattern in (_NUMBERED, _ORDINAL):
        match = pattern.search(phrase)
        if match is None:
            continue
        words = match.groupdict()
        ordinal = str(words.get("ordinal") or "").lower()
        number = int(words["number"]) if words.get("number") else _ORDINALS.get(ordinal, -1)
        rest = f"{phrase[: match.start()]} {phrase[match.end() :]}".strip(" ,:'")
        while (shorter := _AROUND.sub("", rest).strip()) != rest:
            rest = shorter
        return rest, number
    return phrase, None


def typed(words: str, name: str, present: Any, schema: Mapping[str, Any] | None) -> Any:
    """Return the user's words as a value of the field's type. Raises GiveUp if they do not fit."""
    text = unquoted(words)
    kind = _type(name, present, schema)
    if kind == "boolean":
        truth = _SWITCHED.get(text.lower(), is_true(text))
        if truth is None:
            raise GiveUp(f"`{name}` is yes or no; “{text}” is neither.")
        return truth
    if kind in ("number", "integer"):
        return _number(text, name, whole=kind == "integer")
    if kind == "array":
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind == "object":
        raise GiveUp(f"`{name}` is a group of fields; say which of them should change.")
    return _date(text, name, present) or text


def _type(name: str, present: Any, schema: Mapping[str, Any] | None) -> str:
    types = types_of(dict(schema)) if schema else frozenset()
    if len(types) == 1:
        return next(iter(types))
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    if type(present) in names:
        return names[type(present)]
    kind = field_of(name, {"type": "string"}).kind
    return "number" if kind in (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT) else "string"


def _number(text: str, name: str, *, whole: bool) -> int | float:
    bare = text.rstrip("%").strip()
    found = numbers_in(bare, Style(decimal_comma=bool(re.search(r",\d{1,2}$", bare))))
    if len(found) != 1 or sum(map(str.isalpha, bare)) > 3:
        raise GiveUp(f"`{name}` is a number; “{text}” is none.")
    value: Decimal = found[0].value
    if value == value.to_integral_value() and found[0].decimals == 0:
        return int(value)
    if whole:
        raise GiveUp(f"`{name}` is a whole number; “{text}” is none.")
    return float(value)


def _date(text: str, name: str, present: Any) -> str | None:
    """If the field is a date, return the date as YYYY-MM-DD."""
    is_date = isinstance(present, str) and _ISO.fullmatch(present)
    if not is_date and (present is not None or field_of(name, {"type": "string"}).kind is not Kind.DATE):
        return None
    found = dates_in(text, Style(day_first=True))
    return found[0].value.isoformat() if len(found) == 1 else None


def as_text(value: Any, name: str = "") -> str:
    """Write a value for people. Amounts of money get two decimals."""
    if value is None or value == "":
        return "empty"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        two = is_money(name) or not value.is_integer()
        return f"{value:.2f}" if two and round(value, 2) == value else f"{value:.10g}"
    if isinstance(value, dict):
        return ", ".join(
            f"{spoken(key)} {as_text(part, key)}" for key, part in value.items() if part not in (None, "")
        )
    if isinstance(value, list):
        return "; ".join(as_text(part) for part in value) or "empty"
    return " ".join(str(value).split())


def is_money(name: str) -> bool:
    kind = field_of(snake(name) or "value", {"type": "number"}).kind
    words = snake(name).split("_")
    return "rate" not in words and (kind is Kind.AMOUNT or words[-1] in ("price", "amount", "total"))
