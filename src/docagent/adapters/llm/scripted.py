"""A model that says what it was told to say, for tests, demonstrations and measurements."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable

from docagent.domain.models import llm

Answer = llm.ModelReply | llm.ModelError | str
"""What one request gets: a reply, an error to raise, or plain text."""

_WORDS = re.compile(r"\s*\S+|\s+$")


def make_reply(
    text: str = "",
    *,
    tool_calls: Iterable[llm.ToolCall] = (),
    thinking: str = "",
    signature: str | None = None,
    finish_reason: llm.FinishReason | None = None,
    usage: llm.Usage | None = None,
) -> llm.ModelReply:
    """Make a reply as a provider would give it."""
    calls = tuple(tool_calls)
    parts = (
        *((llm.ThinkingPart(thinking, signature),) if thinking or signature else ()),
        *((llm.TextPart(text),) if text else ()),
        *calls,
    )
    reason = finish_reason or (llm.FinishReason.TOOL_CALLS if calls else llm.FinishReason.STOP)
    return llm.ModelReply(parts, reason, usage or llm.Usage(input_tokens=10, output_tokens=5), "scripted")


class ScriptedModel:
    """Answers from a list, one entry per call, or from a function of the request. Keeps every request."""

    def __init__(
        self,
        answers: Iterable[Answer] | Callable[[llm.ModelRequest], Answer] = (),
        *,
        seconds_between_deltas: float = 0.0,
    ) -> None:
        self.requests: list[llm.ModelRequest] = []
        self._answer = answers if callable(answers) else None
        self._answers: deque[Answer] = deque(() if callable(answers) else answers)
        self._pause = seconds_between_deltas

    def add(self, *answers: Answer) -> None:
        """Append further answers to the list."""
        self._answers.extend(answers)

    async def stream(self, request: llm.ModelRequest) -> AsyncGenerator[llm.ModelEvent]:
        self.requests.append(request)
        answer = self._next(request)
        if isinstance(answer, llm.ModelError):
            raise answer
        reply = make_reply(answer) if isinstance(answer, str) else answer
        for part in reply.parts:
            if isinstance(part, llm.ToolCall):
                continue
            for word in _WORDS.findall(part.text):
                await asyncio.sleep(self._pause)
                yield llm.TextDelta(word) if isinstance(part, llm.TextPart) else llm.ThinkingDelta(word)
        yield reply

    def _next(self, request: llm.ModelRequest) -> Answer:
        if self._answer is not None:
            return self._answer(request)
        if not self._answers:
            return llm.ModelError(
                llm.ModelFailure.UNAVAILABLE,
                "The scripted model has no further answer. Give it one for every call.",
                provider="scripted",
            )
        return self._answers.popleft()
