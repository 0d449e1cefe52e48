"""Two processes on one PostgreSQL database: what runs in one is watched, stopped and steered in the other.

Leases last an hour here, so nothing but the line between the processes can carry it in time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.models.llm import CallDelta
from docagent.domain.turns.events import Delta, Event, Recorded, TurnStarted, UserMessage
from docagent.domain.turns.turns import Turn, TurnState
from docagent.services.turns.deciding import Decision
from docagent.store.engine.postgres_line import PostgresLine
from docagent.store.turns import turns
from tests.conftest import make_settings
from tests.support.agent import OPENAI, Desk, Studio, call, calls, running_studio, running_turn
from tests.support.polling import SECONDS, until
from tests.support.services.databases import Databases

AN_HOUR: dict[str, object] = {"lease_seconds": 3600}


@dataclass
class Pair:
    """A desk at the first process, and the services of the second."""

    here: Studio
    there: Studio
    desk: Desk

    @property
    def member(self) -> Member:
        return self.desk.tenant.member

    @property
    def elsewhere(self) -> Services:
        return self.there.product.services


@pytest.fixture
async def pair(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    settings = make_settings(
        tmp_path_factory.mktemp("data"), await databases.new("postgresql"), agent=AN_HOUR, worker=AN_HOUR
    )
    other = settings.model_copy(update={"data": tmp_path_factory.mktemp("data")})
    async with running_studio(settings) as here, running_studio(other) as there:
        yield Pair(here, there, await here.new_desk())


class Viewer:
    """Somebody at the second process who watches a turn of the first."""

    def __init__(self, pair: Pair, turn_id: str) -> None:
        self.events: list[int] = []
        self.text = ""
        self.of_calls: list[Delta] = []
        self._task = asyncio.create_task(self._watch(pair, turn_id))

    async def _watch(self, pair: Pair, turn_id: str) -> None:
        async with aclosing(pair.elsewhere.turns.watching.watch(pair.member, turn_id)) as batches:
            async for batch in batches:
                for item in batch:
                    if isinstance(item, Recorded):
                        self.events.append(item.seq)
                    elif isinstance(item, Delta):
                        self.text += item.text
                        if item.kind == "call":
                            self.of_calls.append(item)

    async def sees(self, text: str) -> None:
        async def is_there() -> bool:
            return text in self.text

        await until(is_there)

    async def ends(self) -> list[int]:
        async with asyncio.timeout(SECONDS):
            await self._task
        return self.events


async def test_pieces_of_a_reply_and_all_events_are_seen_elsewhere(pair: Pair) -> None:
    gate = pair.here.hold_reply(after=3)
    turn_id = await pair.desk.begin("Talk", "One two three four five six seven eight.")
    await gate.reached.wait()
    first = Viewer(pair, turn_id)
    await first.sees("One")
    late = Viewer(pair, turn_id)
    await late.sees(first.text)
    gate.opened.set()
    numbers = await first.ends()
    assert numbers == await late.ends()
    assert numbers == [item["seq"] for item in await pair.desk.events(turn_id)]
    assert first.text == late.text
    assert "One two three four five six seven eight.".startswith(first.text)


async def test_a_long_reply_is_cut_into_messages_and_nothing_of_it_is_lost(pair: Pair) -> None:
    words = "ä𝄞\n" * 3000
    gate = pair.here.hold_reply(after=200)
    turn_id = await pair.desk.begin("Talk", words)
    await gate.reached.wait()
    viewer = Viewer(pair, turn_id)
    await viewer.sees(words[:300])
    gate.opened.set()
    await viewer.ends()
    assert words.startswith(viewer.text)


async def test_a_call_that_is_being_written_is_seen_elsewhere(pair: Pair) -> None:
    name = "long " * 500
    gate = pair.here.hold_reply(after=200, of=CallDelta)
    turn_id = await pair.desk.begin("Look", calls(call("a", "list_tags", name_search=name)), "Done.")
    await gate.reached.wait()
    viewer = Viewer(pair, turn_id)
    await viewer.sees("long " * 150)
    gate.opened.set()
    await viewer.ends()
    assert [delta.begins for delta in viewer.of_calls if delta.begins is not None] == ["list_tags"]
    told = "".join(delta.text for delta in viewer.of_calls)
    assert f'{{"name_search": "{name}"}}'.startswith(told)


async def test_a_stop_elsewhere_is_heard_at_once(pair: Pair) -> None:
    gate = pair.here.hold_reply(after=1)
    turn_id = await pair.desk.begin("Talk", "On and on and on.")
    await gate.reached.wait()
    await pair.elsewhere.turns.steering.stop(pair.member, turn_id)
    assert (await pair.desk.until(turn_id, "stopped"))["state"] == "stopped"


async def test_what_is_approved_elsewhere_runs_there_and_is_seen_here(pair: Pair) -> None:
    answer = await pair.desk.chat("Tag it", calls(call("w", "create_tag", name="Urgent")))
    turn_id = answer["turn_id"]
    pair.there.provider.add("Done.")
    back = Viewer(replace(pair, there=pair.here), turn_id)
    await pair.elsewhere.turns.deciding.decide(pair.member, turn_id, [Decision("w", approved=True)])
    assert await back.ends() == [item["seq"] for item in await pair.desk.events(turn_id)]
    turn = await pair.elsewhere.turns.watching.get(pair.member, turn_id)
    assert turn.state is TurnState.COMPLETED


async def test_a_turn_is_taken_over_when_its_process_is_gone_and_not_before(pair: Pair) -> None:
    services = pair.desk.services
    line = PostgresLine(services.conninfo)
    async with line.held():
        held = await left_running(pair, line.name)
        unknown = await left_running(pair, "of an older version")
        assert await services.line.gone({line.name, pair.elsewhere.line.name, "of an older version"}) == set()
        assert await services.turn_runner.recover() == 0
    pair.desk.script("Blue.")

    async def is_taken_over() -> bool:
        return await services.turn_runner.recover() > 0

    await until(is_taken_over)
    await pair.desk.until(held.id, "completed")
    assert (await services.turns.watching.get(pair.member, unknown.id)).state is TurnState.RUNNING


async def test_a_turn_that_a_transaction_holds_keeps_no_other_from_being_taken_over(pair: Pair) -> None:
    """As a process does that hangs in the middle of a commit."""
    services = pair.desk.services
    line = PostgresLine(services.conninfo)
    async with line.held():
        stuck, *others = [await left_running(pair, line.name) for _ in range(4)]
    pair.desk.script("Red.", "Green.", "Blue.", "Grey.")
    async with services.db.write_org(pair.member.organization_id) as tx:
        assert await turns.get(tx, stuck.id, lock=True) is not None

        async def are_taken_over() -> bool:
            await services.turn_runner.recover()
            states = [(await services.turns.watching.get(pair.member, turn.id)).state for turn in others]
            return all(state is TurnState.COMPLETED for state in states)

        await until(are_taken_over)
        assert (await services.turns.watching.get(pair.member, stuck.id)).state is TurnState.RUNNING

    async def is_taken_over() -> bool:
        return await services.turn_runner.recover() > 0

    await until(is_taken_over)
    await pair.desk.until(stuck.id, "completed")


async def left_running(pair: Pair, owner: str) -> Turn:
    """A turn with a long lease, as a process of this name would leave it."""
    moment = now()
    events: list[Event] = [
        TurnStarted(model=OPENAI, strategy="tools", max_steps=5),
        UserMessage("Say a colour"),
    ]
    turn = running_turn(pair.desk.tenant, pair.desk.document_id, events)
    async with pair.desk.services.db.write_org(pair.member.organization_id) as tx:
        await turns.insert(tx, turn, owner=owner, lease_until=moment + timedelta(hours=1))
        await turns.add_events(tx, turn.id, 1, events, moment)
    return turn
