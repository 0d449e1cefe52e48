"""Tokens and sessions that end while something runs with them: turns, streams and sockets end with them, in every
process, and whoever revoked them is told what was stopped."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import CREDENTIAL_GONE, Credential, Member, Membership, Principal, Role
from docagent.domain.clock import now
from docagent.domain.errors import Unauthenticated
from docagent.domain.ids import new_id
from docagent.domain.turns.events import Event, Failed, StepStarted, TurnStarted, UserMessage
from docagent.domain.turns.turns import TurnState
from docagent.services.turns.deciding import Decision
from docagent.services.turns.watching import TurnWatching
from docagent.store import tables as table
from docagent.store.accounts import credentials
from docagent.store.turns import turns
from tests.conftest import make_settings
from tests.support.accounts import PASSWORD, Person, new_person
from tests.support.agent import (
    OPENAI,
    Desk,
    Json,
    Studio,
    call,
    calls,
    decision,
    message,
    running_studio,
    running_turn,
    say,
    served,
    yes,
)
from tests.support.chat_socket import connected
from tests.support.models.held_model import House, said
from tests.support.polling import SECONDS, true_soon, until
from tests.support.services.databases import Databases, on_each_database

pytestmark = on_each_database

TAG = call("w", "create_tag", name="made")
AT_ONCE = {"auto_approved_tools": ["create_tag"]}
NEVER, OFTEN = 3600.0, 0.05
"""How often streams ask: where somebody must tell them, and where nobody does."""
Rest = Callable[[], Awaitable[str]]
"""Reads a stream to its end and returns what came."""
Transport = Callable[[AsyncExitStack, "Guest"], Awaitable[Rest]]


# --- whoever calls, and the ways in which their credential ends ---------------------------------------------------


@dataclass(frozen=True)
class Guest:
    """A second administrator of the desk's organisation, and the credential that they show."""

    person: Person
    owner: Desk
    headers: dict[str, str]

    @property
    def desk(self) -> Desk:
        return self.owner.as_member(self.headers)

    @property
    def base(self) -> str:
        return f"/v0/orgs/{self.owner.tenant.organization_id}"

    async def member(self) -> Member:
        token = self.headers["Authorization"].removeprefix("Bearer ")
        return await self.owner.services.identity.member(token, None, self.owner.tenant.organization_id)

    async def token(self, headers: dict[str, str]) -> tuple[str, Guest]:
        """Make a token, and show it from now on."""
        client = self.owner.api.client
        made = await client.post(
            f"{self.base}/access_tokens", json={"name": "t", "lifetime": 0}, headers=headers
        )
        assert made.status_code == 200, made.text
        shown = {"Authorization": f"Bearer {made.json()['token']}"}
        return made.json()["id"], dataclasses.replace(self, headers=shown)


async def new_guest(desk: Desk) -> Guest:
    person = await new_person(desk.studio.product)
    product, members = desk.studio.product, [Membership(desk.tenant.user_id, Role.ADMIN)]
    await product.services.organizations.update(
        product.admin,
        desk.tenant.organization_id,
        name=None,
        type=None,
        members=[*members, Membership(person.id, Role.ADMIN)],
        flags={},
        ocr_config=None,
    )
    return Guest(person, desk, person.headers)


@pytest.fixture
async def guest(own_desk: Desk) -> Guest:
    await own_desk.api.put("/llm/default_model", {"model": OPENAI})
    return await new_guest(own_desk)


Ended = tuple[Guest, Callable[[], Awaitable[Json | None]]]
"""Whoever calls with a credential, and what ends it; that returns what was stopped, where it is told."""


async def a_revoked_token(guest: Guest) -> Ended:
    token_id, holder = await guest.token(guest.headers)
    return holder, lambda: _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")


async def the_token_that_made_it_is_revoked(guest: Guest) -> Ended:
    token_id, maker = await guest.token(guest.headers)
    _, holder = await guest.token(maker.headers)
    return holder, lambda: _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")


