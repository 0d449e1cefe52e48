"""What a wire format is: how a request is written in it, and how its stream of events is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import orjson

from docagent.adapters.llm.errors import Endpoint, ended_early
from docagent.domain.llm import ModelReply, ModelRequest, TextDelta, ThinkingDelta
from docagent.jsonschema import Profile

Deltas = Sequence[TextDelta | ThinkingDelta]
NOTHING: Deltas = ()


@dataclass(frozen=True, slots=True)
class WireCall:
    """A request, written for the wire. The path begins after the base URL."""

    path: str
    body: dict[str, Any]


class StreamParser(Protocol):
    """Reads the events of one answer."""

    done: bool
    """The last event was seen: what follows, if anything, can be done without."""

    def feed(self, data: bytes) -> Deltas:
        """Take the data of one event. Raises ModelError for an error that the provider reports inside."""

    def finish(self) -> ModelReply:
        """The whole reply, after the last event. Raises ModelError when the answer broke off."""


class Wire(Protocol):
    """One wire format. Pure: it does no I/O."""

    @property
    def profile(self) -> Profile:
        """What its structured output accepts; schemas are fitted to it before `build`."""

    def headers(self, api_key: str | None) -> dict[str, str]: ...

    def build(self, request: ModelRequest) -> WireCall: ...

    def parser(self, endpoint: Endpoint) -> StreamParser: ...


def decode(data: bytes, endpoint: Endpoint) -> dict[str, Any]:
    """The JSON object of one event. An event that is cut off, or is none, means that the stream broke."""
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        raise ended_early(endpoint) from None
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return value[0]
    raise ended_early(endpoint)


def effort(thinking_tokens: int) -> Literal["low", "medium", "high"]:
    """The level nearest to a budget, for providers that take levels."""
    if thinking_tokens < 2048:
        return "low"
    return "medium" if thinking_tokens < 8192 else "high"
