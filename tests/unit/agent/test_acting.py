"""Running the calls of a reply: order, company, failures, and breaking off."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.agent.acting import MOST_CALLS, REQUEST_INPUT
from docagent.agent.history import turn_messages
from docagent.domain.models.llm import ModelReply, ToolCall
from docagent.domain.turns.events import (
    ApprovalExpired,
    ApprovalRequested,
    Completed,
    GrantKind,
    InputGiven,
    InputRequested,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnStarted,
    TurnTerms,
)
from docagent.domain.turns.permission import Effect, Rule
from tests.support.models.agent_fakes import USER, RecordingToolset, Rig, of_type
from tests.support.tables import table

AUTO = TurnStarted("scripted", "tools", 10, TurnTerms(auto_approve=True))


def call(id: str, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(id, name, json.dumps(arguments))


def reply(*calls: ToolCall) -> ModelReply:
    return make_reply(tool_calls=calls)


def results(rig: Rig) -> list[tuple[str, bool]]:
    return [(event.call_id, event.is_error) for event in of_type(rig.log, ToolFinished)]


async def test_neighbours_that_read_run_at_once_and_a_change_runs_alone() -> None:
    batch = [
        call("a", "look", x=1),
        call("b", "look", x=13),
        call("c", "look", x=2),
        call("d", "write", x=1),
        call("e", "look", x=3),
    ]
    rig = Rig([reply(*batch), "Done."], started=AUTO)
    view = await rig.run()
    assert isinstance(view.end, Completed)
    assert results(rig) == [("a", False), ("b", True), ("c", False), ("d", False), ("e", False)]
    assert [ran.call_id for ran in rig.toolset.ran] == ["a", "b", "c", "d", "e"]
    assert rig.toolset.most_at_once == 3


async def test_a_tool_that_breaks_is_a_result_without_its_insides(caplog: pytest.LogCaptureFixture) -> None:
    rig = Rig([reply(call("a", "look", x=99), call("b", "write", x=99)), "So."], started=AUTO)
    view = await rig.run()
    assert isinstance(view.end, Completed)
    assert results(rig) == [("a", True), ("b", True)]
    assert all("a bug" not in event.content for event in of_type(rig.log, ToolFinished))
    assert "tool write failed" in caplog.text


async def test_a_tool_tells_its_progress() -> None:
    rig = Rig([reply(call("a", "write", x=1)), "Done."], started=AUTO)
    await rig.run()
    (progress,) = of_type(rig.log, ToolProgress)
    assert (progress.call_id, progress.done, progress.total) == ("a", 1, 2)


async def test_too_many_calls_in_one_reply() -> None:
    batch = [call(f"c{number}", "look", x=number) for number in range(100, 100 + MOST_CALLS + 3)]
    rig = Rig([reply(*batch), "Done."])
    await rig.run()
    assert len(rig.toolset.ran) == MOST_CALLS
    assert [is_error for _, is_error in results(rig)].count(True) == 3


@pytest.mark.asyncio(loop_scope="function")
@pytest.mark.parametrize("name", ["look", "write"])
async def test_breaking_off_a_call_ends_it_and_leaves_no_task(name: str) -> None:
    toolset = RecordingToolset(blocked=frozenset({name}))
    rig = Rig([reply(call("a", name, x=1))], started=AUTO, toolset=toolset)
    before = asyncio.all_tasks()
    running = asyncio.create_task(rig.run())
    await toolset.reached.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert toolset.at_once == 0
    assert asyncio.all_tasks() == before
    assert results(rig) == []
    assert turn_messages(rig.log)[-1].role == "user"


async def test_a_batch_that_was_interrupted_goes_on_with_what_has_no_result() -> None:
    rig = Rig(
        [reply(call("a", "look", x=1), call("b", "write", x=1), call("c", "write", x=2)), "Done."],
        started=AUTO,
    )
    for _ in range(30):
        if len(of_type(rig.log, ToolFinished)) > 1:
            break
        await rig.run(most=1)
    view = await rig.run()
    assert isinstance(view.end, Completed)
    assert [ran.call_id for ran in rig.toolset.ran].count("b") == 1
    assert [call_id for call_id, _ in results(rig)] == ["a", "b", "c"]


async def test_an_approval_that_expired_is_a_result() -> None:
    rig = Rig([reply(call("a", "write", x=1)), "Then not."])
    await rig.run()
    rig.journal.append(ApprovalExpired(("a",)))
    await rig.run()
    (result,) = of_type(rig.log, ToolFinished)
    assert "expired" in result.content
    assert rig.toolset.ran == []


async def test_a_call_that_is_asked_about_after_an_interruption_is_recorded_as_it_really_ran() -> None:
    """Begun under a rule, interrupted, the rule revoked: the verdict and its arguments are what the log says."""
    rule = Rule("r", Effect.ALLOW, "write", user_id=USER)
    rig = Rig([reply(call("a", "write", x=1)), "Done."], rules=[rule])
    await rig.run(most=1)
    assert [event.grant.kind for event in of_type(rig.log, ToolStarted)] == [GrantKind.REMEMBERED]
    rig.rules = ()
    assert (await rig.run()).is_waiting
    rig.decide("a", True, '{"x":2}')
    await rig.run()
    last = of_type(rig.log, ToolStarted)[-1]
    assert (last.grant.kind, last.arguments) == (GrantKind.USER, '{"x":2}')
    assert [ran.arguments for ran in rig.toolset.ran] == [{"x": 2}]


@table("decided", ["no", "edit"])
async def test_a_call_that_failed_as_it_was_changed_may_still_run_as_it_was_proposed(decided: str) -> None:
    """Failures are counted by what ran."""
    proposals = [reply(call(f"c{number}", "write", x=1)) for number in range(3)]
    rig = Rig([*proposals, "Done."])
    for number in range(2):
        await rig.run()
        rig.decide(f"c{number}", decided == "edit", '{"x":13}' if decided == "edit" else None)
    await rig.run()
    requested = of_type(rig.log, ApprovalRequested)
    assert len(requested) == (3 if decided == "edit" else 2)


async def test_one_question_at_a_time_and_after_everything_else() -> None:
    batch = [
        ToolCall("q", REQUEST_INPUT.name, '{"question": "Which?", "choices": ["A", "B"]}'),
        call("a", "look", x=1),
        ToolCall("p", REQUEST_INPUT.name, '{"question": "And?"}'),
        ToolCall("w", REQUEST_INPUT.name, '{"question": ""}'),
    ]
    rig = Rig([reply(*batch), "Done."])
    view = await rig.run()
    assert view.is_waiting
    (asked,) = of_type(rig.log, InputRequested)
    assert (asked.question, asked.choices) == ("Which?", ("A", "B"))
    assert {call_id for call_id, is_error in results(rig) if is_error} == {"p", "w"}
    rig.journal.append(InputGiven("A", USER))
    view = await rig.run()
    assert isinstance(view.end, Completed)
    assert '{"answer":"A"}' in [event.content for event in of_type(rig.log, ToolFinished)]
    assert [event.call_id for event in of_type(rig.log, ToolStarted)] == ["a", "q"]
