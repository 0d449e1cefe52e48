"""Writes the schemas of the MCP tools from the description of the API: `make openapi`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from docagent.api.app import openapi_document
from docagent.api.mcp.arguments import camel
from docagent.api.mcp.contract import WITH_SHAPES, ContractTool

SHAPES = Path(__file__).parent.parent / "src/docagent/api/mcp/shapes.json"
BELOW = "/v0/orgs/{organization_id}"
_COMPONENTS = "#/components/schemas/"
_DEFINITIONS = "#/$defs/"
_NOT_NEEDED = ("title", "examples")


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
        "input": _complete(_input(tool, operation, components), components),
        "output": _complete(answer or {"type": "object"}, components),
    }


def _input(tool: ContractTool, operation: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in operation.get("parameters", ()):
        name = parameter["name"]
        if parameter["in"] == "header" or name == "organization_id" or name in tool.left_out:
            continue
        shown = camel(tool.renamed.get(name, name))
        about = {"description": parameter["description"]} if "description" in parameter else {}
        properties[shown] = {**parameter["schema"], **about}
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
        tool.renamed.get(name, name): value
        for name, value in model["properties"].items()
        if name not in tool.left_out
    }
    changes = tool.method == "put" and tool.does != "update_llm_result"
    needed = [] if changes else [tool.renamed.get(name, name) for name in model.get("required", ())]
    if tool.inside is None:
        return fields, needed
    inner: dict[str, Any] = {"type": "object", "properties": fields}
    return {tool.inside: {**inner, "required": needed} if needed else inner}, [tool.inside]


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