async def a_changed_password(guest: Guest) -> Ended:
    body = {"password": "another long password", "current_password": PASSWORD}
    return guest, lambda: _stopped(guest, "PUT", f"/v0/account/users/{guest.person.id}", body)


async def a_changed_password_that_revokes_tokens(guest: Guest) -> Ended:
    _, holder = await guest.token(guest.headers)
    body = {"password": "another long password", "current_password": PASSWORD, "revoke_tokens": True}
    return holder, lambda: _stopped(guest, "PUT", f"/v0/account/users/{guest.person.id}", body)


async def a_sign_out(guest: Guest) -> Ended:
    browser = httpx2.AsyncClient(base_url=guest.owner.api.client.base_url)
    signed_in = await browser.post(
        "/v0/account/auth/login", json={"email": guest.person.email, "password": PASSWORD}
    )
    shown = {"Authorization": f"Bearer {signed_in.json()['token']}"}

    async def end() -> None:
        assert (await browser.post("/v0/account/auth/logout")).status_code == 204
        await browser.aclose()

    return dataclasses.replace(guest, headers=shown), end


async def an_expired_token(guest: Guest) -> Ended:
    token_id, holder = await guest.token(guest.headers)
    return holder, lambda: _expire(guest, table.access_tokens, token_id)


async def an_expired_session(guest: Guest) -> Ended:
    session_id = (await guest.member()).principal.session_id
    assert session_id is not None
    return guest, lambda: _expire(guest, table.sessions, session_id)


async def _stopped(guest: Guest, method: str, path: str, body: Json | None = None) -> Json:
    answer = await guest.owner.api.client.request(method, path, json=body, headers=guest.headers)
    assert answer.status_code == 200, answer.text
    stopped: Json = answer.json().get("stopped", {"turns": 0, "streams": 0})
    return stopped


async def _expire(guest: Guest, kind: sa.Table, id: str) -> None:
    async with guest.owner.services.db.write() as tx:
        await tx.execute(
            sa.update(kind).where(kind.c.id == id).values(expires_at=now() - timedelta(seconds=1))
        )


# --- streams of all kinds -----------------------------------------------------------------------------------------


@asynccontextmanager
async def asking(guest: Guest, seconds: float) -> AsyncIterator[Guest]:
    """The same guest at a server whose streams ask for their credentials so often."""
    services = guest.owner.services
    watching = TurnWatching(services.db, services.turn_runner, heartbeat_seconds=seconds)
    changed = dataclasses.replace(services, turns=dataclasses.replace(services.turns, watching=watching))
    before, services.live_changes.heartbeat_seconds = services.live_changes.heartbeat_seconds, seconds
    async with served(guest.owner.studio.product, changed) as client:
        api = dataclasses.replace(guest.owner.api, client=client)
        try:
            yield dataclasses.replace(guest, owner=dataclasses.replace(guest.owner, api=api))
        finally:
            services.live_changes.heartbeat_seconds = before


