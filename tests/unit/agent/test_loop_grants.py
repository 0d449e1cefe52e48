"""Over random policies, flags, replies, verdicts and interruptions: nothing changes without a recorded grant."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply, ToolCall
from docagent.domain.turns.events import (
    ApprovalDecided,
    ApprovalRequested,
    Event,
    Grant,
    GrantKind,
    Terminal,
    ToolFinished,
    ToolStarted,
    TurnStarted,
    TurnTerms,
)
from docagent.domain.turns.permission import ANY_TOOL, Effect, Rule
from docagent.domain.turns.tools import Access
from docagent.domain.turns.turns import Subject
from tests.support.models.agent_fakes import DOCUMENT, TOOLS, USER, Rig, of_type

NAMES = [tool.name for tool in TOOLS]
WRITES = {tool.name for tool in TOOLS if tool.access is Access.READ_WRITE}

numbers = st.sampled_from([1, 2, 13])
arguments = st.one_of(
    st.builds(lambda x: orjson.dumps({"x": x}).decode(), numbers), st.sampled_from(["{}", "{", '{"y":1}'])
)
tool_calls = st.builds(
    ToolCall,
    st.sampled_from(["a", "b", "c", ""]),
    st.sampled_from([*NAMES, "write", "erase", "unknown"]),
    arguments,
)
replies = st.builds(
    lambda text, calls: make_reply(text, tool_calls=calls),
    st.sampled_from(["", "So."]),
    st.lists(tool_calls, max_size=4),
)
rules = st.builds(
    lambda number, effect, tool, narrowed, document, user: Rule(
        f"r{number}", effect, tool, narrowed, document, user
    ),
    st.integers(0, 99),
    st.sampled_from(Effect),
    st.sampled_from([*NAMES, ANY_TOOL]),
    st.sampled_from([{}, {"x": 1}]),
    st.sampled_from([None, DOCUMENT, Subject.document("d2"), Subject.project(DOCUMENT.id)]),
    st.sampled_from([None, USER, "u2"]),
)
flags = st.fixed_dictionaries(
    {
        "auto_approve": st.sampled_from([False, False, False, True]),
        "auto_approved_tools": st.lists(st.sampled_from(NAMES), max_size=2).map(tuple),
        "selected_tools": st.none() | st.lists(st.sampled_from(NAMES), max_size=4).map(tuple),
    }
)


def test_no_change_runs_without_a_recorded_grant() -> None:
    counted = {"ran": 0, "waited": 0, "rejected": 0}

    with asyncio.Runner() as runner:

        @settings(max_examples=250, suppress_health_check=list(HealthCheck))
        @given(st.data(), flags, st.lists(replies, min_size=1, max_size=4))
        def turns(data: st.DataObject, terms: dict[str, Any], said: list[ModelReply]) -> None:
            runner.run(one_turn(data, terms, said, counted))

        turns()
    assert all(counted.values()), counted


async def one_turn(
    data: st.DataObject, terms: dict[str, Any], said: list[ModelReply], counted: dict[str, int]
) -> None:
    started = TurnStarted("scripted", "tools", 10, TurnTerms(**terms))
    rig = Rig([*said, "The end."], started=started)
    policies: list[list[Rule]] = []
    for _ in range(8):
        rig.rules = data.draw(st.lists(rules, max_size=3))
        policies.append(list(rig.rules))
        view = await rig.run(most=data.draw(st.none() | st.integers(1, 6)))
        if view.end is not None:
            break
        for call in view.undecided:
            counted["waited"] += 1
            verdict = data.draw(st.sampled_from(["yes", "yes", "no", "edit", "later"]))
            counted["rejected"] += verdict == "no"
            if verdict != "later":
                rig.decide(call.id, verdict != "no", data.draw(arguments) if verdict == "edit" else None)
    counted["ran"] += sum(item.name in WRITES for item in rig.toolset.ran)
    check(rig, [rule for listed in policies for rule in listed])


def check(rig: Rig, rules: list[Rule]) -> None:
    started = {event.call_id: event for event in of_type(rig.log, ToolStarted)}
    for ran in rig.toolset.ran:
        recorded = started[ran.call_id]
        assert recorded.name == ran.name
        assert orjson.loads(recorded.arguments) == ran.arguments
        if ran.name in WRITES:
            check_grant(rig, recorded.grant, ran.name, ran.call_id, rules)
    finished = of_type(rig.log, ToolFinished)
    assert len({event.call_id for event in finished}) == len(finished), "a call has one result"
    assert len(of_type(rig.log, Terminal)) <= 1  # type: ignore[arg-type]  # a union of classes
    for event in finished:
        if event.ran:
            assert event.call_id in started
    check_order(rig.log)


def check_grant(rig: Rig, grant: Grant, name: str, call_id: str, rules: list[Rule]) -> None:
    terms = rig.started.terms
    decided = {event.call_id: event for event in of_type(rig.log, ApprovalDecided)}
    match grant.kind:
        case GrantKind.USER:
            assert decided[call_id].approved
            assert grant.user_id == decided[call_id].user_id == USER
        case GrantKind.REQUEST:
            assert terms.auto_approve or name in terms.auto_approved_tools
        case GrantKind.ORGANIZATION | GrantKind.REMEMBERED:
            owner = None if grant.kind is GrantKind.ORGANIZATION else USER
            named = [rule for rule in rules if rule.id == grant.rule_id]
            fitting = [rule for rule in named if rule.effect is Effect.ALLOW and rule.user_id == owner]
            assert any(rule.tool in (name, ANY_TOOL) for rule in fitting)
        case _:
            raise AssertionError(f"{grant.kind} is no grant for a change")
    assert call_id not in decided or decided[call_id].approved


def check_order(log: list[Event]) -> None:
    """What was asked for is decided before anything of its batch starts."""
    open_calls: set[str] = set()
    for event in log:
        if isinstance(event, ApprovalRequested):
            open_calls |= {call.id for call in event.calls if call.asks}
        elif isinstance(event, ApprovalDecided):
            open_calls.discard(event.call_id)
        elif isinstance(event, ToolStarted):
            assert not open_calls
