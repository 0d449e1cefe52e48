"""What of a tool of an MCP server can be offered, and when it counts as changed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.turns.mcp_servers import McpTool, Said, ToolState
from docagent.services.models.mcp_servers import check_usable
from tests.support.tables import table

SAID = Said("forecast", "Tells the weather.\nOf a city.", {"type": "object", "properties": {}})
TOOL = McpTool("1", "2", "weather", SAID, SAID.digest)


def test_what_can_be_read_and_sent_is_usable() -> None:
    check_usable(TOOL)


@table(
    ("changed", "why"),
    [
        ({"name": "a.b"}, "only letters"),
        ({"name": "a" * 60}, "64 characters"),
        ({"description": "x" * 4001}, "longer than"),
        ({"description": "Tells\u200bthe weather"}, "U\\+200B"),
        ({"description": "Tells \U000e0041"}, "invisible"),
        ({"parameters": {"type": "string"}}, "does not describe an object"),
        ({"parameters": {"type": "object", "properties": {"a": {"type": "what"}}}}, "cannot be used"),
        ({"parameters": {"type": "object", "description": "x" * 40_000}}, "larger than"),
    ],
)
def test_what_cannot_is_refused_in_words(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        check_usable(replace(TOOL, said=replace(SAID, **changed)))


@table(
    "changed",
    [
        {"name": "other"},
        {"description": "Tells the weather."},
        {"parameters": {"type": "object"}},
        {"annotations": {"readOnlyHint": True}},
    ],
)
def test_everything_that_is_said_is_pinned(changed: dict[str, Any]) -> None:
    assert replace(SAID, **changed).digest != SAID.digest


def test_the_order_of_keys_says_nothing() -> None:
    turned = Said("forecast", SAID.description, {"properties": {}, "type": "object"})
    assert turned.digest == SAID.digest


def test_a_tool_is_offered_only_with_the_text_that_was_confirmed() -> None:
    assert TOOL.state is ToolState.OFF
    confirmed = replace(TOOL, confirmed_digest=SAID.digest)
    assert confirmed.state is ToolState.OFFERED
    assert replace(confirmed, said_digest="other").state is ToolState.CHANGED
    assert confirmed.name == "weather/forecast"
