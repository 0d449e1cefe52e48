"""Schemas as a reader of values wants them: without references, combinations and null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Schema = dict[str, Any]

_DEEPEST_REFERENCE = 8


def resolved(schema: Any, root: Schema, depth: int = 0) -> Schema:
    """Return the schema with references followed, and without null as an alternative."""
    if not isinstance(schema, dict):
        return {}
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/") and depth < _DEEPEST_REFERENCE:
        target: Any = root
        for part in reference[2:].split("/"):
            target = (
                target.get(part.replace("~1", "/").replace("~0", "~"), {}) if isinstance(target, dict) else {}
            )
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return resolved({**target, **rest} if isinstance(target, dict) else rest, root, depth + 1)
    if depth < _DEEPEST_REFERENCE:
        for word in ("anyOf", "oneOf"):
            choices = [
                one for one in schema.get(word, []) if isinstance(one, dict) and one.get("type") != "null"
            ]
            if choices:
                rest = {key: value for key, value in schema.items() if key != word}
                return resolved({**resolved(choices[0], root, depth + 1), **rest}, root, depth + 1)
        if isinstance(schema.get("allOf"), list):
            return _together(schema, root, depth)
    return schema


def _together(schema: Schema, root: Schema, depth: int) -> Schema:
    """Merge a schema with the parts of its `allOf`."""
    merged: Schema = {}
    properties: Schema = {}
    rest = {key: value for key, value in schema.items() if key != "allOf"}
    for part in [*schema["allOf"], rest]:
        inner = resolved(part, root, depth + 1)
        properties |= inner.get("properties") or {}
        merged |= inner
    return {**merged, "properties": properties} if properties else merged


def field_schema(root: Schema, path: Sequence[str | int]) -> Schema:
    """Return the schema of the field at a path; nothing is known of a field that the schema does not have."""
    part = resolved(root, root)
    for step in path:
        below: Any = part.get("items") if isinstance(step, int) else (part.get("properties") or {}).get(step)
        part = resolved(below, root)
    return part


def types_of(schema: Schema) -> frozenset[str]:
    """Return the types that a schema allows, except null."""
    named = schema.get("type")
    types = [named] if isinstance(named, str) else list(named or [])
    if not types:
        types = ["object"] if "properties" in schema else ["array"] if "items" in schema else ["string"]
    return frozenset(str(name) for name in types if name != "null")
