"""Turns whose process is gone: what was asked of them before is still heard. `make kill-test` does the killing."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.turns.events import (
    ApprovalDecided,
    Event,
    Steered,
    StepStarted,
    TurnStarted,
    UserMessage,
)
from docagent.domain.turns.turns import TurnState
from docagent.store.engine.database import OrgTx
from docagent.store.turns import turns
from tests.support.agent import OPENAI, Desk, Studio, call, calls, running_turn
from tests.support.polling import true_soon
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

AGO = timedelta(seconds=1)


@asynccontextmanager
async def written(desk: Desk) -> AsyncIterator[OrgTx]:
    """What another process wrote before it was gone."""
    async with desk.services.db.write_org(desk.tenant.organization_id) as tx:
        yield tx


async def test_a_stop_that_was_asked_of_a_dead_process_is_heard_before_anything_runs(own_desk: Desk) -> None:
    tag = call("w", "create_tag", name=f"tag {new_id()}")
    turn_id = (await own_desk.chat("Tag it", calls(tag)))["turn_id"]
    async with written(own_desk) as tx:
        turn = await turns.get(tx, turn_id)
        assert turn is not None
        decided = ApprovalDecided("w", True, turn.user_id)
        assert await turns.append_to_waiting(
            tx, turn, [decided], now(), state=TurnState.RUNNING, owner="gone", lease_until=now() - AGO
        )
        await turns.request_stop(tx, turn_id, turn.user_id)
    assert await own_desk.services.turn_runner.recover() >= 1
    await own_desk.until(turn_id, "stopped")
    assert await own_desk.tags() == []
    assert (await own_desk.kinds(turn_id))[-1] == "stopped"


async def test_what_was_said_to_a_dead_process_is_still_heard(own_desk: Desk) -> None:
    tenant, moment = own_desk.tenant, now()
    events: list[Event] = [
        TurnStarted(model=OPENAI, strategy="tools", max_steps=5),
        UserMessage("Say a colour"),
        StepStarted(1),
    ]
    turn = running_turn(tenant, own_desk.document_id, events)
    async with written(own_desk) as tx:
        await turns.insert(tx, turn, owner="gone", lease_until=moment - AGO)
        await turns.add_events(tx, turn.id, 1, events, moment)
        await turns.add_signal(tx, turn.id, Steered("A dark one", tenant.user_id), moment)
    own_desk.script("Blue.", "Navy.")
    assert await own_desk.services.turn_runner.recover() >= 1
    await own_desk.until(turn.id, "completed")
    assert "A dark one" in str(own_desk.asked()["messages"][-1])
    assert (await own_desk.kinds(turn.id)).count("steered") == 1


async def test_a_turn_that_waits_is_nobodys_to_take_over(own_desk: Desk) -> None:
    turn_id = (await own_desk.chat("Tag it", calls(call("w", "create_tag", name=f"tag {new_id()}"))))[
        "turn_id"
    ]
    await own_desk.services.turn_runner.recover()
    assert (await own_desk.api.get(f"/turns/{turn_id}"))["state"] == "awaiting_approval"
    assert [item["turn_id"] for item in (await own_desk.api.get("/approvals"))["approvals"]] == [turn_id]


async def test_a_turn_that_another_process_took_over_is_one_line_of_the_log(
    own_desk: Desk, studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    gate = studio.hold_reply()
    with caplog.at_level(logging.INFO, "docagent"):
        turn_id = await own_desk.begin("Talk", "Said in confidence.")
        await gate.reached.wait()
        async with written(own_desk) as tx:
            turn = await turns.get(tx, turn_id)
            assert turn is not None
            await turns.add_events(tx, turn_id, turn.last_seq + 1, [StepStarted(1)], now())
        gate.opened.set()
        await true_soon(lambda: f"turn {turn_id} was taken over" in caplog.text)
    assert [record for record in caplog.records if record.exc_info] == []
    assert "in confidence" not in caplog.text
