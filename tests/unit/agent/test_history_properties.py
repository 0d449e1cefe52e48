"""Whatever happened in a thread: no provider refuses the history that comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.wire import Wire
from docagent.agent.history import join, read_stored, stored, turn_messages, without_calls
from docagent.agent.sanitise import client_messages, sanitise
from docagent.agent.trimming import estimate_tokens, trim
from docagent.domain.models.llm import Message, ModelRequest, TextPart, ThinkingPart, ToolCall, ToolResult
from docagent.domain.turns.events import Event, TurnStarted, UserMessage
from docagent.services.turns.context.past import PastTurns
from tests.support.models.provider_rules import (
    MISTRAL_CALL_ID,
    check_anthropic,
    check_gemini,
    check_openai_chat,
    check_openai_responses,
)
from tests.unit.agent.made_turns import TOOLS, MadeTurn, client_lists, made_turns

NEXT_TURN: list[Event] = [TurnStarted("a-model", "tools", 10), UserMessage("And now?")]
WIRES: list[tuple[Wire, str]] = [
    (AnthropicWire(), "claude-sonnet-4-5"),
    (GeminiWire(), "gemini-2.5-flash"),
    (GeminiWire(), "gemini-3-pro-preview"),
    (ChatWire(), "gpt-5"),
    (ChatWire(), "mistral-large-latest"),
    (ResponsesWire(), "gpt-5"),
]
many = settings(max_examples=120, suppress_health_check=list(HealthCheck))


@st.composite
def threads(draw: st.DrawFn) -> list[MadeTurn]:
    """Some turns of a thread. Those that an edited message replaced are not among them."""
    made = [draw(made_turns(number)) for number in range(draw(st.integers(1, 4)))]
    kept = [turn for turn in made[:-1] if draw(st.integers(0, 4)) > 0]
    return [*kept, made[-1]]


def folded(turns: Sequence[MadeTurn]) -> tuple[list[tuple[Message, ...]], tuple[Message, ...]]:
    """Earlier turns, through their stored form, and the current one; a turn that is answered is an earlier one."""
    messages = [turn_messages(turn.events) for turn in turns]
    if not messages[-1] or messages[-1][-1].role == "assistant":
        messages.append(turn_messages(NEXT_TURN))
    earlier = [read_stored(stored(turn)) for turn in messages[:-1]]
    assert earlier == messages[:-1]
    return earlier, messages[-1]


def check_everywhere(request: ModelRequest, turns: Sequence[MadeTurn] = ()) -> None:
    issued: dict[str, list[list[dict[str, Any]]]] = {
        wire: list(chain.from_iterable(turn.thinking.get(wire, ()) for turn in turns))
        for wire in ("anthropic", "gemini", "openai_responses")
    }
    for thinks in (None, 2000):
        asked = replace(request, thinking_tokens=thinks, max_output_tokens=500)
        for model in ("claude-3-5-haiku-20241022", "claude-sonnet-4-5", "claude-opus-4-7"):
            body = through_json(AnthropicWire().build(replace(asked, model=model)).body)
            check_anthropic(body, issued["anthropic"])
        for model in ("gemini-2.5-flash", "gemini-3-pro-preview"):
            body = through_json(GeminiWire().build(replace(asked, model=model)).body)
            check_gemini(body, model, issued["gemini"])
        check_openai_chat(through_json(ChatWire().build(replace(asked, model="gpt-5")).body))
        mistral = replace(asked, model="mistral-large-latest")
        check_openai_chat(through_json(ChatWire().build(mistral).body), MISTRAL_CALL_ID)
        body = through_json(ResponsesWire().build(replace(asked, model="gpt-5")).body)
        check_openai_responses(body, issued["openai_responses"])


def through_json(body: dict[str, Any]) -> dict[str, Any]:
    read: dict[str, Any] = orjson.loads(orjson.dumps(body))
    return read


def check_form(messages: Sequence[Message]) -> None:
    """Our own rules, which are stricter than any provider's."""
    assert [message.role for message in messages] == ["user", "assistant"] * (len(messages) // 2) + [
        "user"
    ] * (len(messages) % 2)
    calls: list[str] = []
    for message in messages:
        assert message.parts
        results = [part.call_id for part in message.parts if isinstance(part, ToolResult)]
        assert results == calls, "results stand directly after their calls, in their order"
        assert all(isinstance(part, ToolResult) for part in message.parts[: len(results)])
        calls = [part.id for part in message.parts if isinstance(part, ToolCall)]
        for part in message.parts:
            assert not isinstance(part, TextPart) or part.text.strip()
            assert not isinstance(part, ThinkingPart) or part.signature or part.redacted
    assert not calls


