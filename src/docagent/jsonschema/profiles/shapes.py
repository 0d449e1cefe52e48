"""Small operations on schemas that are already in a provider's form."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.jsonschema.keywords import JsonObject, as_list
from docagent.jsonschema.profiles.merge import canonical
from docagent.jsonschema.profiles.model import Mark, Shape
from docagent.jsonschema.profiles.rules import Rules

MARK = "\0mark"
"""The key under which a schema carries its Mark until the last step. No keyword looks like it."""

ENTRY_KEY = "key"
ENTRY_VALUE = "value"


def null_only(rules: Rules) -> JsonObject:
    return {"type": "null"} if rules.null_alone else {"type": ["string", "null"], "enum": [None]}


def any_scalar(rules: Rules) -> JsonObject:
    """Return the nearest thing to "any value" that needs no further description."""
    if not rules.unions:
        return {"type": ["string", "null"]}
    return {"anyOf": [{"type": ["string", "null"]}, {"type": "number"}, {"type": "boolean"}]}


def json_text(description: object) -> JsonObject:
    told = f"{description} " if isinstance(description, str) else ""
    return {"type": "string", "description": f"{told}[as JSON text]", MARK: Mark(shape=Shape.JSON_TEXT)}


def closed_object(properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def entries(value_schema: JsonObject) -> JsonObject:
    """Return a list of {key, value} in place of an object with free keys."""
    return {
        "type": "array",
        "items": closed_object({ENTRY_KEY: {"type": "string"}, ENTRY_VALUE: value_schema}),
        MARK: Mark(shape=Shape.ENTRIES),
    }


def is_nullable(schema: JsonObject) -> bool:
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        return any(is_nullable(branch) for branch in branches)
    kind = schema.get("type")
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def make_nullable(schema: JsonObject, rules: Rules) -> JsonObject:
    """Return the schema with null allowed as well."""
    if is_nullable(schema):
        return schema
    branches = schema.get("anyOf")
    if isinstance(branches, list):
        for index, branch in enumerate(branches):
            if "type" in branch:
                changed = [*branches[:index], make_nullable(branch, rules), *branches[index + 1 :]]
                return {**schema, "anyOf": changed}
        return {**schema, "anyOf": [*branches, null_only(rules)]}
    if "type" not in schema:
        return {"anyOf": [schema, null_only(rules)]}
    nullable = {**schema, "type": [schema["type"], "null"]}
    allowed = [nullable.pop("const")] if "const" in nullable else nullable.get("enum")
    if isinstance(allowed, list):
        nullable["enum"] = [*allowed, None]
    return nullable


def without_duplicates(schemas: Sequence[JsonObject]) -> list[JsonObject]:
    seen: dict[str, JsonObject] = {}
    for schema in schemas:
        seen.setdefault(canonical(schema), schema)
    return list(seen.values())


def narrow(schemas: Sequence[JsonObject]) -> JsonObject:
    """Return one schema in place of several, for providers without `anyOf`. It is wide enough for most of them."""
    nullable = any(is_nullable(schema) for schema in schemas)
    stripped = [_without_null(schema) for schema in schemas if schema.get("type") != "null"]
    if not stripped:
        return dict(schemas[0])
    one = _narrow_typed(without_duplicates(stripped))
    if not nullable:
        return one
    one = {**one, "type": [one["type"], "null"]}
    if isinstance(one.get("enum"), list):
        one["enum"] = [*as_list(one["enum"]), None]
    return one


def _narrow_typed(schemas: list[JsonObject]) -> JsonObject:
    if len(schemas) == 1:
        return schemas[0]
    kinds = {str(schema["type"]) for schema in schemas}
    if kinds == {"object"}:
        return _narrow_objects(schemas)
    if kinds == {"array"}:
        items = [items for schema in schemas if isinstance(items := schema.get("items"), dict)]
        return {"type": "array", "items": narrow(items)} if len(items) == len(schemas) else schemas[0]
    structured = [schema for schema in schemas if schema["type"] in ("object", "array")]
    if structured:
        return _narrow_typed([schema for schema in structured if schema["type"] == structured[0]["type"]])
    if kinds <= {"integer", "number"}:
        kind = "number" if "number" in kinds else "integer"
    else:
        kind = kinds.pop() if len(kinds) == 1 else "string"
    enums = [schema.get("enum") for schema in schemas]
    if len({str(schema["type"]) for schema in schemas}) == 1 and all(
        isinstance(enum, list) for enum in enums
    ):
        return {
            "type": kind,
            "enum": list(dict.fromkeys(value for enum in enums for value in as_list(enum))),
        }
    return {"type": kind}


def _narrow_objects(schemas: list[JsonObject]) -> JsonObject:
    """Return an object with the properties of all. Only those that every schema requires are required."""
    candidates: dict[str, list[JsonObject]] = {}
    for schema in schemas:
        properties = schema.get("properties")
        for name, member in properties.items() if isinstance(properties, dict) else ():
            candidates.setdefault(name, []).append(member)
    properties = {name: narrow(members) for name, members in candidates.items()}
    required = [name for name in properties if all(name in as_list(s.get("required")) for s in schemas)]
    merged: JsonObject = {"type": "object", "properties": properties, "propertyOrdering": list(properties)}
    if required:
        merged["required"] = required
    return merged


def _without_null(schema: JsonObject) -> JsonObject:
    kind = schema.get("type")
    if not isinstance(kind, list):
        return schema
    stripped = {**schema, "type": next(name for name in kind if name != "null")}
    if isinstance(stripped.get("enum"), list):
        stripped["enum"] = [value for value in as_list(stripped["enum"]) if value is not None]
        if not stripped["enum"]:
            del stripped["enum"]
    return stripped
