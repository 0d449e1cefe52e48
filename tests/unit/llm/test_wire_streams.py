"""Each wire format reads its stream the same at every chunking, and never takes a part for the whole."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.adapters.llm.sse import MAX_EVENT_BYTES
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import (
    CallDelta,
    FinishReason,
    ModelError,
    ModelFailure,
    ModelReply,
    TextPart,
    ToolCall,
)
from tests.support.models.wire_streams import ENCODERS, rich_reply
from tests.support.tables import table
from tests.unit.llm.reading_streams import WIRES, read

REPLY = rich_reply()
STREAMS = {name: b"".join(encode(REPLY)) for name, encode in ENCODERS.items()}
EVERY_WIRE = pytest.mark.parametrize("name", WIRES)


def plain(reply: ModelReply) -> ModelReply:
    """Without the marks of the wire, and with arguments in one spelling."""
    parts: list[object] = []
    for part in reply.parts:
        if isinstance(part, ToolCall):
            arguments = json.dumps(json.loads(part.arguments), sort_keys=True)
            parts.append(dataclasses.replace(part, arguments=arguments, signature=None))
        elif isinstance(part, TextPart):
            parts.append(part)
        else:
            parts.append(dataclasses.replace(part, signature=None))
    return dataclasses.replace(reply, parts=tuple(parts))  # type: ignore[arg-type]


@EVERY_WIRE
def test_a_whole_reply(name: str) -> None:
    result = read(WIRES[name], [STREAMS[name]])
    assert plain(result.reply) == plain(REPLY)
    assert result.text == REPLY.text
    assert result.thinking == REPLY.thinking


@table("name", ["openai", "openai_responses", "anthropic"])
def test_calls_are_told_while_they_are_written(name: str) -> None:
    """Gemini and Ollama send a call as a whole, so there is nothing to tell before its end."""
    result = read(WIRES[name], [STREAMS[name]])
    assert [(name, json.loads(arguments)) for name, arguments in result.calls] == [
        (call.name, json.loads(call.arguments)) for call in REPLY.tool_calls
    ]
    assert len(result.calls) > 1
    assert len([delta for delta in result.deltas if isinstance(delta, CallDelta)]) > len(result.calls)


@EVERY_WIRE
@pytest.mark.parametrize("size", [1, 2, 3, 16, 100])
def test_equal_portions(name: str, size: int) -> None:
    body = STREAMS[name]
    portions = [body[start : start + size] for start in range(0, len(body), size)]
    assert read(WIRES[name], portions) == read(WIRES[name], [body])


@EVERY_WIRE
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_two_portions_cut_anywhere(name: str, line_end: bytes) -> None:
    """In the middle of characters, of lines, and between CR and LF."""
    body = STREAMS[name].replace(b"\r\n", b"\n").replace(b"\n", line_end)
    whole = read(WIRES[name], [body])
    for place in range(1, len(body), 3):
        assert read(WIRES[name], [body[:place], body[place:]]) == whole, place


@EVERY_WIRE
def test_every_cut_off_is_an_early_end(name: str) -> None:
    """Up to the last byte that carries meaning; only the final line ends can be done without."""
    body = STREAMS[name]
    needed = len(body.rstrip()) if name != "openai" else body.rindex(b"[DONE]") + len(b"[DONE]")
    for end in range(needed):
        with pytest.raises(ModelError) as failed:
            read(WIRES[name], [body[:end]])
        assert failed.value.failure is ModelFailure.ENDED_EARLY, end
    assert read(WIRES[name], [body[:needed]]).reply == read(WIRES[name], [body]).reply


@EVERY_WIRE
@settings(max_examples=40)
@given(text=st.text(max_size=60), places=st.sets(st.integers(0, 4000), max_size=12))
def test_any_text_arrives_at_any_chunking(name: str, text: str, places: set[int]) -> None:
    reply = dataclasses.replace(
        REPLY, parts=(TextPart(text),) if text else (), finish_reason=FinishReason.STOP
    )
    body = b"".join(ENCODERS[name](reply))
    cuts = sorted(place for place in places if place < len(body))
    blocks = [body[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    result = read(WIRES[name], blocks)
    assert result.reply == reply
    assert result.text == text


@EVERY_WIRE
@pytest.mark.parametrize("reason", [FinishReason.STOP, FinishReason.LENGTH, FinishReason.REFUSED])
def test_reasons_to_finish(name: str, reason: FinishReason) -> None:
    reply = dataclasses.replace(REPLY, parts=(TextPart("So far"),), finish_reason=reason)
    assert read(WIRES[name], ENCODERS[name](reply)).reply == reply


@table("name", ["openai", "openai_responses", "anthropic"])
def test_a_tool_call_that_is_cut_by_the_limit_stays_as_written(name: str) -> None:
    broken = ToolCall("call_a", "find", '{"query": "Stra')
    reply = dataclasses.replace(REPLY, parts=(broken,), finish_reason=FinishReason.LENGTH)
    assert read(WIRES[name], ENCODERS[name](reply)).reply == reply


GARBAGE = [
    b"data: null\n\n",
    b"data: 7\n\n",
    b"data: []\n\n",
    b'data: {"choices": 3, "type": "content_block_delta", "candidates": 5}\n\n',
    b'data: {"choices": ["x"], "type": "response.completed", "candidates": ["x"]}\n\n',
    b'data: {"choices": [{"delta": {"tool_calls": ["x"]}}], "type": "content_block_start",'
    b' "candidates": [{"content": {"parts": ["x"]}}]}\n\n',
    b"data: \xff\xfe\n\n",
    b"<html>not a stream</html>",
    b"data: " + b"x" * (MAX_EVENT_BYTES + 1),
]


@EVERY_WIRE
@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_what_is_no_stream_is_a_clean_error(name: str, body: bytes) -> None:
    wire: Wire = WIRES[name]
    with pytest.raises(ModelError) as failed:
        read(wire, [body])
    assert failed.value.failure in (ModelFailure.ENDED_EARLY, ModelFailure.UNAVAILABLE)