@many
@given(threads(), client_lists)
def test_no_provider_refuses_a_thread(turns: list[MadeTurn], sent: list[dict[str, Any]]) -> None:
    earlier, current = folded(turns)
    messages = join([client_messages(sanitise(sent)), *earlier], current)
    check_form(messages)
    check_everywhere(ModelRequest("", messages, system="Be brief.", tools=TOOLS), turns)
    check_everywhere(ModelRequest("", messages, tools=TOOLS, may_call=False), turns)


@many
@given(threads())
def test_past_turns_are_written_as_if_the_conversation_were_written_whole(turns: list[MadeTurn]) -> None:
    earlier, current = folded(turns)
    kept = PastTurns()
    stored_turns = [(stored(turn), 1) for turn in earlier]
    whole = ModelRequest("", join(earlier, current), system="Be brief.", tools=TOOLS)
    for _ in range(2):
        past, joined = kept.in_a_row(stored_turns)
        request = replace(whole, past=past, messages=join([joined], current))
        assert request.conversation == whole.messages
        for wire, model in WIRES:
            written = wire.build(replace(request, model=model)).body
            assert orjson.dumps(written) == orjson.dumps(wire.build(replace(whole, model=model)).body)


@many
@given(threads(), st.integers(0, 6000), st.booleans())
def test_no_provider_refuses_a_trimmed_thread(turns: list[MadeTurn], budget: int, told: bool) -> None:
    earlier, current = folded(turns)
    messages = join(earlier, current)
    trimmed = trim(messages, budget, current=len(current) if told else None)
    check_form(trimmed.messages)
    check_everywhere(ModelRequest("", trimmed.messages, tools=TOOLS), turns)
    assert trimmed.kept_tokens == sum(map(estimate_tokens, trimmed.messages))
    assert trimmed.kept_tokens + trimmed.dropped_tokens == sum(map(estimate_tokens, messages))
    assert len(trimmed.messages) + trimmed.dropped_messages == len(messages)
    if trimmed.kept_tokens > budget and told:
        assert len(trimmed.messages) == len(current)


@many
@given(threads())
def test_no_provider_refuses_a_thread_without_tools(turns: list[MadeTurn]) -> None:
    earlier, current = folded(turns)
    check_everywhere(ModelRequest("", without_calls(join(earlier, current))), turns)


@many
@given(client_lists)
def test_no_provider_refuses_what_a_client_sent(sent: list[dict[str, Any]]) -> None:
    cleaned = sanitise(sent)
    assert sanitise(cleaned) == cleaned
    messages = join([client_messages(cleaned)], turn_messages(NEXT_TURN))
    check_form(messages)
    check_everywhere(ModelRequest("", messages, tools=TOOLS))


@many
@given(made_turns())
def test_every_beginning_of_a_log_gives_a_history(made: MadeTurn) -> None:
    for length in range(len(made.events) + 1):
        messages = turn_messages(made.events[:length])
        check_form(messages)
        check_form(join([messages], turn_messages(NEXT_TURN)))


@many
@given(made_turns())
def test_thinking_of_the_current_turn_goes_back_verbatim_and_stays_in_place(made: MadeTurn) -> None:
    messages = turn_messages(made.events)
    replied = [event.parts for event in made.events if hasattr(event, "parts")]
    for message in messages:
        thought = [part for part in message.parts if isinstance(part, ThinkingPart)]
        if thought:
            (whole,) = (parts for parts in replied if all(part in parts for part in thought))
            signed = [part for part in whole if isinstance(part, ThinkingPart) and part in thought]
            assert signed == thought
            assert message.parts[0] in thought or message.parts[0] in whole


def test_an_unfolded_history_is_refused() -> None:
    """The simulators do not pass everything: a log folded naively fails."""
    naive = (Message("user", (TextPart("Go."),)), Message("assistant", (ToolCall("c1", "find", "{}"),)))
    with pytest.raises(Exception, match="tool_result"):
        check_everywhere(ModelRequest("", (*naive, Message("user", (TextPart("Well?"),))), tools=TOOLS))
