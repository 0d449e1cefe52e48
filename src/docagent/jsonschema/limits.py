"""Checks a value before it goes to the validator: it must be plain JSON, not too deep and not too large."""

from __future__ import annotations

import math
from dataclasses import dataclass

from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem
from docagent.jsonschema.problems import Path

_LARGEST_INTEGER_BITS = 10_000
_LONGEST_PATH_SHOWN = 8
_BROKEN_TEXT = "A text holds half of a surrogate pair, which is not valid Unicode"


@dataclass(frozen=True, slots=True)
class Limits:
    """How deep and how large a value may be."""

    depth: int
    values: int
    characters: int


@dataclass(frozen=True, slots=True)
class Size:
    """How many values a value holds, itself included, and how many characters its texts and keys have."""

    values: int
    characters: int


SCHEMA_LIMITS = Limits(depth=100, values=50_000, characters=1_000_000)
INSTANCE_LIMITS = Limits(depth=100, values=1_000_000, characters=100_000_000)


def size_within(value: object, noun: str, limits: Limits) -> Size | Problem:
    """Return a value's size, or the first thing that makes it unfit for the validator. Does not recurse itself."""
    values = characters = 0
    waiting: list[tuple[object, Path]] = [(value, ())]
    while waiting:
        current, path = waiting.pop()
        values += 1
        if len(path) > limits.depth:
            above = FieldPath(path[:_LONGEST_PATH_SHOWN])
            return Problem(above, f"This {noun} is nested deeper than {limits.depth} levels")
        if isinstance(current, dict):
            if not all(isinstance(key, str) for key in current):
                return Problem(FieldPath(path), "A key that is not a string is not JSON")
            if not all(map(_is_unicode, current)):
                return Problem(FieldPath(path), _BROKEN_TEXT)
            characters += sum(map(len, current))
            waiting.extend((member, (*path, key)) for key, member in current.items())
        elif isinstance(current, list):
            waiting.extend((member, (*path, index)) for index, member in enumerate(current))
        elif (reason := _scalar_problem(current)) is not None:
            return Problem(FieldPath(path), reason)
        elif isinstance(current, str):
            characters += len(current)
        if values > limits.values or characters > limits.characters:
            return Problem(
                ROOT,
                f"This {noun} is too large: the limits are {limits.values} values "
                f"and {limits.characters} characters",
            )
    return Size(values, characters)


def _scalar_problem(value: object) -> str | None:
    if isinstance(value, str):
        return None if _is_unicode(value) else _BROKEN_TEXT
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        if value.bit_length() > _LARGEST_INTEGER_BITS:
            return f"An integer of {value.bit_length()} bits is too large"
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{value!r} is not a JSON number"
    return f"A value of type {type(value).__name__!r} is not JSON"


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
