"""The loop itself: limits, ids, and that a turn goes on from wherever its log ends."""

from __future__ import annotations

import json
from typing import Any

from docagent.adapters.llm.scripted import Answer, make_reply
from docagent.agent.limits import Limits
from docagent.agent.ports import ModelFacts
from docagent.domain.models.llm import ModelReply, ToolCall, ToolResult, Usage
from docagent.domain.turns.events import (
    Completed,
    ContextTrimmed,
    Limit,
    LimitReached,
    StepStarted,
    ToolFinished,
    TurnStarted,
)
from tests.support.models.agent_fakes import Rig, of_type
from tests.support.tables import table


def look(id: str, **arguments: Any) -> ModelReply:
    usage = Usage(input_tokens=900, output_tokens=100)
    return make_reply(tool_calls=[ToolCall(id, "look", json.dumps(arguments))], usage=usage)


@table(
    ("limits", "max_steps", "limit", "text", "calls"),
    [
        (Limits(), 2, Limit.STEPS, "Closing.\n\n(Max tool rounds reached.)", 3),
        (Limits(tokens=1000), 9, Limit.TOKENS, "The tokens for this turn are used up.", 1),
        (Limits(tokens=1001), 9, Limit.TOKENS, "The tokens for this turn are used up.", 2),
    ],
)
async def test_limits(limits: Limits, max_steps: int, limit: Limit, text: str, calls: int) -> None:
    started = TurnStarted("scripted", "tools", max_steps)
    rounds = [look(f"c{number}", x=number) for number in range(max_steps)]
    rig = Rig(
        [*rounds[: calls if limit is not Limit.STEPS else max_steps], "Closing."],
        started=started,
        limits=limits,
    )
    view = await rig.run()
    assert view.end == LimitReached(limit, text)
    assert len(rig.model.requests) == calls
    assert rig.model.requests[-1].may_call is (limit is not Limit.STEPS)


async def test_the_limit_of_time_leaves_a_closing_answer() -> None:
    rig = Rig([look("a", x=1), "Closing."], limits=Limits(seconds=0.000001))
    view = await rig.run()
    assert isinstance(view.end, LimitReached)
    assert view.end.limit is Limit.TIME
    assert view.end.text.endswith("The time for this turn is over.")


async def test_no_decision_is_shown_in_a_closing_answer() -> None:
    decided = 'One is read. {"should_continue": true, "observation": "more"}'
    rig = Rig([decided], limits=Limits(seconds=0.000001))
    view = await rig.run()
    assert isinstance(view.end, LimitReached)
    assert view.end.text == "One is read.\n\nThe time for this turn is over."


async def test_a_turn_ends_the_same_however_often_it_is_interrupted() -> None:
    said: list[Answer] = [look("a", x=1), look("b", x=2), "The end."]
    whole = Rig(said)
    await whole.run()
    kinds = [event.type for event in whole.log]
    for most in range(1, len(kinds)):
        rig = Rig(said)
        view = rig.view
        for _ in range(40):
            view = await rig.run(most=most)
            if view.end is not None:
                break
        assert view.end == Completed("The end.", 3)
        assert [event.type for event in rig.log] == kinds
        assert [event.step for event in of_type(rig.log, StepStarted)] == [1, 2, 3]


async def test_calls_get_ids_of_their_own() -> None:
    batch = make_reply(tool_calls=[ToolCall(id, "look", "{}") for id in ("x", "x", "", "")])
    rig = Rig([batch, batch, "Done."])
    await rig.run()
    ids = [event.call_id for event in of_type(rig.log, ToolFinished)]
    assert len(ids) == len(set(ids)) == 8
    sent = [
        part.call_id
        for message in rig.model.requests[-1].messages
        for part in message.parts
        if isinstance(part, ToolResult)
    ]
    assert sent == ids


async def test_results_that_do_not_fit_are_shortened_and_that_is_an_event() -> None:
    facts = ModelFacts("scripted", context_tokens=1200, output_tokens=100)
    long = "y" * 3000
    batch = make_reply(tool_calls=[ToolCall(f"c{number}", long, "{}") for number in range(4)])
    rig = Rig([batch, "Done."], facts=facts)
    view = await rig.run()
    assert isinstance(view.end, Completed)
    assert of_type(rig.log, ContextTrimmed)
