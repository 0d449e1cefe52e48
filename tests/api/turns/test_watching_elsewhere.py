"""Watching a turn that another process runs: its log is read when something was written, not with every piece."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta

from docagent.domain.turns.events import Delta, Event, Recorded, StepStarted, TurnStarted, UserMessage
from docagent.services.turns.live import Item
from docagent.store.turns import turns
from tests.support.agent import OPENAI, Desk, running_turn
from tests.support.polling import SECONDS
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

BEGINNING: list[Event] = [TurnStarted(OPENAI, "tools", 5), UserMessage("Hi")]


async def test_the_log_is_not_read_for_pieces_of_a_reply(own_desk: Desk) -> None:
    services, member = own_desk.services, own_desk.tenant.member
    turn = running_turn(own_desk.tenant, own_desk.document_id, BEGINNING)
    live = services.turn_runner.live

    async def write(first_seq: int, *events: Event) -> None:
        async with services.db.write_org(turn.organization_id) as tx:
            await turns.add_events(tx, turn.id, first_seq, events, turn.created_at)

    async with services.db.write_org(turn.organization_id) as tx:
        until = turn.created_at + timedelta(hours=1)
        await turns.insert(tx, turn, owner="elsewhere", lease_until=until)
    await write(1, *BEGINNING)
    async with asyncio.timeout(SECONDS), aclosing(services.turns.watching.watch(member, turn.id)) as batches:
        assert _told(await anext(batches)) == [1, 2]
        await write(3, StepStarted(1))  # and nobody says so yet
        for words in ("One", " two", " three"):
            live.came(turn.id, 2, Delta("text", words, 1, "act"))
            assert _told(await anext(batches)) == [words]
        live.wake(turn.id)
        assert _told(await anext(batches)) == [3]


def _told(items: list[Item]) -> list[int | str]:
    return [item.seq if isinstance(item, Recorded) else item.text for item in items]
