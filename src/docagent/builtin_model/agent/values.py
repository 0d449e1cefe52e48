"""Values of an extraction: which one is meant, and how to turn the user's words into its type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from docagent.builtin_model.agent.fields import is_money, spoken
from docagent.builtin_model.agent.known import Path, matching
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.page.meant import dates_in, numbers_in
from docagent.builtin_model.page.reading import is_true
from docagent.reading.printed import Style

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


def find_values(data: Any, phrase: str) -> list[Path]:
    """Return the values that a phrase may mean: a path such as `items.0.price`, or a name."""
    paths = list(all_paths(data))
    steps = tuple(re.findall(r"\w+", phrase)) if re.fullmatch(r"[\w.\[\]]+", phrase) else ()
    return [steps] if steps in paths else matching(phrase, paths)


def typed(words: str, name: str, present: Any) -> Any:
    """Return the user's words as a value of the field's type. Raises GiveUp if they do not fit."""
    text = words.strip()
    kind = _type(name, present)
    if kind == "boolean":
        truth = _SWITCHED.get(text.lower(), is_true(text))
        if truth is None:
            raise GiveUp(f"`{name}` is yes or no; “{text}” is neither.")
        return truth
    if kind == "number":
        return _number(text, name)
    if kind == "array":
        return [part.strip() for part in text.split(",") if part.strip()]
    if kind == "object":
        raise GiveUp(f"`{name}` is a group of fields; say which of them should change.")
    return _date(text, name, present) or text


def _type(name: str, present: Any) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    if type(present) in names:
        return names[type(present)]
    kind = field_of(name, {"type": "string"}).kind
    return "number" if kind in (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT) else "string"


def _number(text: str, name: str) -> int | float:
    bare = text.rstrip("%").strip()
    found = numbers_in(bare, Style(decimal_comma=bool(re.search(r",\d{1,2}$", bare))))
    if len(found) != 1 or sum(map(str.isalpha, bare)) > 3:
        raise GiveUp(f"`{name}` is a number; “{text}” is none.")
    value: Decimal = found[0].value
    if value == value.to_integral_value() and found[0].decimals == 0:
        return int(value)
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
