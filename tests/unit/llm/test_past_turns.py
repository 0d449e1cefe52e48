"""Past turns on the wire: written once, and sent again byte for byte, so that providers' prompt caches hit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
import pytest

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.factory import ProviderKind
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.wire import Wire
from docagent.agent.history import message_json, read_stored, stored
from docagent.domain.models.llm import (
    Message,
    ModelRequest,
    PastTurn,
    TextPart,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from docagent.services.turns.context.past import PastTurns

FIND = ToolSpec("find", "Finds passages.", {"type": "object", "properties": {}})
WIRES: dict[ProviderKind, tuple[Wire, str, str]] = {
    ProviderKind.OPENAI: (ChatWire(), "gpt-5", "messages"),
    ProviderKind.OPENAI_COMPATIBLE: (ChatWire(takes_pdf=False), "mistral-large-latest", "messages"),
    ProviderKind.OPENAI_RESPONSES: (ResponsesWire(), "gpt-5", "input"),
    ProviderKind.ANTHROPIC: (AnthropicWire(), "claude-sonnet-4-5", "messages"),
    ProviderKind.GEMINI: (GeminiWire(), "gemini-3-pro-preview", "contents"),
}
each_wire = pytest.mark.parametrize("kind", WIRES)


def question(text: str) -> Message:
    return Message("user", (TextPart(text),))


def turn(number: int) -> list[Message]:
    """A turn with a call. Its id repeats in every turn, as with servers that count from zero."""
    return [
        question(f"Question {number}"),
        Message("assistant", (TextPart("I look."), ToolCall("call_0", "find", '{"query": "Zürich"}'))),
        Message("user", (ToolResult("call_0", f"Result {number}"),)),
        Message("assistant", (TextPart(f"Answer {number}"),)),
    ]


def sent(kind: ProviderKind, past: tuple[PastTurn, ...], *messages: Message) -> bytes:
    """The list of messages as it is sent, without its last bracket and Anthropic's marks, which are no part of what it
    caches."""
    wire, model, name = WIRES[kind]
    body = wire.build(ModelRequest(model, messages, past, system="Be brief.", tools=(FIND,))).body
    read: dict[str, Any] = orjson.loads(orjson.dumps(body))
    for message in read["messages"] if kind is ProviderKind.ANTHROPIC else ():
        for block in message["content"]:
            block.pop("cache_control", None)
    return orjson.dumps(read[name])[:-1]


@each_wire
def test_each_call_begins_with_all_that_the_call_before_it_sent(kind: ProviderKind) -> None:
    kept = PastTurns()
    before = b""
    for number in range(6):
        past, _ = kept.in_a_row([(stored(turn(earlier)), 10) for earlier in range(number)])
        asked, called, answered, _ = turn(number)
        for messages in ([asked], [asked, called, answered]):
            now = sent(kind, past, *messages)
            assert now.startswith(before)
            assert len(now) > len(before)
            before = now


@each_wire
def test_a_past_turn_is_made_into_objects_once_for_each_form(kind: ProviderKind) -> None:
    reads: list[str] = []

    def read(text: str) -> tuple[Message, ...]:
        reads.append(text)
        return read_stored(text)

    past = tuple(PastTurn(stored(turn(number)), 10, read) for number in range(3))
    first = sent(kind, past, question("Now?"))
    reads.clear()
    assert sent(kind, past, question("Now?")) == first
    assert sent(kind, (*past, *past), question("Now?")) != first, "it stands in another place, with other ids"
    assert len(reads) == 3


def test_a_thread_that_changes_models_keeps_few_forms() -> None:
    made: list[int] = []

    def make(number: int) -> Callable[[PastTurn], int]:
        def made_now(_: PastTurn) -> int:
            made.append(number)
            return number

        return made_now

    past = PastTurn(stored(turn(1)), 10, read_stored)
    for number in (*range(PastTurn.MOST_FORMS), PastTurn.MOST_FORMS - 1, 0):
        assert past.form(("form", number), make(number)) == number
    assert made == list(range(PastTurn.MOST_FORMS))
    past.form("one more", make(99))
    past.form(("form", 0), make(0))
    assert made[-2:] == [99, 0]


# Keeping them


def test_turns_are_kept_by_their_text_and_the_oldest_go_first() -> None:
    texts = [stored(turn(number)) for number in range(3)]
    kept = PastTurns(most_characters=len(texts[0]) + len(texts[1]))
    (first, second), rest = kept.in_a_row([(texts[0], 7), (texts[1], 8)])
    assert (first.tokens, second.tokens, rest) == (7, 8, ())
    assert kept.in_a_row([(texts[0], 7), (texts[1], 8)])[0] == (first, second)
    kept.in_a_row([(texts[2], 9)])
    assert kept.in_a_row([(texts[1], 8)])[0] == (second,)
    assert kept.in_a_row([(texts[0], 7)])[0] != (first,)


def test_a_turn_after_which_something_was_undone_joins_the_next_question() -> None:
    undone = [*turn(1), question("(The user undid a change.)")]
    kept = PastTurns()
    past, messages = kept.in_a_row([(stored(turn(0)), 5), (stored(undone), 6)])
    assert [len(each.messages) for each in past] == [4]
    assert messages == tuple(undone)
    past, messages = kept.in_a_row([(stored(undone), 6), (stored(turn(2)), 7), (stored(turn(3)), 8)])
    assert ([each.tokens for each in past], messages) == ([13, 8], ())
    joined = past[0].messages[4]
    assert joined == Message("user", (TextPart("(The user undid a change.)"), TextPart("Question 2")))


def test_what_earlier_releases_stored_is_read() -> None:
    written = orjson.dumps([message_json(message) for message in turn(1)], option=orjson.OPT_INDENT_2)
    (past,), _ = PastTurns().in_a_row([(written.decode(), 3)])
    assert past.messages == tuple(turn(1))
    assert past.call_ids == ("call_0",)
    assert replace(ModelRequest("m", (), (past,))).conversation == tuple(turn(1))
