"""Converts a provider's reply back to a value of the stored schema."""

from __future__ import annotations

import json

from docagent.domain.problem import Problem
from docagent.jsonschema.keywords import JsonObject
from docagent.jsonschema.limits import INSTANCE_LIMITS, size_within
from docagent.jsonschema.problems import Path
from docagent.jsonschema.profiles.model import Mark, Profiled, Shape
from docagent.jsonschema.profiles.shapes import ENTRY_KEY, ENTRY_VALUE
from docagent.jsonschema.profiles.transform import WRAPPED

_NO_MARK = Mark()


def from_profile(value: object, profiled: Profiled) -> object:
    """Return the value in the stored schema's form. A value that does not fit the sent schema stays as it is."""
    if isinstance(size_within(value, "value", INSTANCE_LIMITS), Problem):
        return value
    restored = _Way(profiled).back(value, profiled.schema, ())
    if profiled.wrapped and isinstance(restored, dict) and WRAPPED in restored:
        return restored[WRAPPED]
    return restored


class _Way:
    def __init__(self, profiled: Profiled) -> None:
        self._root = profiled.schema
        self._marks = profiled.marks

    def back(self, value: object, schema: JsonObject, path: Path) -> object:
        schema, path = self._follow(schema, path)
        branches = schema.get("anyOf")
        if isinstance(branches, list):
            for index, branch in enumerate(branches):
                if self._fits(value, branch):
                    return self.back(value, branch, (*path, "anyOf", index))
            return value
        mark = self._marks.get(path, _NO_MARK)
        if mark.shape is Shape.JSON_TEXT and isinstance(value, str):
            return _parsed(value)
        if isinstance(value, list):
            return self._list_back(value, schema, path, mark)
        if isinstance(value, dict):
            return self._object_back(value, schema, path, mark)
        return value

    def _list_back(self, value: list[object], schema: JsonObject, path: Path, mark: Mark) -> object:
        items = schema.get("items")
        if isinstance(items, dict):
            restored = [self.back(member, items, (*path, "items")) for member in value]
        else:
            places = schema.get("prefixItems")
            known = places if isinstance(places, list) else []
            restored = [
                self.back(member, known[index], (*path, "prefixItems", index))
                if index < len(known)
                else member
                for index, member in enumerate(value)
            ]
        if mark.shape is Shape.ENTRIES and all(_is_entry(entry) for entry in restored):
            return {entry[ENTRY_KEY]: entry[ENTRY_VALUE] for entry in restored if isinstance(entry, dict)}
        return restored

    def _object_back(self, value: JsonObject, schema: JsonObject, path: Path, mark: Mark) -> object:
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        free = schema.get("additionalProperties")
        restored: JsonObject = {}
        for name, member in value.items():
            absent = (member is None and name in mark.null_if_absent) or (
                member == "" and name in mark.empty_if_absent
            )
            if absent:
                continue
            if name in known:
                restored[name] = self.back(member, known[name], (*path, "properties", name))
            elif isinstance(free, dict):
                restored[name] = self.back(member, free, (*path, "additionalProperties"))
            else:
                restored[name] = member
        return restored

    def _follow(self, schema: JsonObject, path: Path) -> tuple[JsonObject, Path]:
        definitions = self._root.get("$defs")
        seen: set[str] = set()
        while isinstance(reference := schema.get("$ref"), str) and reference not in seen:
            seen.add(reference)
            if reference == "#":
                return self._root, ()
            name = reference.removeprefix("#/$defs/")
            if isinstance(definitions, dict) and name in definitions:
                schema, path = definitions[name], ("$defs", name)
        return schema, path

    def _fits(self, value: object, schema: JsonObject) -> bool:
        """Check roughly whether a value belongs to a branch, by type, constants and names of properties."""
        schema, _ = self._follow(schema, ())
        branches = schema.get("anyOf")
        if isinstance(branches, list):
            return any(self._fits(value, branch) for branch in branches)
        kinds = schema.get("type")
        if _kind(value) not in (kinds if isinstance(kinds, list) else [kinds]) and not (
            _kind(value) == "integer" and kinds in ("number", ["number", "null"])
        ):
            return False
        if ("const" in schema and schema["const"] != value) or value not in _allowed(schema, value):
            return False
        if isinstance(value, dict):
            properties = schema.get("properties")
            known = properties if isinstance(properties, dict) else {}
            required = schema.get("required")
            return set(required if isinstance(required, list) else ()) <= set(value) <= set(known) and all(
                "const" not in known[name] or known[name]["const"] == member for name, member in value.items()
            )
        return True


def _allowed(schema: JsonObject, value: object) -> list[object]:
    enum = schema.get("enum")
    return enum if isinstance(enum, list) else [value]


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "number"
    return {int: "integer", str: "string", list: "array"}.get(type(value), "object")


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and set(entry) == {ENTRY_KEY, ENTRY_VALUE}
        and isinstance(entry[ENTRY_KEY], str)
    )


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
