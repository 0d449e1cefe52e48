"""A call is checked before anything else, and refused with words that say how to mend it."""

from __future__ import annotations

import pytest

from docagent.domain.errors import Conflict
from docagent.domain.turns.tools import BadCall
from tests.tools.desk import Desk


def refusal(desk: Desk, name: str, arguments: str) -> str:
    with pytest.raises(BadCall) as refused:
        desk.toolset.check(name, arguments)
    return refused.value.detail


def test_broken_json_is_named(desk: Desk) -> None:
    assert refusal(desk, "get_tag", '{"tag_id": ').startswith("Invalid JSON arguments: ")
    assert refusal(desk, "get_tag", "[]") == (
        "Invalid JSON arguments: send a JSON object. Parameters: tag_id (required)."
    )


def test_an_unknown_tool_is_named_with_the_one_that_was_meant(desk: Desk) -> None:
    assert refusal(desk, "send_mail", "{}") == "Unknown tool: send_mail"
    assert (
        refusal(desk, "create_schemas", "{}") == "Unknown tool: create_schemas. Did you mean create_schema?"
    )


def test_missing_and_unknown_fields_are_named_with_the_allowed_ones(desk: Desk) -> None:
    said = refusal(desk, "get_schema", '{"schema_id": "1"}')
    assert said == (
        "get_schema: schema_revid is missing; there is no parameter schema_id, did you mean schema_revid?. "
        "Parameters: schema_revid (required)."
    )
    assert refusal(desk, "help_schemas", '{"x": 1}') == (
        "help_schemas: there is no parameter x. help_schemas takes no parameters."
    )


def test_wrong_types_are_named_by_path(desk: Desk) -> None:
    assert "limit: 'ten' is not of type 'integer'" in refusal(desk, "list_tags", '{"limit": "ten"}')
    assert "limit: 0 is less than the minimum of 1" in refusal(desk, "list_tags", '{"limit": 0}')
    assert "tag_ids.1: 7 is not of type 'string'" in refusal(desk, "list_prompts", '{"tag_ids": ["a", 7]}')
    assert "name: '' should be non-empty" in refusal(desk, "create_tag", '{"name": ""}')


def test_what_no_database_keeps_is_refused(desk: Desk) -> None:
    assert "NUL characters" in refusal(desk, "create_tag", '{"name": "a\\u0000b"}')
    assert "64 bits" in refusal(
        desk, "update_extraction_field", '{"path": "total", "value": 18446744073709551615}'
    )


def test_nothing_and_null_mean_left_out(desk: Desk) -> None:
    assert desk.toolset.check("list_tags", "") == {}
    assert desk.toolset.check("get_ocr_text", '{"page_num": null}') == {}
    assert desk.toolset.check("update_tag", '{"tag_id": "1", "description": null, "name": null}') == {
        "tag_id": "1",
        "description": None,
    }
    assert desk.toolset.check("update_extraction_field", '{"path": "a", "value": null}') == {
        "path": "a",
        "value": None,
    }


async def test_a_read_has_nothing_to_undo(desk: Desk) -> None:
    with pytest.raises(Conflict, match="changed nothing"):
        await desk.toolset.undo(desk.context(), "list_tags", {})
