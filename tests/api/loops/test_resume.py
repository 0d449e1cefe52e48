"""A process ends in every phase; the next one goes on from the log, and the log is the same as without."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from docagent.adapters.llm.scripted import Answer
from docagent.domain.turns.events import InputRequested, ToolFinished
from docagent.domain.turns.turns import Turn
from tests.api.loops.scenes import (
    ANSWER,
    ASKED,
    BEGIN,
    LOOKED,
    PLAN_YES,
    PLANNED,
    RAN,
    YES,
    ask,
    fail,
    look,
    make,
    observe,
    plan,
    reason,
    think,
)
from tests.conftest import make_settings
from tests.support.models.held_model import House
from tests.support.polling import SECONDS


@dataclass(frozen=True)
class Story:
    strategy: str
    replies: tuple[Answer, ...]
    does: tuple[Mapping[str, Any], ...]
    events: str
    text: str


QUESTION = "assistant_message tool_started input_requested input_given tool_result"
STORIES = [
    Story(
        "react",
        (
            reason(),
            look(),
            observe(True),
            reason(),
            make(),
            observe(True),
            reason(),
            ask(),
            observe(False, "B."),
        ),
        (YES, ANSWER),
        f"{BEGIN} reason {LOOKED} observe step_started reason {ASKED} {RAN} observe step_started reason {QUESTION} "
        "observe completed",
        "B.",
    ),
    Story(
        "plan-and-execute",
        (
            plan("look", "make"),
            look(),
            "Looked.",
            fail("f"),
            plan("make", "ask"),
            make(),
            "Made.",
            ask(),
            "B.",
            "All.",
        ),
        (PLAN_YES, PLAN_YES, YES, ANSWER),
        f"{BEGIN} {PLANNED} {LOOKED} step_started assistant_message plan step_started {LOOKED} {PLANNED} step_started "
        f"{ASKED} {RAN} step_started assistant_message plan step_started {QUESTION} step_started assistant_message "
        "plan assistant_message completed",
        "All.",
    ),
    Story(
        "think-act",
        (think(), make(), think(finish=True, final_answer="Made.")),
        (YES,),
        f"{BEGIN} reason {ASKED} {RAN} step_started reason completed",
        "Made.",
    ),
]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(make_settings(tmp_path))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.strategy)
async def test_a_process_that_ends_in_each_phase(house: House, story: Story) -> None:
    """Each process lives for one reply of the model: it ends while the next one is asked for, or while it waits."""
    todo = list(story.does)
    turn: Turn | None = None
    for number, reply in enumerate(story.replies):
        last = number + 1 == len(story.replies)
        async with house.process([reply]) as bench:
            bench.model.hold_from = None if last else 2
            if turn is None:
                turn = await bench.start(story.strategy, max_steps=None)
            elif (await bench.state(turn)).is_waiting:
                assert await bench.services.turn_runner.recover() == 0
                await bench.do(turn, todo.pop(0))
            else:
                assert await bench.services.turn_runner.recover() == 1
            while not bench.model.reached.is_set() and bench.services.turn_runner.runs(turn.id):
                await one_of(bench.services.turn_runner.wait(turn.id), bench.model.reached.wait())
            if last:
                assert await bench.kinds(turn) == story.events
                assert (await bench.log(turn))[-1].text == story.text  # type: ignore[union-attr]  # a Completed
    assert not todo


async def one_of(*waits: Any) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.wait(tasks, timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_question_waits_through_a_restart(house: House) -> None:
    async with house.process([ask()]) as bench:
        turn = await bench.start("tools")
        assert (await bench.settle(turn)).value == "awaiting_input"
    async with house.process(["B it is."]) as bench:
        assert await bench.services.turn_runner.recover() == 0
        await bench.services.turns.deciding.answer(bench.member, turn.id, "B")
        assert (await bench.settle(turn)).value == "completed"
        log = await bench.log(turn)
        assert sum(isinstance(event, InputRequested) for event in log) == 1
        (result,) = [event for event in log if isinstance(event, ToolFinished)]
        assert result.content == '{"answer":"B"}'


async def test_a_stop_that_nobody_carried_out_is_carried_out_by_the_next_process(house: House) -> None:
    """The process ended between the request to stop and the end of the turn."""
    async with house.process([]) as bench:
        bench.model.hold_from = 1
        turn = await bench.start("react")
        await bench.held()
        await bench.services.turns.steering.steer(bench.member, turn.id, "And this")
    async with house.process([]) as bench:
        bench.model.hold_from = 1
        await bench.services.turns.steering.stop(bench.member, turn.id)
        await bench.services.turn_runner.recover()
        assert await bench.kinds(turn) == f"{BEGIN} steered stopped"
        assert bench.model.requests == []
