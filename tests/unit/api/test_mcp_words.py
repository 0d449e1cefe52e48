"""What MCP calls are made of: names of arguments, checks of forms, differences as lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docagent.api.mcp.arguments import camel, for_the_api, json_argument, read_arguments, snake
from docagent.api.mcp.asking import difference
from docagent.api.mcp.catalogue import all_tools
from docagent.api.mcp.contract import SETS, UPLOAD, WITH_SHAPES, WRITES, named_by
from docagent.api.mcp.form_check import check_form
from docagent.api.mcp.local_files import names_files, with_contents
from docagent.domain.errors import InvalidInput
from docagent.domain.turns.tools import BadCall
from docagent.tools.registry import every_tool
from tests.support.tables import table

UPDATE_TAG = next(tool for tool in WRITES if tool.name == "update_tag")
UPDATE_RESULT = next(tool for tool in WRITES if tool.name == "update_llm_result")


@table(
    ("written", "name"),
    [
        ("promptRevId", "prompt_revid"),
        ("tagIds", "tag_ids"),
        ("prompt_revid", "prompt_revid"),
        ("limit", "limit"),
    ],
)
def test_names_in_both_spellings(written: str, name: str) -> None:
    assert snake(written) == name
    assert snake(camel(name)) == name


def test_only_names_change_and_not_what_people_wrote() -> None:
    assert read_arguments({"submissionData": {"myField": {"innerOne": 1}}}) == {
        "submission_data": {"myField": {"innerOne": 1}}
    }
    assert read_arguments(None) == {}


def test_what_the_contract_puts_inside_may_stand_beside() -> None:
    inside = for_the_api(UPDATE_TAG, {"tagId": "1", "tag": {"name": "x", "color": None}})
    assert inside == for_the_api(UPDATE_TAG, {"tag_id": "1", "name": "x"}) == {"tag_id": "1", "name": "x"}
    renamed = for_the_api(UPDATE_RESULT, {"documentId": "1", "promptId": "2", "result": {"aB": 1}})
    assert renamed == {"document_id": "1", "prompt_revid": "2", "updated_llm_result": {"aB": 1}}
    with pytest.raises(BadCall, match="update_tag needs tagId"):
        for_the_api(UPDATE_TAG, {"tag": {"name": "x"}})


def test_json_may_come_as_text() -> None:
    assert json_argument('{"a": 1}', "form") == json_argument({"a": 1}, "form") == {"a": 1}
    with pytest.raises(BadCall, match="form is not valid JSON"):
        json_argument("{", "form")


def test_every_write_of_the_contract_is_a_tool_of_the_agent() -> None:
    known = {tool.name for tool in every_tool()}
    assert {tool.does or tool.name for tool in WRITES} <= known
    assert UPLOAD.name in known
    assert len({tool.name for tool in WITH_SHAPES}) == len(WITH_SHAPES)


def test_every_argument_of_every_tool_is_described() -> None:
    tools = all_tools(web_search=True, read_only=False)
    silent = [f"{tool.name}: {place}" for tool in tools for place in _undescribed(tool.input_schema)]
    assert silent == []


def _undescribed(schema: Any, place: str = "") -> Iterator[str]:
    for name, value in schema.get("properties", {}).items():
        if not value.get("description"):
            yield f"{place}{name}"
        yield from _undescribed(value, f"{place}{name}.")
        yield from _undescribed(value.get("items", {}), f"{place}{name}[].")
    for name, value in schema.get("$defs", {}).items():
        yield from _undescribed(value, f"{name}.")


@table("name", [*SETS])
def test_a_set_of_tools_is_short_enough_for_a_model(name: str) -> None:
    """All of them had 79 kB, which a model reads before each answer."""
    chosen = SETS[name]
    shown = [tool for tool in all_tools(web_search=True, read_only=False) if tool.name in chosen]
    assert {tool.name for tool in shown} == chosen
    written = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in shown]
    assert sum(map(len, written)) < 20_000


def test_sets_are_named_with_commas() -> None:
    assert named_by("review, agent") == SETS["review"] | SETS["agent"]
    assert named_by("agent,all") is None
    assert named_by(None, ("review",)) == named_by("", ("review",)) == SETS["review"]
    with pytest.raises(InvalidInput, match="There is no set of tools 'agnt'"):
        named_by("agnt")


def test_what_is_wrong_with_a_form() -> None:
    field = {"type": "textfield", "key": "a", "label": "A"}
    panel = {
        "type": "panel",
        "components": [field, {"type": "columns", "columns": [{"components": [field]}]}],
    }
    assert check_form({"json_formio": [field], "json_formio_mapping": {"a": {}}}) == {
        "valid": True,
        "errors": [],
        "warnings": [],
    }
    twice = check_form({"response_format": {"json_formio": [panel]}})
    place = "json_formio[0].components[1].columns[0].components[0]"
    assert twice["errors"] == [f"{place}: the key a is there twice."]
    unknown = check_form({"json_formio": [], "json_formio_mapping": {"b": {}}})
    assert unknown["warnings"] == ["json_formio_mapping.b: no component has this key."]
    wrong: Any
    for wrong in (None, [], {}, {"json_formio": {}}, {"json_formio": ["x"]}, {"json_formio": [{"key": "a"}]}):
        assert not check_form(wrong)["valid"]
    assert not check_form({"json_formio": [], "json_formio_mapping": 1})["valid"]


def test_a_difference_as_lines() -> None:
    assert difference(None) == ""
    assert difference({"kind": "delete", "removes": ["the tag itself"]}) == "- the tag itself"
    prompt = {"kind": "prompt", "fields": [{"field": "content", "before": "one\ntwo", "after": "one\nthree"}]}
    assert difference(prompt) == "content:\n one\n-two\n+three"
    value = {"kind": "value", "path": "total", "before": 1, "after": 2}
    assert difference(value) == "total:\n-1\n+2"
    assert difference({"kind": "extraction", "pages": 3}) == '{\n  "pages": 3\n}'


async def test_files_of_this_machine(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"hi")
    named, plain = {"path": str(file), "tag_ids": ["1"]}, {"name": "b", "content": ""}
    assert names_files("upload_documents", {"documents": [plain, named]})
    for tool, given in (
        ("upload_documents", {"documents": [plain]}),
        ("upload_documents", {"documents": "path"}),
        ("create_tag", named),
        ("extract", plain),
    ):
        assert not names_files(tool, given)
        assert await with_contents(tool, given) == given
    filled = await with_contents("upload_documents", {"documents": [named, plain, "x"], "more": 1})
    assert filled == {
        "documents": [{"name": "a.txt", "tag_ids": ["1"], "content": "aGk="}, plain, "x"],
        "more": 1,
    }
    sent = await with_contents("extract", {"path": str(file), "json_schema": {}})
    assert sent == {"name": "a.txt", "json_schema": {}, "content": "aGk="}
    with pytest.raises(InvalidInput, match="cannot be read"):
        await with_contents("upload_documents", {"documents": [{"filePath": str(tmp_path / "none")}]})