async def streamed(
    stack: AsyncExitStack,
    guest: Guest,
    path: str,
    body: Json | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[Rest, httpx2.Response]:
    """Open a stream and wait for its first words."""
    accepts = {"Accept": "text/event-stream", **guest.headers, **(headers or {})}
    opening = guest.owner.api.client.stream("POST" if body else "GET", path, json=body, headers=accepts)
    response = await stack.enter_async_context(opening)
    assert response.status_code == 200, await response.aread()
    lines = response.aiter_lines()

    async def rest() -> str:
        return "\n".join([line async for line in lines])

    return rest, response


async def chat(stack: AsyncExitStack, guest: Guest) -> Rest:
    body = message("Tag it", stream=True, **AT_ONCE)
    rest, response = await streamed(stack, guest, guest.base + guest.desk.path, body)
    stack.push_async_callback(response.aclose)
    return rest


async def watch(stack: AsyncExitStack, guest: Guest) -> Rest:
    """A second stream, of the turn that runs already."""
    async with guest.owner.services.db.read_org(guest.owner.tenant.organization_id) as tx:
        row = await tx.first(sa.select(table.turns.c.id).where(table.turns.c.state == "running"))
    assert row is not None
    return (await streamed(stack, guest, f"{guest.base}/turns/{row.id}/events"))[0]


async def ag_ui(stack: AsyncExitStack, guest: Guest) -> Rest:
    said_ = [{"id": new_id(), "role": "user", "content": "Tag it"}]
    body = {
        "threadId": f"conversation {new_id()}",
        "runId": new_id(),
        "messages": said_,
        "state": {},
        "tools": [],
        "context": [],
    }
    terms = {"forwardedProps": {"docagent": {"model": OPENAI, **AT_ONCE}}}
    path = guest.base + guest.desk.path.replace("/chat", "/ag-ui")
    return (await streamed(stack, guest, path, body | terms))[0]


async def completions(stack: AsyncExitStack, guest: Guest) -> Rest:
    body = {
        "model": f"docagent/document/{guest.owner.document_id}",
        "messages": [{"role": "user", "content": "Tag it"}],
        "stream": True,
    }
    return (await streamed(stack, guest, "/v1/chat/completions", body))[0]


async def changes(stack: AsyncExitStack, guest: Guest) -> Rest:
    return (await streamed(stack, guest, f"{guest.base}/changes"))[0]


async def mcp(stack: AsyncExitStack, guest: Guest) -> Rest:
    """The stream over which a server speaks to an MCP client by itself."""
    client, path = guest.owner.api.client, f"{guest.base}/mcp"
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    accepts = {"Accept": "application/json, text/event-stream", **guest.headers}
    answer = await client.post(path, json=greeting, headers=accepts)
    assert answer.status_code == 200, answer.text
    session = {"Mcp-Session-Id": answer.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-06-18"}
    return (await streamed(stack, guest, path, headers=session))[0]


async def socket(stack: AsyncExitStack, guest: Guest) -> Rest:
    client = await stack.enter_async_context(connected(guest.desk))
    await client.chat("Tag it", **AT_ONCE)
    await client.until("token_stream")

    async def rest() -> str:
        code = await client.closed()
        return f"{client.frames} {code}"

    return rest


async def model(stack: AsyncExitStack, guest: Guest) -> Rest:
    """A model without the agent."""
    body = {"model": OPENAI, "messages": [{"role": "user", "content": "Hi"}], "stream": True}
    return (await streamed(stack, guest, f"{guest.base}/llm/run", body))[0]


# --- what ends ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    [
        a_revoked_token,
        the_token_that_made_it_is_revoked,
        a_changed_password,
        a_changed_password_that_revokes_tokens,
        a_sign_out,
        an_expired_token,
        an_expired_session,
    ],
)
async def test_all_that_runs_with_a_credential_ends_with_it(
    guest: Guest, studio: Studio, way: Callable[[Guest], Awaitable[Ended]]
) -> None:
    expires = way in (an_expired_token, an_expired_session)
    gate = studio.hold_reply()
    studio.provider.add(*[say("I make the tag.", TAG)] * 5)
    runner = studio.product.services.turn_runner
    async with asking(guest, OFTEN if expires else NEVER) as there, AsyncExitStack() as stack:
        holder, end = await way(there)
        begun: list[Transport] = [chat, ag_ui, socket]
        if "org_" in holder.headers["Authorization"]:  # a session means one's own organisation there
            begun.append(completions)
        opened = [*begun, watch, changes, mcp] + [model] * (not expires)
        rests = {each.__name__: await each(stack, holder) for each in opened}
        asked = len(begun) + (not expires)
        await true_soon(lambda: len(studio.provider.requests) == asked)
        stopped = await end()
        if stopped is not None:
            assert stopped == {"turns": len(begun), "streams": len(opened)}
        if not expires:
            await true_soon(lambda: runner.running == 0)
        gate.opened.set()  # the model says what it would do next
        async with asyncio.timeout(SECONDS):
            for name, rest in rests.items():
                said_ = await rest()
                assert name == mcp.__name__ or CREDENTIAL_GONE in said_, (name, said_)
        await true_soon(lambda: runner.running == 0)
        assert len(studio.provider.requests) == asked, "no step came after"
        assert await guest.owner.tags() == []
    async with guest.owner.services.db.read_org(guest.owner.tenant.organization_id) as tx:
        rows = await tx.rows(sa.select(table.turns.c.id, table.turns.c.state))
        ends = [(await turns.events(tx, row.id))[-1].event for row in rows]
    told = [(event.error, event.code) for event in ends if isinstance(event, Failed)]
    assert told == [(CREDENTIAL_GONE, "unauthenticated")] * len(begun)
    assert [row.state for row in rows] == ["failed"] * len(begun)


