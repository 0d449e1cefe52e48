"""The list of tools: what the contract names, closed and described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docagent.domain.turns.tools import Access, Tool
from docagent.jsonschema.validate import check_schema
from docagent.tools.base import ReadTool, WriteTool
from docagent.tools.registry import (
    DOCUMENT_TOOLS,
    EXTRACT,
    PROGRAM_TOOLS,
    PROJECT_TOOLS,
    UPLOAD,
    all_tools,
    every_tool,
    program_tools,
    project_tools,
)

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
"""What the contract with DocRouter names. There may be more."""

TOOLS = pytest.mark.parametrize(
    "tool", [*all_tools(), *project_tools(), *program_tools()], ids=lambda tool: tool.name
)


def test_the_tools_of_the_contract_are_there() -> None:
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_ONLY} >= READ_ONLY
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_WRITE} >= READ_WRITE


def test_every_name_is_listed_once() -> None:
    names = [tool.name for tool in every_tool()]
    assert len(names) == len(set(names))
    assert set(names) == {
        tool.name for tool in (*all_tools(), *project_tools(), *program_tools(), UPLOAD, EXTRACT)
    }
    for tools in (all_tools(), project_tools(), program_tools()):
        assert len({tool.name for tool in tools}) == len(tools)


def test_every_write_can_be_undone_and_no_read_can() -> None:
    for tool in (*DOCUMENT_TOOLS, *PROJECT_TOOLS, *PROGRAM_TOOLS):
        assert issubclass(tool, WriteTool) == (tool.access is Access.READ_WRITE)
        assert issubclass(tool, ReadTool) == (tool.access is Access.READ_ONLY)


@TOOLS
def test_the_parameters_are_a_closed_schema_with_every_field_described(tool: Tool) -> None:
    parameters = tool.spec.parameters
    assert check_schema(parameters) == []
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    assert set(parameters.get("required", [])) <= set(parameters["properties"])
    for name, member in described(parameters["properties"]):
        assert member.get("description"), f"{tool.name}.{name} has no description"


@TOOLS
def test_the_description_names_only_tools_that_exist(tool: Tool) -> None:
    words = set(
        tool.spec.description.replace(",", " ").replace(".", " ").replace(":", " ").replace(";", " ").split()
    )
    verbs = (
        *("get_", "list_", "create_", "update_", "delete_", "run_", "validate_", "help_"),
        *("read_project", "edit_", "rewrite_", "restore_", "search_"),
    )
    known = {other.name for other in (project_tools() if tool in project_tools() else all_tools())}
    assert {word for word in words if word.startswith(verbs)} <= known
    assert len(tool.spec.description) > 40


def described(properties: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in properties.items():
        yield name, member
        yield from described(member.get("properties", {}))
