"""OpenAI's view of a turn: chat completions, whole and in chunks. The only file that knows them.

Both are made of the same pieces, so that they cannot say different things. What the agent did is not told as calls:
a client would try to answer them.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

from docagent.agent.state import TurnView
from docagent.api.errors import TURN_STATUS, openai_error
from docagent.api.speech import Kind, Piece, Speech
from docagent.api.stream import data_line, run_lines
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.turns import events
from docagent.domain.turns.turns import Turn
from docagent.services.turns.live import Item

Json = dict[str, Any]
DONE = b"data: [DONE]\n\n"
BETWEEN_REPLIES = "\n\n"
STOPPED = "(This was stopped before it finished.)"


@dataclass(slots=True)
class CompletionFold:
    """Turns the items of a run into the text of one answer."""

    turn: Turn
    model: str
    inbox: str
    """The address at which a person decides on what waits."""
    log: list[events.Recorded] = field(default_factory=list)
    _speech: Speech = field(default_factory=Speech)
    _replies: dict[Kind, str] = field(default_factory=dict)
    """The reply that was told last, by kind."""

    def pieces(self, item: Item) -> Iterator[Piece]:
        if isinstance(item, events.Recorded):
            self.log.append(item)
        for piece in self._speech.pieces(item):
            yield self._after_a_line(piece)

    def last_pieces(self) -> Iterator[Piece]:
        """What is said where the turn itself says nothing: that it waits for a person, or was stopped."""
        view = TurnView.of(recorded.event for recorded in self.log)
        words = STOPPED if isinstance(view.end, events.Stopped) else waiting_words(view, self.inbox)
        if words:
            yield self._after_a_line(Piece("text", words, "end"))

    def _after_a_line(self, piece: Piece) -> Piece:
        """Put a blank line between two replies, which are one message here."""
        former, self._replies[piece.kind] = self._replies.get(piece.kind), piece.reply
        if former in (None, piece.reply):
            return piece
        return Piece(piece.kind, BETWEEN_REPLIES + piece.text, piece.reply)

    @property
    def failure(self) -> events.Failed | None:
        end = self.log[-1].event if self.log else None
        return end if isinstance(end, events.Failed) else None

    @property
    def finish_reason(self) -> str:
        end = self.log[-1].event
        if isinstance(end, events.LimitReached):
            return "length"
        shortfall = end.shortfall if isinstance(end, events.Completed) else None
        reasons = {events.Shortfall.CUT_OFF: "length", events.Shortfall.FILTERED: "content_filter"}
        return reasons.get(shortfall, "stop") if shortfall else "stop"

    @property
    def usage(self) -> Json:
        counted = [item.event for item in self.log if isinstance(item.event, events.UsageCounted)]
        read = sum(event.input_tokens for event in counted)
        written = sum(event.output_tokens for event in counted)
        return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}

    def head(self, kind: str) -> Json:
        return {
            "id": f"chatcmpl-{self.turn.id}",
            "object": kind,
            "created": int(self.turn.created_at.timestamp()),
            "model": self.model,
        }


def completion(fold: CompletionFold, log: list[events.Recorded]) -> Json:
    """The whole answer, from the log of a turn that is over or waits."""
    said = [piece for item in log for piece in fold.pieces(item)]
    said += fold.last_pieces()
    message: Json = {"role": "assistant", "content": _joined(said, "text"), "refusal": None}
    if thinking := _joined(said, "thinking"):
        message["reasoning_content"] = thinking
    choice = {"index": 0, "message": message, "finish_reason": fold.finish_reason, "logprobs": None}
    return {**fold.head("chat.completion"), "choices": [choice], "usage": fold.usage}


def completion_lines(
    fold: CompletionFold, items: AsyncGenerator[list[Item]], *, with_usage: bool
) -> AsyncIterator[bytes]:
    """The answer in chunks, as it comes."""

    def chunk(delta: Json, finish_reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
        return data_line({**fold.head("chat.completion.chunk"), "choices": [choice]})

    def told(piece: Piece) -> bytes:
        return chunk({"content" if piece.kind == "text" else "reasoning_content": piece.text})

    def tell(item: Item) -> Iterator[bytes]:
        return map(told, fold.pieces(item))

    def finish() -> bytes:
        if fold.failure is not None:
            return broken(fold.failure.error, fold.failure.code)
        lines = [*map(told, fold.last_pieces()), chunk({}, fold.finish_reason)]
        if with_usage:
            whole = {**fold.head("chat.completion.chunk"), "choices": [], "usage": fold.usage}
            lines.append(data_line(whole))
        return b"".join((*lines, DONE))

    def begin() -> bytes:
        return chunk({"role": "assistant", "content": ""})

    return run_lines(items, tell, finish, begin=begin, broken=broken)


def object_completion(model: str, text: str, more: Json) -> tuple[Json, bytes]:
    """The answer that holds an object as JSON: whole, and as the lines of a stream."""
    head = {"id": f"chatcmpl-{new_id()}", "created": int(now().timestamp()), "model": model, **more}
    message = {"role": "assistant", "content": text, "refusal": None}

    def choice(**said: Any) -> Json:
        return {"choices": [{"index": 0, "logprobs": None, **said}]}

    whole = head | {"object": "chat.completion"} | choice(message=message, finish_reason="stop")
    chunk = head | {"object": "chat.completion.chunk"}
    lines = (
        data_line(chunk | choice(delta={"role": "assistant", "content": text}, finish_reason=None)),
        data_line(chunk | choice(delta={}, finish_reason="stop")),
    )
    return whole, b"".join((*lines, DONE))


def broken(error: str, code: str) -> bytes:
    """The last line of a stream that cannot continue."""
    return data_line({"error": openai_error(TURN_STATUS.get(code, 500), error, code)})


def waiting_words(view: TurnView, inbox: str) -> str:
    """What a person has to do, and where. Empty if nothing waits."""
    if view.undecided:
        calls = "\n".join(f"- {call.summary}" for call in view.undecided)
        return f"This waits for your approval:\n{calls}\n\nDecide here: {inbox}"
    if view.waits_for_plan and view.plan is not None:
        steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(view.plan.steps, 1))
        return f"This plan waits for your approval:\n{steps}\n\nDecide here: {inbox}"
    if view.is_waiting and view.question_to_user is not None:
        asked = view.question_to_user
        choices = "".join(f"\n- {choice}" for choice in asked.choices)
        return f"{asked.question}{choices}\n\nAnswer here: {inbox}"
    return ""


def _joined(pieces: list[Piece], kind: Kind) -> str:
    return "".join(piece.text for piece in pieces if piece.kind == kind)