async def test_other_credentials_of_the_same_user_go_on(guest: Guest, studio: Studio) -> None:
    gate = studio.hold_reply()
    token_id, holder = await guest.token(guest.headers)
    turn_id = await guest.desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    async with guest.desk.watching(turn_id) as events:
        assert (await anext(events))["type"] == "turn_started"
        stopped = await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
        assert stopped == {"turns": 0, "streams": 0}
        gate.opened.set()
        assert [event async for event in events][-1]["type"] == "completed"
    assert await guest.owner.tags() == ["made"]
    assert (await holder.desk.api.call("GET", "/tags")).status_code == 401


async def test_an_answer_without_a_stream_is_401(guest: Guest, studio: Studio) -> None:
    gate = studio.hold_reply()
    token_id, holder = await guest.token(guest.headers)
    holder.desk.script(say("I make the tag.", TAG), "Made.")
    asked = asyncio.create_task(
        holder.desk.api.refused(401, "POST", holder.desk.path, message("Tag it", **AT_ONCE))
    )
    await gate.reached.wait()
    assert await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}") == {
        "turns": 1,
        "streams": 0,
    }
    assert await asked == CREDENTIAL_GONE


SCHEMA = {"type": "object", "properties": {"total": {"type": "number"}}}


def by_rest(guest: Guest) -> tuple[str, Json]:
    return f"{guest.base}/extract", {"schema": SCHEMA, "document_id": guest.owner.document_id, "wait": 60}


def by_openai(guest: Guest) -> tuple[str, Json]:
    wanted = {"type": "json_schema", "json_schema": {"name": "bill", "schema": SCHEMA}}
    model = f"docagent/document/{guest.owner.document_id}"
    asked = [{"role": "user", "content": "Read it."}]
    return "/v1/chat/completions", {"model": model, "messages": asked, "response_format": wanted}


@pytest.mark.parametrize("way", [by_rest, by_openai])
async def test_whoever_waits_for_an_extraction_waits_no_longer(
    guest: Guest, way: Callable[[Guest], tuple[str, Json]]
) -> None:
    """Nobody works here, so that the job is never done."""
    token_id, holder = await guest.token(guest.headers)
    path, body = way(guest)
    asking_ = asyncio.create_task(guest.owner.api.client.post(path, json=body, headers=holder.headers))

    async def is_queued() -> bool:
        async with guest.owner.services.db.read_org(guest.owner.tenant.organization_id) as tx:
            jobs = await tx.rows(sa.select(table.jobs.c.arguments).where(table.jobs.c.kind == "extract"))
        return any("only_missing" in row.arguments for row in jobs)

    await until(is_queued)
    stopped = await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
    assert stopped == {"turns": 0, "streams": 1}
    answer = await asking_
    assert (answer.status_code, CREDENTIAL_GONE in answer.text) == (401, True)
    # The job outlives the request; it must not speak to the model of a later test.
    await guest.owner.api.delete(f"/documents/{guest.owner.document_id}")


