"""What the model is asked: the system text, the conversation within its budget, and the tools it may call."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.history import join, past_without_calls, turn_messages, without_calls, words_of
from docagent.agent.ports import ModelFacts, Surroundings, SystemText
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import AskModel
from docagent.agent.trimming import Trimmed, estimate_tokens, trim
from docagent.domain.models import llm
from docagent.domain.models.llm import CHARACTERS_PER_TOKEN
from docagent.domain.turns.events import ContextTrimmed, Event

THINKING_TOKENS = 4096
MOST_OUTPUT_SHARE = 4
"""The reply may take at most one part in this many of the model's context; the rest is for what it reads."""


async def model_request(
    view: TurnView,
    ask: AskModel,
    system: SystemText,
    facts: ModelFacts,
    offered: Sequence[llm.ToolSpec],
    surroundings: Surroundings,
) -> tuple[llm.ModelRequest, Sequence[Event]]:
    """The request, and an event if something was left out of the conversation."""
    text = f"{system.text}\n\n{ask.instructions}" if ask.instructions else system.text
    decides = bool(ask.control_tools) and not ask.offers_tools
    tools = _tools(ask, facts, offered)
    events: Sequence[Event] = ()
    past: tuple[llm.PastTurn, ...] = ()
    if ask.messages is not None:
        messages = ask.messages
    else:
        budget = facts.context_tokens - min(facts.output_tokens, facts.context_tokens // MOST_OUTPUT_SHARE)
        budget -= (len(text) + sum(tool.size for tool in tools)) // CHARACTERS_PER_TOKEN
        keep = None if facts.is_built_in else ask.most_messages
        past, messages, events = await _conversation(view, max(budget, 1), surroundings, keep)
        holds_calls = _holds_calls(past, messages)
        if (decides or not tools) and holds_calls and not facts.is_built_in:
            past, messages = tuple(map(past_without_calls, past)), without_calls(messages)
        elif not (ask.offers_tools or decides) and not holds_calls:
            tools = ()
    temperature = view.started.terms.temperature if ask.temperature is None else ask.temperature
    request = llm.ModelRequest(
        model=facts.name,
        messages=messages,
        past=past,
        system=text,
        tools=tools,
        may_call=ask.offers_tools or decides,
        situation=system.situation,
        thinking_tokens=THINKING_TOKENS if facts.thinks else None,
        temperature=None if facts.thinks else temperature,
        output=ask.output,
    )
    return request, events


async def _conversation(
    view: TurnView, budget: int, surroundings: Surroundings, most: int | None
) -> tuple[tuple[llm.PastTurn, ...], tuple[llm.Message, ...], Sequence[Event]]:
    current = turn_messages(view.events)
    room = budget - sum(estimate_tokens(message) for message in current)
    earlier = await surroundings.history(max(room, 0))
    if most is not None:
        question = llm.Message("user", (llm.TextPart(view.question),))
        said = join([words_of(earlier.all_messages)[-most:]], (question,))
        return (), trim(said, budget, current=1).messages, ()
    messages = join([earlier.messages], current)
    trimmed = trim(messages, budget, past=earlier.past, current=len(current))
    event = _trimming(view, trimmed, earlier.left_out, earlier.left_out_tokens)
    return trimmed.past, trimmed.messages, () if event is None else (event,)


def _tools(ask: AskModel, facts: ModelFacts, offered: Sequence[llm.ToolSpec]) -> tuple[llm.ToolSpec, ...]:
    """The turn's tools and the control tools, or only the control tools if only a decision is wanted."""
    if not facts.calls_tools:
        return ()
    if ask.messages is not None or (ask.control_tools and not ask.offers_tools):
        return ask.control_tools
    return (*offered, *ask.control_tools)


def _holds_calls(past: Sequence[llm.PastTurn], messages: Sequence[llm.Message]) -> bool:
    return any(turn.call_ids for turn in past) or any(
        isinstance(part, llm.ToolCall | llm.ToolResult) for message in messages for part in message.parts
    )


def _trimming(view: TurnView, trimmed: Trimmed, left_out: int, left_out_tokens: int) -> ContextTrimmed | None:
    """The event, if what is left out has changed since the last one: users are not told in every round."""
    dropped = trimmed.dropped_messages + left_out
    tokens = trimmed.dropped_tokens + left_out_tokens
    last = view.trimmed
    if dropped == (last.dropped_messages if last else 0) and tokens == (last.dropped_tokens if last else 0):
        return None
    return ContextTrimmed(dropped, tokens, trimmed.kept_tokens)
