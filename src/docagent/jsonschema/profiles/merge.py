"""Merges two schemas that both apply into one: this is what `allOf` means, for providers that do not know it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

from docagent.jsonschema.keywords import JsonObject

_MOST_COMBINATIONS = 16
_TAKE_LARGER = frozenset(
    {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "uniqueItems"}
)
_TAKE_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
_TAKE_FIRST_SILENTLY = frozenset(
    {"title", "default", "examples", "$comment", "$id", "$schema", "definitions", "$defs"}
)


class Contradiction(Exception):
    """No value fits both schemas."""


def same(first: object, second: object) -> bool:
    """Compare as JSON does: true is not 1."""
    return canonical(first) == canonical(second)


def canonical(value: object) -> str:
    """Return a text that is the same for all values that are equal as JSON."""
    return json.dumps(_plain_numbers(value), sort_keys=True, default=repr)


def _plain_numbers(value: object) -> object:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain_numbers(member) for member in value]
    if isinstance(value, dict):
        return {key: _plain_numbers(member) for key, member in value.items()}
    return value


def merge(first: JsonObject, second: JsonObject, lost: Callable[[str], None]) -> JsonObject:
    """Merge two schemas. `lost` is called with each keyword of the second that could not be kept."""
    merged = dict(first)
    for keyword, value in second.items():
        if keyword not in merged:
            merged[keyword] = value
        elif not same(merged[keyword], value):
            merged[keyword] = _merge_keyword(keyword, merged[keyword], value, lost)
    return merged


def _merge_keyword(keyword: str, first: object, second: object, lost: Callable[[str], None]) -> object:
    if keyword == "const":
        raise Contradiction
    merger = _MERGERS.get(keyword)
    if merger is not None:
        combined = merger(first, second)
        if combined is not None:
            return combined
    elif keyword in _TAKE_LARGER or keyword in _TAKE_SMALLER:
        return _tighter(keyword in _TAKE_LARGER, first, second)
    if keyword not in _TAKE_FIRST_SILENTLY:
        lost(keyword)
    return first


def _tighter(larger: bool, first: object, second: object) -> object:
    if isinstance(first, int | float) and isinstance(second, int | float):
        return max(first, second) if larger else min(first, second)
    return first


def _types(first: object, second: object) -> object:
    wanted = second if isinstance(second, list) else [second]
    kept: list[object] = []
    for name in first if isinstance(first, list) else [first]:
        if name in wanted:
            kept.append(name)
        elif (name == "number" and "integer" in wanted) or (name == "integer" and "number" in wanted):
            kept.append("integer")
    if not kept:
        raise Contradiction
    return kept[0] if len(kept) == 1 else kept


def _enums(first: object, second: object) -> object | None:
    if not isinstance(first, list) or not isinstance(second, list):
        return None
    kept = [value for value in first if any(same(value, other) for other in second)]
    if not kept:
        raise Contradiction
    return kept


def _both(first: object, second: object) -> object | None:
    """Combine two schemas for the same member."""
    if isinstance(first, list) or isinstance(second, list):
        return None
    if first is False or second is False:
        return False
    return {"allOf": [first, second]}


def _properties(first: object, second: object) -> object | None:
    if not isinstance(first, dict) or not isinstance(second, dict):
        return None
    merged = dict(first)
    for name, schema in second.items():
        merged[name] = _both(merged[name], schema) if name in merged else schema
    return merged


def _joined_lists(first: object, second: object) -> object | None:
    if not isinstance(first, list) or not isinstance(second, list):
        return None
    return [*first, *(value for value in second if not any(same(value, other) for other in first))]


def _combinations(first: object, second: object) -> object | None:
    if not isinstance(first, list) or not isinstance(second, list):
        return None
    if len(first) * len(second) > _MOST_COMBINATIONS:
        return None
    return [{"allOf": list(pair)} for pair in product(first, second)]


def _joined_texts(first: object, second: object) -> object | None:
    return f"{first} {second}" if isinstance(first, str) and isinstance(second, str) else None


_MERGERS: dict[str, Callable[[object, object], object | None]] = {
    "type": _types,
    "enum": _enums,
    "properties": _properties,
    "patternProperties": _properties,
    "required": _joined_lists,
    "items": _both,
    "additionalProperties": _both,
    "additionalItems": _both,
    "propertyNames": _both,
    "allOf": lambda first, second: (
        [*first, *second] if isinstance(first, list) and isinstance(second, list) else None
    ),
    "anyOf": _combinations,
    "oneOf": _combinations,
    "description": _joined_texts,
}