async def test_a_socket_goes_on_with_another_token_of_its_client(guest: Guest, studio: Studio) -> None:
    """The turn ends with the token that began it. The connection, and later turns, have the new one."""
    gate = studio.hold_reply()
    first_id, first = await guest.token(guest.headers)
    second_id, second = await guest.token(guest.headers)
    studio.provider.add(say("I make the tag.", TAG), "Here.")
    async with connected(first.desk) as client:
        await client.chat("Tag it", **AT_ONCE)
        await client.until("token_stream")
        await client.send("authenticate", token=second.headers["Authorization"].removeprefix("Bearer "))
        await client.until("ready")
        path = f"{guest.base}/access_tokens"
        assert await _stopped(guest, "DELETE", f"{path}/{first_id}") == {"turns": 1, "streams": 0}
        error = await client.until("agent_error")
        assert CREDENTIAL_GONE in str(error)
        await client.until("response_complete")
        gate.opened.set()
        await client.chat("Are you there?")
        await client.to_the_end()
        assert await _stopped(guest, "DELETE", f"{path}/{second_id}") == {"turns": 0, "streams": 1}
        assert await client.closed() == 1008


# --- what waits for a person ----------------------------------------------------------------------------------------


async def test_what_waits_is_decided_with_another_credential_and_goes_on_with_it(
    guest: Guest, studio: Studio
) -> None:
    token_id, holder = await guest.token(guest.headers)
    paused = await holder.desk.chat("Tag it", calls(TAG))
    path = f"{guest.base}/access_tokens/{token_id}"
    assert await _stopped(guest, "DELETE", path) == {"turns": 0, "streams": 0}
    body = decision(paused, yes("w"))
    assert (await holder.desk.api.call("POST", f"{guest.desk.path}/approve", json=body)).status_code == 401
    assert len((await guest.desk.api.get("/approvals"))["approvals"]) == 1
    answer = await guest.desk.approve(paused, yes("w"), answers=["Made."])
    assert (answer["state"], await guest.owner.tags()) == ("completed", ["made"])


async def test_a_turn_ends_with_the_credential_that_let_it_go_on(guest: Guest, studio: Studio) -> None:
    paused = await guest.desk.chat("Tag it", calls(call("a", "create_tag", name="asked")))
    token_id, holder = await guest.token(guest.headers)
    gate = studio.hold_reply()
    holder.desk.script(say("One more.", TAG), "Made.")
    body = decision(paused, yes("a"), background=True)
    assert (await holder.desk.api.call("POST", f"{guest.desk.path}/approve", json=body)).is_success
    await gate.reached.wait()
    stopped = await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
    assert stopped == {"turns": 1, "streams": 0}
    await guest.desk.until(paused["turn_id"], "failed")
    assert await guest.owner.tags() == ["asked"]


async def test_a_request_that_was_let_in_before_decides_nothing_after(guest: Guest) -> None:
    token_id, holder = await guest.token(guest.headers)
    paused = await holder.desk.chat("Tag it", calls(TAG))
    member = await holder.member()
    await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
    with pytest.raises(Unauthenticated):
        await guest.owner.services.turns.deciding.decide(member, paused["turn_id"], [Decision("w", True)])
    assert await guest.owner.tags() == []


# --- turns that know no credential, turns of others, and commits at the same moment -------------------------------


async def test_a_turn_of_an_earlier_version_goes_on(guest: Guest, studio: Studio) -> None:
    """Its row names no credential, so there is none to ask for."""
    gate = studio.hold_reply()
    token_id, holder = await guest.token(guest.headers)
    turn_id = await holder.desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    await gate.reached.wait()
    async with guest.owner.services.db.write_org(guest.owner.tenant.organization_id) as tx:
        await tx.execute(sa.update(table.turns).where(table.turns.c.id == turn_id).values(credential_id=None))
    await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
    gate.opened.set()
    await guest.desk.until(turn_id, "completed")
    assert await guest.owner.tags() == ["made"]


