"""Changes to the fields of a `response_format`. Each returns a new one and leaves the old one as it was."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent.names import matching
from docagent.builtin_model.agent.types import NewField, Schema, described, snake, spoken, type_of_name
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.proposals.usual import closed


def schema_of(response_format: Mapping[str, Any]) -> Schema:
    """Return the JSON Schema inside, not a copy of it."""
    inner = response_format.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else {}


def response_format_of(name: str, fields: Sequence[NewField]) -> Schema:
    """Return a strict `response_format` with just these fields."""
    inner = {"name": snake(name) or "document", "schema": closed({}), "strict": True}
    return with_fields({"type": "json_schema", "json_schema": inner}, fields)


def with_fields(response_format: Mapping[str, Any], fields: Sequence[NewField]) -> Schema:
    changed, properties = _copied(response_format)
    for field in fields:
        name = _free_name(field.name, properties)
        properties[name] = described(field.name, field.type or type_of_name(field.name))
    return _with(changed, properties)


def without_field(response_format: Mapping[str, Any], name: str) -> Schema:
    changed, properties = _copied(response_format)
    if len(properties) <= 1:
        raise GiveUp(f"`{name}` is the only field there; a schema needs at least one.")
    del properties[name]
    return _with(changed, properties)


def with_new_name(response_format: Mapping[str, Any], old: str, new: str) -> Schema:
    """Rename a field in its place. A description that only repeats the name is renamed as well."""
    changed, properties = _copied(response_format)
    name = _free_name(new, [one for one in properties if one != old])
    part = properties[old]
    if isinstance(part, dict) and str(part.get("description", "")).lower() == spoken(old).lower():
        part["description"] = spoken(new)[:1].upper() + spoken(new)[1:]
    return _with(changed, {name if key == old else key: value for key, value in properties.items()})


def find_field(response_format: Mapping[str, Any], phrase: str) -> str:
    """Return the name of the field that is meant. Raises GiveUp if there is not one."""
    names = list(schema_of(response_format).get("properties") or {})
    found = matching(phrase, [(name,) for name in names])
    if len(found) != 1:
        known = ", ".join(f"`{name}`" for name in names[:20])
        raise GiveUp(f"There is no field “{phrase}” in this schema. It has {known}.")
    return found[0][0]


def _copied(response_format: Mapping[str, Any]) -> tuple[Schema, Schema]:
    changed = copy.deepcopy(dict(response_format))
    return changed, dict(schema_of(changed).get("properties") or {})


def _free_name(said: str, taken: Any) -> str:
    name = snake(said)
    if not name:
        raise GiveUp(f"“{said}” cannot be the name of a field.")
    if name in taken:
        raise GiveUp(f"There is a field `{name}` already.")
    return name


def _with(response_format: Schema, properties: Schema) -> Schema:
    """Require every field and allow no others, as the strict rule demands."""
    schema_of(response_format).update(closed(properties))
    return response_format
