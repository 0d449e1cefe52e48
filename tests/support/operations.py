"""Reads every operation of the API from its own description, and makes requests that fit.

Ids are put where the description names them: in the path, the query or the body. If a path parameter has no
known value, `request_for` raises KeyError, so a new route cannot be forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from docagent.domain.ids import new_id
from tests.support.made.documents import base64_of, pdf

DESCRIPTION = Path(__file__).parents[2] / "docs" / "openapi.json"
ORG_PREFIX = "/v0/orgs/{organization_id}"
IDS = frozenset(
    {
        "document_id",
        "tag_id",
        "schema_id",
        "schema_revid",
        "prompt_id",
        "prompt_revid",
        "form_id",
        "form_revid",
        "thread_id",
        "turn_id",
        "rule_id",
        "spread_id",
        "merge_id",
        "source_prompt_id",
        "run_id",
        "other_id",
        "job_id",
        "token_id",
        "webhook_id",
        "server_id",
        "tool_id",
        "delivery_id",
        "project_id",
        "living_document_id",
        "chat_id",
    }
)
OF_PROJECTS = {"thread_id": "project_thread_id", "turn_id": "project_turn_id"}
"""Names whose ids differ on a project's paths."""
OF_ACCURACY = {"run_id": "accuracy_run_id"}
"""Names whose ids differ on the paths of accuracy runs."""
EVERY_ID = IDS | set(OF_PROJECTS.values()) | set(OF_ACCURACY.values())
EITHER = ("document_id", "project_id")
"""A body that has both gets only one of them."""
LISTS_OF_IDS = {"tag_ids": "tag_id", "document_ids": "document_id", "data_sources": "document_id"}
RESPONSE_FORMAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"total": {"type": "string"}},
            "required": ["total"],
            "additionalProperties": False,
        },
    },
}
SMALL_PDF = pdf(["A page of nothing"])


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    parameters: list[dict[str, Any]]
    body: Mapping[str, Any] | None
    """The schema of the body, if there is one."""
    media_type: str | None

    @property
    def is_for_organizations(self) -> bool:
        return self.path.startswith(ORG_PREFIX) or self.is_for_own_organization

    @property
    def is_for_own_organization(self) -> bool:
        """Whether the credentials say which organisation is meant, and not the path."""
        return self.path.startswith("/api/") and not self.path.startswith("/api/auth/")

    def names_in(self, place: str) -> list[str]:
        return [parameter["name"] for parameter in self.parameters if parameter["in"] == place]


@dataclass(frozen=True)
class Slot:
    """A place in a request that takes the id of something."""

    place: str
    name: str
    of_project: bool = field(default=False, compare=False)
    of_living: bool = field(default=False, compare=False)
    """Whether a document is a living one here."""
    of_accuracy: bool = field(default=False, compare=False)

    @property
    def id_name(self) -> str:
        if self.of_living:
            return "living_document_id"
        if self.of_accuracy:
            return OF_ACCURACY[self.name]
        return OF_PROJECTS[self.name] if self.of_project else LISTS_OF_IDS.get(self.name, self.name)


@dataclass
class Request:
    method: str
    path: str
    params: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


@cache
def description() -> dict[str, Any]:
    """The API as docs/openapi.json tells it; tests/rules compare it with the code, which takes long to describe."""
    told: dict[str, Any] = json.loads(DESCRIPTION.read_text())
    return told


def operations() -> list[Operation]:
    """Return all operations. Deletions come last, and what depends on a thing is deleted before the thing."""
    found = []
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            media_type = next(iter(content), None)
            schema = content[media_type]["schema"] if media_type else None
            parameters = operation.get("parameters", [])
            found.append(
                Operation(operation["operationId"], method.upper(), path, parameters, schema, media_type)
            )
    return sorted(found, key=lambda operation: (operation.method == "DELETE", -len(operation.path)))


def org_operations() -> list[Operation]:
    return [operation for operation in operations() if operation.is_for_organizations]


def slots(operation: Operation) -> list[Slot]:
    """Return the places for ids, except the organisation's own id in the path."""
    named = [
        _slot(operation, place, name)
        for place in ("path", "query")
        for name in operation.names_in(place)
        if name in IDS or name in LISTS_OF_IDS
    ]
    body = {name for name in _property_names(operation.body) if name in IDS or name in LISTS_OF_IDS}
    return named + [_slot(operation, "body", name) for name in sorted(body)]


