"""Tools of MCP servers have a slash in their names, which no provider takes."""

from __future__ import annotations

import pytest

from docagent.adapters.llm.call_ids import call_name
from docagent.adapters.llm.errors import Endpoint, Provider
from docagent.adapters.llm.fitting import Fitted, fit
from docagent.domain.models.llm import (
    CallDelta,
    FinishReason,
    Message,
    ModelReply,
    ModelRequest,
    TextDelta,
    TextPart,
    ToolCall,
    ToolSpec,
    Usage,
)
from docagent.jsonschema import Profile

CALLS_OF_MODEL = (
    ("weather__forecast", "weather/forecast"),
    ("own__tool", "own__tool"),
    ("invented__tool", "invented__tool"),
)


@pytest.fixture
def fitted() -> Fitted:
    tools = tuple(
        ToolSpec(name, "", {"type": "object"}) for name in ("weather/forecast", "own__tool", "plain")
    )
    request = ModelRequest("m", (Message("user", (TextPart("Hello"),)),), tools=tools)
    return fit(request, Profile.OPENAI_STRICT, Endpoint(Provider("p", "P"), "m"))


def test_the_provider_is_sent_names_that_it_takes(fitted: Fitted) -> None:
    assert [tool.name for tool in fitted.request.tools] == ["weather__forecast", "own__tool", "plain"]
    assert call_name("weather/forecast") == "weather__forecast"
    assert call_name("odd name/x") == "_odd_name_x"


@pytest.mark.parametrize(("said", "meant"), CALLS_OF_MODEL)
def test_calls_come_back_under_their_own_names(fitted: Fitted, said: str, meant: str) -> None:
    assert fitted.told(CallDelta(0, "", said)) == CallDelta(0, "", meant)
    reply = ModelReply((TextPart("So."), ToolCall("c", said, "{}")), FinishReason.TOOL_CALLS, Usage(), "m")
    assert [call.name for call in fitted.restore(reply).tool_calls] == [meant]


def test_other_pieces_stay(fitted: Fitted) -> None:
    assert fitted.told(TextDelta("a")) == TextDelta("a")
    assert fitted.told(CallDelta(0, "{}")) == CallDelta(0, "{}")
