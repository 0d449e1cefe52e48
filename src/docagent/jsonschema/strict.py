"""The strict rule for a `response_format`, which lets every provider enforce the schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem
from docagent.jsonschema.keywords import (
    LIMITS_OF_LISTS,
    LIMITS_OF_NUMBERS,
    LIMITS_OF_OBJECTS,
    LIMITS_OF_TEXTS,
    JsonObject,
    as_object,
    subschemas,
)
from docagent.jsonschema.problems import Path, show
from docagent.jsonschema.validate import check_schema

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SCHEMA_PATH: Path = ("json_schema", "schema")
_DRAFT_7 = re.compile(r"https?://json-schema\.org/draft-07/schema#?")
_MAY_BE_IGNORED = (
    "enum",
    *(*LIMITS_OF_TEXTS, *LIMITS_OF_NUMBERS, *LIMITS_OF_LISTS, *LIMITS_OF_OBJECTS),
    *("patternProperties", "additionalItems", "default"),
)
_MAY_BE_REFUSED = ("allOf", "oneOf", "not", "if", "then", "else", "dependencies")
_SAYS_WHAT_IT_IS = ("type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref")


@dataclass(slots=True)
class StrictReport:
    """Errors must be fixed. Warnings say where a provider may not do what the schema asks."""

    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def valid(self) -> bool:
        return not self.errors

    def error(self, path: Path, message: str) -> None:
        self.errors.append(Problem(FieldPath(path), message))

    def warning(self, path: Path, message: str) -> None:
        self.warnings.append(Problem(FieldPath(path), message))


def check_strict(response_format: object) -> StrictReport:
    """Check a whole response_format. Paths start at its root."""
    report = StrictReport()
    if not isinstance(response_format, dict):
        report.error((), "The response format must be an object with 'type' and 'json_schema'")
        return report
    if response_format.get("type") != "json_schema":
        report.error(("type",), "Set 'type' to 'json_schema'")
    inner = response_format.get("json_schema")
    if not isinstance(inner, dict):
        report.error(("json_schema",), "Add 'json_schema': an object with 'name', 'schema' and 'strict'")
        return report
    _check_envelope(inner, report)
    schema = inner.get("schema")
    if not isinstance(schema, dict):
        report.error(_SCHEMA_PATH, "Add 'schema': an object with 'type', 'properties' and 'required'")
        return report
    problems = check_schema(schema)
    for problem in problems:
        report.error((*_SCHEMA_PATH, *problem.path), problem.message)
    if not problems:
        _check_schema(schema, report)
    return report


def _check_envelope(inner: JsonObject, report: StrictReport) -> None:
    name = inner.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        said = "Add 'name'" if name is None else f"Change the name {show(name)}"
        report.error(("json_schema", "name"), f"{said}: 1 to 64 letters, digits, '_' or '-'")
    if inner.get("strict") is not True:
        report.error(("json_schema", "strict"), "Set 'strict' to true")


def _check_schema(schema: JsonObject, report: StrictReport) -> None:
    if schema.get("type") != "object":
        report.error((*_SCHEMA_PATH, "type"), "The root must be an object: set 'type' to 'object'")
    draft = schema.get("$schema")
    if isinstance(draft, str) and not _DRAFT_7.fullmatch(draft):
        report.warning(
            (*_SCHEMA_PATH, "$schema"), f"{show(draft)} is read as draft 7; newer keywords do nothing"
        )
    for path, node in _every_schema(schema):
        if path == _SCHEMA_PATH or _is_object(node):
            _check_object(node, path, report)
        _warn(node, path, report)


def _every_schema(schema: JsonObject) -> Iterator[tuple[Path, JsonObject]]:
    waiting: list[tuple[Path, JsonObject]] = [(_SCHEMA_PATH, schema)]
    while waiting:
        path, node = waiting.pop()
        yield path, node
        children = [
            ((*path, *child.path), child.schema)
            for child in subschemas(node)
            if isinstance(child.schema, dict)
        ]
        waiting.extend(reversed(children))


def _is_object(node: JsonObject) -> bool:
    kind = node.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind) or "properties" in node


def _check_object(node: JsonObject, path: Path, report: StrictReport) -> None:
    properties = node.get("properties")
    if not isinstance(properties, dict):
        report.error((*path, "properties"), "Add 'properties': an object needs to name its fields")
        properties = {}
    required = node.get("required")
    if not isinstance(required, list):
        report.error((*path, "required"), f"Add 'required' with every property: {show(list(properties))}")
    else:
        missing = [name for name in properties if name not in required]
        unknown = [name for name in required if name not in properties]
        if missing:
            report.error(
                (*path, "required"),
                f"Add {_names(missing)} to 'required'; if it may be absent, let its type include 'null'",
            )
        if unknown:
            report.error(
                (*path, "required"), f"Remove {_names(unknown)} from 'required' or add it to 'properties'"
            )
    if node.get("additionalProperties") is not False:
        report.error((*path, "additionalProperties"), "Set 'additionalProperties' to false")


def _is_described(node: JsonObject, keyword: str) -> bool:
    """Say whether the description, which every model reads, asks for the same as the keyword."""
    return keyword == "format" and node["format"] == "date" and "YYYY-MM-DD" in str(node.get("description"))


def _warn(node: JsonObject, path: Path, report: StrictReport) -> None:
    for keyword in _MAY_BE_IGNORED:
        if keyword in node and not _is_described(node, keyword):
            report.warning(
                (*path, keyword), f"A provider may ignore {keyword!r}; say the same in the description too"
            )
    for keyword in _MAY_BE_REFUSED:
        if keyword in node:
            report.warning(
                (*path, keyword),
                f"A provider may refuse {keyword!r}; it is sent in a simpler form or dropped",
            )
    kind = node.get("type")
    if (kind == "array" or (isinstance(kind, list) and "array" in kind)) and "items" not in node:
        report.warning((*path, "items"), "Add 'items': say what the array holds")
    for name, member in as_object(node.get("properties")).items():
        if not isinstance(member, dict) or "$ref" in member:
            continue
        here = (*path, "properties", name)
        if not any(keyword in member for keyword in _SAYS_WHAT_IT_IS):
            report.warning((*here, "type"), "Add 'type': without it a provider must guess")
        if not member.get("description"):
            report.warning((*here, "description"), "Add 'description': it tells the model what to look for")


def _names(names: list[object]) -> str:
    return ", ".join(show(name) for name in names)