def _slot(operation: Operation, place: str, name: str) -> Slot:
    of_living = operation.is_for_own_organization and name == "document_id"
    of_project = name in OF_PROJECTS and "{project_id}" in operation.path
    of_accuracy = name in OF_ACCURACY and "/accuracy/" in operation.path
    return Slot(place, name, of_project, of_living, of_accuracy)


def request_for(
    operation: Operation,
    organization_id: str,
    ids: Mapping[str, str],
    instead: Mapping[Slot, str] | None = None,
) -> Request:
    """Make a sensible request with these ids, using other ids in some slots."""
    other = instead or {}
    values = dict(ids) | {"organization_id": organization_id, "provider": "openai", "sample": "invoice"}
    values |= {"token": "the secret of no invitation"}
    values |= {item["name"]: "1" for item in operation.parameters if item["schema"].get("type") == "integer"}

    def value(place: str, name: str) -> str:
        slot = _slot(operation, place, name)
        return other[slot] if slot in other else values[slot.id_name]

    path = operation.path
    for name in operation.names_in("path"):
        path = path.replace(f"{{{name}}}", value("path", name))
    request = Request(operation.method, path)
    for name in operation.names_in("query"):
        if name in IDS or name in LISTS_OF_IDS:
            request.params[name] = value("query", name)
    for parameter in operation.parameters:
        if parameter["in"] == "query" and parameter.get("required"):
            request.params.setdefault(parameter["name"], _query_sample(parameter))
    if operation.body is not None:
        body = _sample(operation.body, partial(value, "body"))
        if isinstance(body, dict) and set(EITHER) <= set(body):
            given = {slot.name for slot in other if slot.place == "body"} & set(EITHER) or {EITHER[0]}
            body = {name: item for name, item in body.items() if name not in EITHER or name in given}
        request.options = _as_options(operation, body)
    return request


def _query_sample(parameter: Mapping[str, Any]) -> Any:
    schema = _resolved(parameter["schema"])
    if "date" in parameter["name"] or schema.get("format") in ("date", "date-time"):
        return "2026-01-01T00:00:00Z" if schema.get("format") == "date-time" else "2026-01-01"
    if parameter["name"] == "column":
        return "total"
    return _sample(schema, None)


def _as_options(operation: Operation, body: Any) -> dict[str, Any]:
    if operation.media_type == "multipart/form-data":
        form = {name: item if isinstance(item, str) else json.dumps(item) for name, item in body.items()}
        del form["file"]
        return {"data": form, "files": {"file": ("file.pdf", SMALL_PDF)}}
    assert operation.media_type == "application/json", f"no way to make a body of {operation.media_type}"
    return {"json": body}


_BY_NAME: dict[str, Any] = {
    "content": base64_of(SMALL_PDF),
    "response_format": RESPONSE_FORMAT,
    "submission_data": {"total": "1"},
    "updated_llm_result": {"total": "1"},
    "path": "total",
    "box": [0, 0, 1, 1],
    "messages": [{"role": "user", "content": "Hello"}],
    "tool": "create_tag",
    "strategies": ["tools"],
    "default_strategy": "tools",
    "url": "https://hooks.invalid/",
    "file": "",
}


def _sample(schema: Mapping[str, Any], id_of: Any, name: str = "") -> Any:
    """Return the smallest value that fits: required fields, a name, and every slot for an id."""
    schema = _resolved(schema)
    if name in LISTS_OF_IDS:
        return [id_of(name)]
    if name in IDS:
        return id_of(name)
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name == "name":
        return f"{new_id()}.pdf"
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        properties = schema.get("properties", {})
        needed = {"name", *schema.get("required", ())}
        wanted = [key for key in properties if key in needed or _has_slot(key, properties)]
        return {key: _sample(properties[key], id_of, key) for key in wanted}
    if kind == "array":
        return [_sample(schema["items"], id_of)] if "items" in schema else []
    return {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "null": None}[kind]


def _has_slot(name: str, properties: Mapping[str, Any]) -> bool:
    own = name in IDS or name in LISTS_OF_IDS
    return own or any(inner in IDS or inner in LISTS_OF_IDS for inner in _property_names(properties[name]))


def _property_names(schema: Mapping[str, Any] | None) -> Iterator[str]:
    if schema is None:
        return
    schema = _resolved(schema)
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from _property_names(inner)
    if isinstance(schema.get("items"), dict):
        yield from _property_names(schema["items"])


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema with references followed, and the first of several choices."""
    while "$ref" in schema or "anyOf" in schema:
        if "$ref" in schema:
            schema = description()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        else:
            schema = schema["anyOf"][0]
    return schema
