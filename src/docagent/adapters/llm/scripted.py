"""A model that says what it was told to say, for tests, demonstrations and measurements."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable

from docagent.domain.models.llm import (
    FinishReason,
    ModelError,
    ModelEvent,
    ModelFailure,
    ModelReply,
    ModelRequest,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ThinkingPart,
    ToolCall,
    Usage,
)

Answer = ModelReply | ModelError | str
"""What one request gets: a reply, an error to raise, or plain text."""

_WORDS = re.compile(r"\s*\S+|\s+$")


def make_reply(
    text: str = "",
    *,
    tool_calls: Iterable[ToolCall] = (),
    thinking: str = "",
    signature: str | None = None,
    finish_reason: FinishReason | None = None,
    usage: Usage | None = None,
) -> ModelReply:
    """Make a reply as a provider would give it."""
    calls = tuple(tool_calls)
    parts = (
        *((ThinkingPart(thinking, signature),) if thinking or signature else ()),
        *((TextPart(text),) if text else ()),
        *calls,
    )
    reason = finish_reason or (FinishReason.TOOL_CALLS if calls else FinishReason.STOP)
    return ModelReply(parts, reason, usage or Usage(input_tokens=10, output_tokens=5), "scripted")


class ScriptedModel:
    """Answers from a list, one entry per call, or from a function of the request. Keeps every request."""

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[ModelRequest], Answer] = (),
        *,
        seconds_between_deltas: float = 0.0,
    ) -> None:
        self.requests: list[ModelRequest] = []
        self._answer = answers if callable(answers) else None
        self._answers: deque[Answer] = deque(() if callable(answers) else answers)
        self._pause = seconds_between_deltas

    def add(self, *answers: Answer) -> None:
        """Append further answers to the list."""
        self._answers.extend(answers)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        self.requests.append(request)
        answer = self._next(request)
        if isinstance(answer, ModelError):
            raise answer
        reply = make_reply(answer) if isinstance(answer, str) else answer
        for part in reply.parts:
            if isinstance(part, ToolCall):
                continue
            for word in _WORDS.findall(part.text):
                await asyncio.sleep(self._pause)
                yield TextDelta(word) if isinstance(part, TextPart) else ThinkingDelta(word)
        yield reply

    def _next(self, request: ModelRequest) -> Answer:
        if self._answer is not None:
            return self._answer(request)
        if not self._answers:
            return ModelError(
                ModelFailure.UNAVAILABLE,
                "The scripted model has no further answer. Give it one for every call.",
                provider="scripted",
            )
        return self._answers.popleft()
