"""The list of tools: what the contract names, closed and described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docagent.domain.tools import Access, Tool
from docagent.jsonschema.validate import check_schema
from docagent.tools.base import ReadTool, WriteTool
from docagent.tools.registry import DOCUMENT_TOOLS, PROJECT_TOOLS, all_tools, every_tool, project_tools

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
PROJECT_READ_ONLY = {
    "list_project_documents", "read_project_document", "search_project", "list_project_versions", "list_documents",
    "get_ocr_text", "get_extraction_result",
}  # fmt: skip
PROJECT_READ_WRITE = {
    "create_project_document", "edit_project_document", "rewrite_project_document", "update_project_document",
    "delete_project_document", "restore_project_version",
}  # fmt: skip
PROJECT_REQUIRED = {
    "read_project_document": {"document"},
    "search_project": {"words"},
    "list_project_versions": {"document"},
    "create_project_document": {"name", "content"},
    "edit_project_document": {"document", "edits"},
    "rewrite_project_document": {"document", "content", "base_version"},
    "update_project_document": {"document"},
    "delete_project_document": {"document"},
    "restore_project_version": {"document", "version"},
    "get_ocr_text": {"document_id"},
    "get_extraction_result": {"document_id"},
}
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
TOOLS = pytest.mark.parametrize("tool", [*all_tools(), *project_tools()], ids=lambda tool: tool.name)


def test_the_tools_are_those_of_the_contract() -> None:
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_ONLY} == READ_ONLY
    assert {tool.name for tool in all_tools() if tool.access is Access.READ_WRITE} == READ_WRITE
    assert (len(READ_ONLY), len(READ_WRITE), len(all_tools())) == (14, 13, 27)


def test_a_project_has_tools_of_its_own_and_three_for_sources() -> None:
    assert {tool.name for tool in project_tools() if tool.access is Access.READ_ONLY} == PROJECT_READ_ONLY
    assert {tool.name for tool in project_tools() if tool.access is Access.READ_WRITE} == PROJECT_READ_WRITE
    assert len(every_tool()) == len(all_tools()) + len(project_tools()) - 3
    assert len({tool.name for tool in every_tool()}) == len(every_tool())


def test_every_write_can_be_undone_and_no_read_can() -> None:
    for tool in (*DOCUMENT_TOOLS, *PROJECT_TOOLS):
        assert issubclass(tool, WriteTool) == (tool.access is Access.READ_WRITE)
        assert issubclass(tool, ReadTool) == (tool.access is Access.READ_ONLY)


@TOOLS
def test_the_parameters_are_a_closed_schema_with_every_field_described(tool: Tool) -> None:
    parameters = tool.spec.parameters
    assert check_schema(parameters) == []
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    wanted = PROJECT_REQUIRED if tool in project_tools() else REQUIRED
    assert set(parameters.get("required", [])) == wanted.get(tool.name, set())
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
