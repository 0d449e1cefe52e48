"""What a wire format is: how it writes a request, and how it reads the stream of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import orjson

from docagent.adapters.llm.errors import Endpoint, ended_early
from docagent.domain.models.llm import ModelDelta, ModelReply, ModelRequest
from docagent.jsonschema import Profile

Deltas = Sequence[ModelDelta]
NOTHING: Deltas = ()


@dataclass(frozen=True, slots=True)
class WireCall:
    """A request as the wire format writes it. The path is appended to the base URL."""

    path: str
    body: dict[str, Any]


class StreamParser(Protocol):
    """Reads the events of one answer."""

    done: bool
    """Whether the last event has been seen. Anything after it can be ignored."""

    def feed(self, data: bytes) -> Deltas:
        """Take the data of one event. Raises ModelError if the event reports an error."""

    def finish(self) -> ModelReply:
        """Return the whole reply, after the last event. Raises ModelError if the answer was cut off."""


class Wire(Protocol):
    """One wire format. Pure: it does no I/O."""

    @property
    def profile(self) -> Profile:
        """The profile that schemas are fitted to before `build`: what the provider's structured output accepts."""

    def headers(self, api_key: str | None) -> dict[str, str]: ...

    def build(self, request: ModelRequest) -> WireCall: ...

    def parser(self, endpoint: Endpoint) -> StreamParser: ...


def decode(data: bytes, endpoint: Endpoint) -> dict[str, Any]:
    """Return the JSON object of one event. Raises ModelError if it is not whole: the stream was cut off."""
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
    """Return the level nearest to a budget, for providers that take levels."""
    if thinking_tokens < 2048:
        return "low"
    return "medium" if thinking_tokens < 8192 else "high"
