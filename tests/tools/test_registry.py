"""The list of tools: what the contract names, closed and described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docagent.domain.jsonschema.validate import check_schema
from docagent.domain.tools import Access, Tool
from docagent.tools.base import ReadTool, WriteTool
from docagent.tools.registry import DOCUMENT_TOOLS, all_tools

READ_ONLY = {
    "get_ocr_text", "get_extraction_result", "list_documents", "get_schema", "list_schemas", "validate_schema",
    "validate_against_schema", "get_prompt", "list_prompts", "list_llm_models", "get_tag", "list_tags",
    "help_schemas", "help_prompts",
}  # fmt: skip
READ_WRITE = {
    "run_extraction", "update_extraction_field", "update_document", "delete_document", "create_schema",
    "update_schema", "delete_schema", "create_prompt", "update_prompt", "delete_prompt", "create_tag",
    "update_tag", "delete_tag",
}  # fmt: skip
REQUIRED = {
    "update_extraction_field": {"path", "value"},
    "create_schema": {"name", "response_format"},
    "get_schema": {"schema_revid"},
    "update_schema": {"schema_id"},
    "delete_schema": {"schema_id"},
    "validate_schema": {"schema"},
    "validate_against_schema": {"schema_revid", "data"},
    "create_prompt": {"name", "content"},
    "get_prompt": {"prompt_revid"},
    "update_prompt": {"prompt_id"},
    "delete_prompt": {"prompt_id"},
    "create_tag": {"name"},
    "get_tag": {"tag_id"},
    "update_tag": {"tag_id"},
    "delete_tag": {"tag_id"},
}
TOOLS = pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)


def test_the_tools_are_those_of_the_contract() -> None:
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_ONLY} == READ_ONLY
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_WRITE} == READ_WRITE
    assert (len(READ_ONLY), len(READ_WRITE), len(all_tools())) == (14, 13, 27)


def test_every_write_can_be_undone_and_no_read_can() -> None:
    for tool in DOCUMENT_TOOLS:
        assert issubclass(tool, WriteTool) == (tool.access is Access.READ_WRITE)
        assert issubclass(tool, ReadTool) == (tool.access is Access.READ_ONLY)


@TOOLS
def test_the_parameters_are_a_closed_schema_with_every_field_described(tool: Tool) -> None:
    parameters = tool.spec.parameters
    assert check_schema(parameters) == []
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    assert set(parameters.get("required", [])) == REQUIRED.get(tool.name, set())
    assert set(parameters.get("required", [])) <= set(parameters["properties"])
    for name, member in described(parameters["properties"]):
        assert member.get("description"), f"{tool.name}.{name} has no description"


@TOOLS
def test_the_description_names_only_tools_that_exist(tool: Tool) -> None:
    words = set(
        tool.spec.description.replace(",", " ").replace(".", " ").replace(":", " ").replace(";", " ").split()
    )
    verbs = ("get_", "list_", "create_", "update_", "delete_", "run_", "validate_", "help_")
    assert {word for word in words if word.startswith(verbs)} <= READ_ONLY | READ_WRITE
    assert len(tool.spec.description) > 40


def described(properties: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in properties.items():
        yield name, member
        yield from described(member.get("properties", {}))
