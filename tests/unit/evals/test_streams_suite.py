"""Recordings that the suite must know how to judge, made here: redacted thinking, and Gemini without a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evals.suite import Results
from evals.suites import streams


def events(*datas: dict[str, Any]) -> str:
    return "".join(f"event: {data['type']}\ndata: {json.dumps(data)}\n\n" for data in datas)


REDACTED = events(
    {
        "type": "message_start",
        "message": {
            "id": "m",
            "model": "claude",
            "content": [],
            "usage": {"input_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0},
        },
    },
    {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "redacted_thinking", "data": "EmwKAhgB"},
    },
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes."}},
    {"type": "content_block_stop", "index": 1},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}},
    {"type": "message_stop"},
)
REDACTED_EXPECTED: dict[str, Any] = {
    "content": [{"type": "redacted_thinking", "data": "EmwKAhgB"}, {"type": "text", "text": "Yes."}],
    "stop_reason": "end_turn",
    "usage": {
        "input_tokens": 3,
        "output_tokens": 5,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
    },
}
PLAIN_TEXT = "".join(
    f"data: {json.dumps(data)}\n\n"
    for data in (
        {"candidates": [{"content": {"parts": [{"text": "I wonder.", "thought": True}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "Hel"}]}}]},
        {
            "candidates": [
                {"content": {"parts": [{"text": "lo", "thoughtSignature": "Eg=="}]}, "finishReason": "STOP"}
            ],
            "usageMetadata": {"promptTokenCount": 2, "candidatesTokenCount": 4, "thoughtsTokenCount": 1},
        },
    )
)
PLAIN_EXPECTED = {
    "text": "Hello",
    "thoughts": "I wonder.",
    "function_calls": [],
    "thought_signatures": 1,
    "finish_reason": "STOP",
    "usage": {"promptTokenCount": 2, "candidatesTokenCount": 4, "thoughtsTokenCount": 1},
}


def scored(folder: Path, provider: str, body: str, expected: dict[str, Any]) -> Results:
    (folder / "manifest.json").write_text(json.dumps({"streams": [{"name": "made", "provider": provider}]}))
    (folder / "made.sse").write_text(body)
    (folder / "made.expected.json").write_text(json.dumps(expected))
    return streams.run(folder)


@pytest.mark.parametrize(
    ("provider", "body", "expected"),
    [("anthropic", REDACTED, REDACTED_EXPECTED), ("gemini", PLAIN_TEXT, PLAIN_EXPECTED)],
)
def test_every_chunking_of_it_is_right(
    tmp_path: Path, provider: str, body: str, expected: dict[str, Any]
) -> None:
    figures = scored(tmp_path, provider, body, expected)

    assert figures["streams_right"] == 1
    assert figures["cut_offs_clean"] == 1.0


@pytest.mark.parametrize(
    ("provider", "body", "expected"),
    [
        ("anthropic", REDACTED, REDACTED_EXPECTED | {"content": REDACTED_EXPECTED["content"][1:]}),
        ("gemini", PLAIN_TEXT, PLAIN_EXPECTED | {"thoughts": ""}),
        ("gemini", PLAIN_TEXT, PLAIN_EXPECTED | {"thought_signatures": 0}),
        ("gemini", PLAIN_TEXT, PLAIN_EXPECTED | {"finish_reason": "MAX_TOKENS"}),
    ],
)
def test_what_is_lost_is_seen(tmp_path: Path, provider: str, body: str, expected: dict[str, Any]) -> None:
    assert scored(tmp_path, provider, body, expected)["streams_right"] == 0
