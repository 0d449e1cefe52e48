"""Changes to a `response_format`. Each returns a new one and leaves the old one as it was."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent.names import ROW, Path, matching
from docagent.builtin_model.agent.typewords import closed, described, snake, spoken, type_of_name
from docagent.builtin_model.agent.wishes import NewField
from docagent.builtin_model.agent.work import GiveUp
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import resolved

Schema = dict[str, Any]

_DEEPEST = 8
_MENTIONS_LINES = re.compile(
    r"(?:each |every |the )*(?:line items?|lines?|rows?|items?|positions?|table)", re.IGNORECASE
)


def schema_of(response_format: Mapping[str, Any]) -> Schema:
    """Return the JSON Schema inside, not a copy of it."""
    inner = response_format.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else {}


def paths_of(schema: Schema) -> list[Path]:
    """Return every field of a schema. Containers come before the fields inside them."""
    return [path for path, _ in _walk(schema, schema, ())]


def containers_of(schema: Schema) -> list[Path]:
    return [path for path, node in _walk(schema, schema, ()) if _properties(node, schema) is not None]


def part_at(schema: Schema, path: Path) -> Schema:
    """Return the schema of the field at the path, without references; empty if there is none."""
    node: Schema = resolved(schema, schema)
    for step in path:
        below = (
            node.get("items") if step == ROW or step.isdigit() else (node.get("properties") or {}).get(step)
        )
        node = resolved(below, schema)
    return node


def with_fields(response_format: Mapping[str, Any], fields: Sequence[NewField], within: Path = ()) -> Schema:
    """Add new fields at the end of the schema, or of a container in it."""
    changed = copy.deepcopy(dict(response_format))
    holder = _holder(schema_of(changed), within)
    properties = holder.setdefault("properties", {})
    for field in fields:
        name = snake(field.name)
        if not name:
            raise GiveUp(f"“{field.name}” cannot be the name of a field.")
        if name in properties:
            raise GiveUp(f"There is a field `{name}` already.")
        properties[name] = described(field.name, field.type or type_of_name(field.name))
    return _tightened(changed, holder)


def without_field(response_format: Mapping[str, Any], path: Path) -> Schema:
    changed = copy.deepcopy(dict(response_format))
    holder = _holder(schema_of(changed), path[:-1])
    if len(holder.get("properties") or {}) <= 1:
        raise GiveUp(f"`{path[-1]}` is the only field there; a schema needs at least one.")
    holder["properties"].pop(path[-1], None)
    return _tightened(changed, holder)


def with_new_name(response_format: Mapping[str, Any], path: Path, new: str) -> Schema:
    """Rename a field in its place. A description that only repeats the name is renamed as well."""
    changed = copy.deepcopy(dict(response_format))
    holder = _holder(schema_of(changed), path[:-1])
    old, name = path[-1], snake(new)
    if not name:
        raise GiveUp(f"“{new}” cannot be the name of a field.")
    if name in holder["properties"] and name != old:
        raise GiveUp(f"There is a field `{name}` already.")
    part = holder["properties"][old]
    if isinstance(part, dict) and str(part.get("description", "")).lower() == spoken(old).lower():
        part["description"] = spoken(new)[:1].upper() + spoken(new)[1:]
    holder["properties"] = {name if key == old else key: value for key, value in holder["properties"].items()}
    return _tightened(changed, holder)


def with_type(response_format: Mapping[str, Any], path: Path, kind: Schema) -> Schema:
    changed = copy.deepcopy(dict(response_format))
    holder = _holder(schema_of(changed), path[:-1])
    before = holder["properties"][path[-1]]
    text = str(before.get("description") or "").removesuffix(", as YYYY-MM-DD") or path[-1]
    part = described(path[-1], kind)
    suffix = ", as YYYY-MM-DD" if kind.get("description") == "as YYYY-MM-DD" else ""
    if before.get("description"):
        part["description"] = text + suffix
    holder["properties"][path[-1]] = part
    return _tightened(changed, holder)


def response_format_of(name: str, fields: Sequence[NewField]) -> Schema:
    """Return a strict `response_format` with just these fields."""
    empty = {
        "type": "json_schema",
        "json_schema": {"name": snake(name) or "document", "schema": closed({}), "strict": True},
    }
    return with_fields(empty, fields)


def find_field(schema: Schema, phrase: str) -> Path:
    """Return the one field that is meant. Raises GiveUp with the candidates."""
    found = matching(phrase, paths_of(schema))
    if not found:
        known = ", ".join(f"`{shown(path)}`" for path in paths_of(schema)[:20])
        raise GiveUp(f"There is no field “{phrase}” in this schema. It has {known}.")
    if len(found) > 1:
        raise GiveUp("Which field do you mean?\n\n" + "\n".join(f"- {shown(path)}" for path in found))
    return found[0]


def find_container(schema: Schema, phrase: str) -> Path | None:
    """Return the list or group that a phrase names. The path of a list leads on into its rows."""
    holders = containers_of(schema)
    rows = [
        path
        for path in holders
        if part_at(schema, path).get("type") == "array" or "items" in part_at(schema, path)
    ]
    bare = re.sub(r"^(?:(?:the|each|every|all|this)\s+)+", "", phrase, flags=re.IGNORECASE)
    found = matching(bare, holders)
    if not found and _MENTIONS_LINES.fullmatch(phrase):
        found = rows
    if len(found) != 1:
        return None
    return (*found[0], ROW) if found[0] in rows else found[0]


def shown(path: Path) -> str:
    return FieldPath(part for part in path if part != ROW).dotted


def _walk(node: Schema, root: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    inner = resolved(node, root)
    if path and path[-1] != ROW:
        yield path, inner
    if len(path) > _DEEPEST:
        return
    for name, part in (inner.get("properties") or {}).items():
        yield from _walk(part, root, (*path, name))
    if isinstance(inner.get("items"), dict):
        yield from _walk(inner["items"], root, (*path, ROW))


def _properties(node: Schema, root: Schema) -> Schema | None:
    if isinstance(node.get("items"), dict):
        return resolved(node["items"], root).get("properties")
    return node.get("properties")


def _holder(schema: Schema, path: Path) -> Schema:
    """Return the node that holds the fields at the path, to be changed. Raises GiveUp at a reference."""
    node = schema
    for step in path:
        below = node.get("items") if step == ROW else (node.get("properties") or {}).get(step)
        if not isinstance(below, dict) or "$ref" in below:
            raise GiveUp("I cannot change fields behind a reference in this schema; edit it by hand.")
        node = below
    return node


def _tightened(response_format: Schema, holder: Schema) -> Schema:
    """Require every field of the holder and allow no others, as the strict rule demands."""
    holder["required"] = list(holder["properties"])
    holder["additionalProperties"] = False
    return response_format


def made_strict(response_format: Mapping[str, Any]) -> Schema:
    """Return a copy in which all objects are closed, all fields required, and the name suits every provider."""
    changed = copy.deepcopy(dict(response_format))
    changed["type"] = "json_schema"
    inner = changed.setdefault("json_schema", {})
    inner["name"] = re.sub(r"[^a-zA-Z0-9_-]+", "_", str(inner.get("name") or "document"))[:64] or "document"
    inner["strict"] = True
    _close(inner.get("schema"), 0)
    return changed


def _close(node: Any, depth: int) -> None:
    if not isinstance(node, dict) or depth > 4 * _DEEPEST:
        return
    properties = node.get("properties")
    if isinstance(properties, dict):
        node.setdefault("type", "object")
        node["required"] = list(properties)
        node["additionalProperties"] = False
    for value in node.values():
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            _close(part, depth + 1)
        _close(value, depth + 1)