async def test_a_revocation_and_a_commit_at_once_have_one_order(guest: Guest) -> None:
    """The commit waits for the revocation and was begun before it: it must not count the credential as there."""
    events: list[Event] = [TurnStarted(OPENAI, "tools", 5), UserMessage("Hi"), StepStarted(1)]
    token_id, _ = await guest.token(guest.headers)
    db, owner = guest.owner.services.db, guest.owner
    turn = running_turn(owner.tenant, owner.document_id, events)
    until = turn.created_at + timedelta(hours=1)
    async with db.write_org(turn.organization_id) as tx:
        await turns.insert(tx, turn, owner="here", lease_until=until, credential_id=token_id)

    async def renew() -> turns.Progress:
        async with db.write_org(turn.organization_id) as tx:
            return await turns.renew(tx, turn, owner="here", now=now(), lease_until=until)

    assert (await renew()).standing.has_credential
    async with db.write() as revoking:
        gone = await credentials.delete_token(revoking, token_id, guest.person.id, turn.organization_id)
        assert await turns.revoke(revoking, gone) == [turn.id]
        renewing = asyncio.create_task(renew())
        await asyncio.wait({renewing}, timeout=0.2)
        assert not renewing.done()
    assert not (await renewing).standing.has_credential


async def test_a_turn_of_another_process_writes_nothing_more(tmp_path: Path) -> None:
    """Nobody tells the process: its next commit finds it."""
    house = House(make_settings(tmp_path))
    async with house.process([calls(TAG), said("Made.")]) as here, house.process() as elsewhere:
        here.member, token_id = await with_token(here.services, here.member)
        here.model.hold_from = 1
        turn = await here.start("tools", auto_approve=True)
        await here.held()
        stopped = await elsewhere.services.tokens.delete(
            house_owner(here.member), token_id, here.member.organization_id
        )
        assert stopped.turns == 1
        here.model.go_on.set()
        here.member = dataclasses.replace(here.member, principal=house_owner(here.member))
        assert await here.settle(turn) is TurnState.FAILED
        assert await here.kinds(turn) == "turn_started user_message step_started failed"
        assert len(here.model.requests) == 1


async def test_nobody_goes_on_with_a_turn_whose_credential_is_gone(tmp_path: Path) -> None:
    house = House(make_settings(tmp_path))
    async with house.process([calls(TAG), said("Made.")]) as here:
        owner = here.member
        here.member, token_id = await with_token(here.services, owner)
        here.model.hold_from = 1
        turn = await here.start("tools", auto_approve=True)
        await here.held()
    async with house.process([calls(TAG), said("Made.")]) as later:
        await later.services.tokens.delete(house_owner(owner), token_id, owner.organization_id)
        await later.services.turn_runner.recover()
        assert await later.state(turn) is TurnState.FAILED
        assert later.model.requests == []


async def with_token(services: Any, owner: Member) -> tuple[Member, str]:
    """The member as who shows a new token."""
    token, secret = await services.tokens.create(house_owner(owner), "t", 0, owner.organization_id)
    return await services.identity.member(secret, None, owner.organization_id), token.id


def house_owner(member: Member) -> Principal:
    principal = member.principal
    return Principal(principal.user_id, principal.name, principal.email, principal.role, Credential.SESSION)


async def test_streams_and_turns_of_another_process_end_and_are_counted(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    url = await databases.new("postgresql")
    async with AsyncExitStack() as stack:
        here, other = [
            await stack.enter_async_context(
                running_studio(make_settings(tmp_path_factory.mktemp("data"), url))
            )
            for _ in range(2)
        ]
        guest = await new_guest(await here.new_desk())
        token_id, holder = await guest.token(guest.headers)
        gate = other.hold_reply()
        other.provider.add(say("I make the tag.", TAG), "Made.")
        api = dataclasses.replace(guest.owner.api, client=other.product.client)
        there = dataclasses.replace(guest.owner, studio=other, api=api)
        async with asking(dataclasses.replace(holder, owner=there), NEVER) as away:
            rests = [await each(stack, away) for each in (chat, watch, changes)]
            await gate.reached.wait()
            stopped = await _stopped(guest, "DELETE", f"{guest.base}/access_tokens/{token_id}")
            assert stopped == {"turns": 1, "streams": len(rests)}
            async with asyncio.timeout(SECONDS):
                for rest in rests:
                    assert CREDENTIAL_GONE in await rest()
        await true_soon(lambda: other.product.services.turn_runner.running == 0)
        assert await guest.owner.tags() == []
