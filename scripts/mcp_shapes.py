"""Writes the schemas of the MCP tools from the description of the API: `make openapi`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from docagent.api.app import openapi_document
from docagent.api.fields import MAX_INTEGER
from docagent.api.mcp.arguments import camel
from docagent.api.mcp.contract import WITH_SHAPES, ContractTool

SHAPES = Path(__file__).parent.parent / "src/docagent/api/mcp/shapes.json"
BELOW = "/v0/orgs/{organization_id}"
_COMPONENTS = "#/components/schemas/"
_DEFINITIONS = "#/$defs/"
_NOT_NEEDED = ("title", "examples")
WORDS = {
    "document_id": "The document, by its id.",
    "document_name": "Another name for it.",
    "documents": "The files to upload.",
    "name": "Its name.",
    "content": "Its text.",
    "description": "What it is for.",
    "color": "A colour such as #3B82F6.",
    "metadata": "Keys and values of your own. They replace those that are there.",
    "tag_ids": "Tags, by their ids.",
    "tag_id": "The tag, by its id.",
    "tag": "The tag's fields.",
    "form": "The form's fields.",
    "form_id": "The form, by its id.",
    "form_revid": "One version of the form, by its id.",
    "json_formio": "The form's components.",
    "json_formio_mapping": "Which fields of a result fill which components.",
    "submission_data": "What is filled in, by the components' keys.",
    "submitted_by": "Who filled it in.",
    "prompt": "The prompt's fields.",
    "prompt_id": "The prompt, by its id.",
    "prompt_revid": "One version of the prompt, by its id.",
    "fallback": "Take the result of an older version where this one has none.",
    "prompt_revid_fallback": "Accept any version's id for the prompt.",
    "schema": "The schema.",
    "json_schema": "The named schema.",
    "strict": "Always true.",
    "type": "Of a response format, json_schema.",
    "schema_id": "The schema, by its id.",
    "schema_version": "The version of the schema; the newest when left out.",
    "schema_revid": "One version of the schema, by its id.",
    "response_format": "The whole response format: type, and json_schema with name, strict and schema.",
    "model": "The model; the organisation's default when left out.",
    "messages": "The conversation so far.",
    "role": "system, user or assistant.",
    "max_tokens": "The longest reply.",
    "temperature": "How much replies vary.",
    "limit": "How many to return.",
    "skip": "How many to pass over.",
    "name_search": "Only names that contain this.",
    "include_content": "Whether to return the file as well.",
    "chat_only": "Only models for the agent.",
    "exclude_embeddings": "Without models for embeddings.",
    "force": "Run it again although there is a result.",
    "is_verified": "Whether a person checked it.",
    "updated_llm_result": "The whole result, as the person wants it.",
}
"""What arguments mean of which the description of the API says nothing, by their names in the API."""


def mcp_shapes(document: Mapping[str, Any]) -> bytes:
    shapes = {tool.name: _shapes(tool, document) for tool in WITH_SHAPES}
    return orjson.dumps(shapes, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"


def _shapes(tool: ContractTool, document: Mapping[str, Any]) -> dict[str, Any]:
    operation = document["paths"][BELOW + tool.path][tool.method]
    components = document["components"]["schemas"]
    answer = operation["responses"]["200"].get("content", {}).get("application/json", {}).get("schema")
    if tool.wraps is not None:
        inner = answer or ({"type": "string"} if tool.wraps == "text" else {})
        answer = {"type": "object", "properties": {tool.wraps: inner}, "required": [tool.wraps]}
    return {
        "input": _described(_complete(_input(tool, operation, components), components)),
        "output": _short(_complete(answer or {"type": "object"}, components)),
    }


def _input(tool: ContractTool, operation: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        if parameter["in"] == "header" or name == "organization_id" or name in tool.left_out:
            continue
        shown = camel(tool.renamed.get(name, name))
        about = parameter.get("description", WORDS.get(name))
        properties[shown] = {**parameter["schema"], **({"description": about} if about else {})}
        if parameter.get("required"):
            required.append(shown)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        fields, needed = _body(tool, body, components)
        properties |= fields
        required += needed
    made: dict[str, Any] = {"type": "object", "properties": properties}
    return {**made, "required": required} if required else made


def _body(
    tool: ContractTool, body: Mapping[str, Any], components: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    if "$ref" not in body:
        return {"data": {"type": "object", "description": "The data to check."}}, ["data"]
    model = components[body["$ref"].removeprefix(_COMPONENTS)]
    fields = {
        tool.renamed.get(name, name): {"description": WORDS.get(name), **value}
        for name, value in model["properties"].items()
        if name not in tool.left_out
    }
    changes = tool.method == "put" and tool.name != "update_llm_result"
    needed = [] if changes else [tool.renamed.get(name, name) for name in model.get("required", ())]
    if tool.inside is None:
        return fields, needed
    inner: dict[str, Any] = {
        "type": "object",
        "description": WORDS[tool.inside],
        "properties": fields,
    }
    return {tool.inside: {**inner, "required": needed} if needed else inner}, [tool.inside]


def _short(schema: Any) -> Any:
    """The schema of an answer as models need it: its descriptions are in the manual, and null is one more type."""
    if isinstance(schema, list):
        return [_short(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        key: _short(item) for key, item in schema.items() if key != "description" or not isinstance(item, str)
    }
    match made.get("anyOf"):
        case [{"type": str(kind)} as one, {"type": "null"}]:
            del made["anyOf"]
            made |= one | {"type": [kind, "null"]}
    return made


def _described(schema: Any) -> Any:
    """The schema of arguments with a description of each, without null: who leaves an argument out means the same."""
    if isinstance(schema, list):
        return [_described(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = [item for item in schema.get("anyOf", ()) if item != {"type": "null"}]
    if len(inner) == 1:
        schema = {**{key: item for key, item in schema.items() if key != "anyOf"}, **inner[0]}
    made = {key: _described(item) for key, item in schema.items() if (key, item) != ("description", None)}
    if isinstance(made.get("properties"), dict):
        made["properties"] = {
            name: {**({"description": WORDS[name]} if name in WORDS else {}), **value}
            for name, value in made["properties"].items()
        }
    if made.get("maximum") == MAX_INTEGER:
        del made["maximum"]
    return made


def _complete(schema: Any, components: Mapping[str, Any]) -> Any:
    """The schema with the definitions that it names, and without what no reader needs."""
    definitions: dict[str, Any] = {}
    made = _with_definitions(schema, components, definitions)
    if "$ref" in made:
        made = definitions.pop(made["$ref"].removeprefix(_DEFINITIONS))
    return {**made, "$defs": definitions} if definitions else made


def _with_definitions(value: Any, components: Mapping[str, Any], definitions: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_with_definitions(item, components, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        name = value["$ref"].removeprefix(_COMPONENTS)
        if name not in definitions:
            definitions[name] = {}
            definitions[name] = _with_definitions(components[name], components, definitions)
        return {"$ref": _DEFINITIONS + name}
    return {
        key: _with_definitions(item, components, definitions)
        for key, item in value.items()
        if key not in _NOT_NEEDED or not isinstance(item, str | list)
    }


def main() -> None:
    SHAPES.write_bytes(mcp_shapes(openapi_document()))


if __name__ == "__main__":
    main()
