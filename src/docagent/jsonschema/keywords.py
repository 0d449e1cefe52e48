"""Where draft 7 keeps schemas inside schemas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from docagent.jsonschema.problems import Path

JsonObject = dict[str, object]

LIMITS_OF_TEXTS = ("pattern", "format", "minLength", "maxLength")
LIMITS_OF_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
LIMITS_OF_LISTS = ("minItems", "maxItems", "uniqueItems", "contains")
LIMITS_OF_OBJECTS = ("minProperties", "maxProperties", "propertyNames")


def as_list(value: object) -> list[object]:
    """Return the list, or an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_object(value: object) -> JsonObject:
    """Return the object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


class Applies(Enum):
    """Which part of the value a subschema applies to."""

    HERE = "here"
    MEMBER = "member"
    NOWHERE = "nowhere"
    """A definition, which applies only where something refers to it."""


@dataclass(frozen=True, slots=True)
class Subschema:
    """A schema inside a schema."""

    path: Path
    schema: object
    applies: Applies


_SINGLE_HERE = ("not", "if", "then", "else")
_LIST_HERE = ("allOf", "anyOf", "oneOf")
_ANY_MEMBER = ("additionalProperties", "additionalItems", "contains", "propertyNames")
_DEFINITIONS = ("definitions", "$defs")


def subschemas(schema: JsonObject) -> Iterator[Subschema]:
    """Yield all direct subschemas, in a fixed order. Beside `$ref`, draft 7 ignores everything but definitions."""
    if isinstance(schema.get("$ref"), str):
        yield from _definitions(schema)
        return
    for keyword in _SINGLE_HERE:
        if keyword in schema:
            yield Subschema((keyword,), schema[keyword], Applies.HERE)
    for keyword in _LIST_HERE:
        branches = schema.get(keyword)
        if isinstance(branches, list):
            for index, branch in enumerate(branches):
                yield Subschema((keyword, index), branch, Applies.HERE)
    for name, dependency in _named(schema, "dependencies"):
        if not isinstance(dependency, list):
            yield Subschema(("dependencies", name), dependency, Applies.HERE)
    yield from _members(schema)
    yield from _definitions(schema)


def _members(schema: JsonObject) -> Iterator[Subschema]:
    for name, member in _named(schema, "properties"):
        yield Subschema(("properties", name), member, Applies.MEMBER)
    for pattern, member in _named(schema, "patternProperties"):
        yield Subschema(("patternProperties", pattern), member, Applies.MEMBER)
    items = schema.get("items")
    if isinstance(items, list):
        for index, member in enumerate(items):
            yield Subschema(("items", index), member, Applies.MEMBER)
    elif items is not None:
        yield Subschema(("items",), items, Applies.MEMBER)
    for keyword in _ANY_MEMBER:
        if keyword in schema:
            yield Subschema((keyword,), schema[keyword], Applies.MEMBER)


def _definitions(schema: JsonObject) -> Iterator[Subschema]:
    for keyword in _DEFINITIONS:
        for name, definition in _named(schema, keyword):
            yield Subschema((keyword, name), definition, Applies.NOWHERE)


def _named(schema: JsonObject, keyword: str) -> Iterator[tuple[str, object]]:
    value = schema.get(keyword)
    if isinstance(value, dict):
        yield from value.items()
