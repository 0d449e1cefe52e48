"""DocRouter's view of a turn: the events of its stream and the body of its answer. The only file that knows them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from docagent.agent.state import TurnView
from docagent.api.stream import data_line, error_line, run_lines
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns import events
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.turns.live import Item
from docagent.services.turns.views.turn_views import call_json, round_json, segments

PREVIEW_CHARACTERS = 200

Json = dict[str, Any]


def chat_result(turn: Turn, log: Iterable[events.Recorded], *, approved: bool = False) -> Json:
    """The answer of `/chat` and `/chat/approve`: a finished turn, or one that waits. The log says which."""
    told = [recorded.event for recorded in log]
    view = TurnView.of(told)
    turn = replace(turn, state=view.turn_state)
    last = [segment for segment in segments(told) if not segment.empty][-1]
    body: Json = {
        "text": last.text,
        "thinking": last.thinking,
        "working_state": view.state.as_json(),
        "executed_rounds": last.rounds or None,
    }
    if turn.state.is_waiting:
        waiting = [call for call in view.outstanding if not view.is_decided(call.id)]
        body = {"turn_id": turn.id, **body, "tool_calls": [call_json(call) for call in waiting]}
        if turn.state is TurnState.AWAITING_INPUT and view.question_to_user is not None:
            body |= {
                "tool_calls": [],
                "question": view.question_to_user.question,
                "choices": list(view.question_to_user.choices),
            }
        if view.waits_for_plan and view.plan is not None:
            body |= {"tool_calls": [], "plan": [step.text for step in view.plan.steps]}
        else:
            body["requests"] = [request_json(view, call) for call in waiting if call.id in view.requested]
    elif approved:
        body["model"] = turn.model
    if last.shortfall is not None:
        body |= {"note": last.note, "shortfall": last.shortfall}
    body |= {"state": turn.state, "turn": turn.id, "thread_id": turn.thread_id}
    return body


def last_message(log: Iterable[events.Recorded]) -> events.AssistantMessage | None:
    """The reply whose calls wait, or were just decided on."""
    said = [recorded.event for recorded in log if isinstance(recorded.event, events.AssistantMessage)]
    return said[-1] if said else None


def request_json(view: TurnView, call: ToolCall) -> Json:
    """A call as the person who decides sees it."""
    requested = view.requested[call.id]
    return {
        "id": call.id,
        "name": call.name,
        "summary": requested.summary,
        "preview": requested.preview,
        "needs_approval": requested.asks,
    }


class ChatStream:
    """Turns the events of a run into the contract's events, in the contract's order."""

    def __init__(self, waiting: events.AssistantMessage | None = None) -> None:
        """`waiting` is the message whose calls were decided on, if the decision started the run."""
        self._message = waiting
        self._announced = False
        self._results = 0
        self._heard_text = False

    def items(self, item: Item) -> Iterator[Json]:
        if isinstance(item, events.Delta):
            if item.kind != "call":  # the contract tells calls when they are whole
                yield self._delta(item)
        else:
            yield from self._event(item.event)

    def _delta(self, delta: events.Delta) -> Json:
        kind = "thinking_chunk"
        if delta.kind == "text" and delta.phase == "act":
            kind = "assistant_text_chunk"
            self._heard_text = True
        return {"type": kind, "chunk": delta.text, "round_index": _round(delta.step)}

    def _event(self, event: events.Event) -> Iterator[Json]:
        match event:
            case events.AssistantMessage():
                if event.text and not self._heard_text:
                    yield {
                        "type": "assistant_text_chunk",
                        "chunk": event.text,
                        "round_index": _round(event.step),
                    }
                self._message, self._announced, self._results = event, False, 0
                self._heard_text = False
            case events.ToolStarted() | events.ToolFinished() if self._message is not None:
                yield from self._tool(self._message, event)
            case events.Completed() | events.LimitReached():
                yield from self._answer(event)
            case _:
                pass

    def _tool(
        self, message: events.AssistantMessage, event: events.ToolStarted | events.ToolFinished
    ) -> Iterator[Json]:
        index = _round(message.step)
        if not self._announced:
            self._announced = True
            calls = [call_json(call) for call in message.calls]
            yield {"type": "tool_calls", "round_index": index, "tool_calls": calls}
        if isinstance(event, events.ToolStarted):
            return
        self._results += 1
        yield tool_result(event, index)
        if self._results == len(message.calls):
            yield {"type": "round_executed", "round_index": index, **round_json(message)}

    def _answer(self, event: events.Completed | events.LimitReached) -> Iterator[Json]:
        index = _round(self._message.step if self._message else 1)
        if self._message is not None and self._message.thinking:
            yield {"type": "thinking_done", "thinking": self._message.thinking, "round_index": index}
        done: Json = {"type": "assistant_text_done", "full_text": event.text, "round_index": index}
        if isinstance(event, events.Completed) and event.shortfall is not None:
            done |= {"note": event.note, "shortfall": event.shortfall}
        yield done


def tool_result(event: events.ToolFinished, index: int) -> Json:
    cut = event.content[:PREVIEW_CHARACTERS]
    body: Json = {
        "type": "tool_result",
        "round_index": index,
        "call_id": event.call_id,
        "name": event.name,
        "success": not event.is_error,
        "result": event.content,
        "preview": cut if cut == event.content else f"{cut}…",
    }
    if event.is_error:
        body["error"] = event.summary or event.content
    return body


def chat_lines(
    items: AsyncGenerator[list[Item]],
    log: list[events.Recorded],
    finish: Callable[[], Json],
) -> AsyncIterator[bytes]:
    """The stream of one run.

    `log` holds the earlier events, and each new one is added to it; `finish` makes the answer from it.
    """
    view = ChatStream(last_message(log))

    def tell(item: Item) -> Iterator[bytes]:
        if isinstance(item, events.Recorded):
            log.append(item)
        return map(data_line, view.items(item))

    def end() -> bytes:
        if log and isinstance(failed := log[-1].event, events.Failed):
            return error_line(failed.error, failed.code)
        return data_line({"type": "done", "result": finish()})

    return run_lines(items, tell, end)


def _round(step: int) -> int:
    return max(step - 1, 0)
