"""Members who leave, or lose a role, while the agent works for them: nothing more is done, and streams say why."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from docagent.domain.accounts.accounts import (
    NO_ADMIN_ANY_MORE,
    NO_MEMBER_ANY_MORE,
    Credential,
    Member,
    Membership,
    Principal,
    Role,
)
from docagent.domain.errors import Forbidden
from docagent.domain.ids import new_id
from docagent.domain.turns.events import Event, StepStarted, TurnStarted, UserMessage
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.turns import TurnState
from docagent.services.turns.deciding import Decision
from docagent.services.turns.watching import TurnWatching
from docagent.store.turns import permission_rules, turns
from tests.conftest import make_settings
from tests.support.accounts import new_person
from tests.support.agent import (
    OPENAI,
    Desk,
    Json,
    Studio,
    blocks,
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
from tests.support.polling import SECONDS, true_soon
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

TAG = call("w", "create_tag", name="made")
AT_ONCE = {"auto_approved_tools": ["create_tag"]}
CLOSED = 1008


@dataclass(frozen=True)
class Colleague:
    """A second member of the desk's organisation, and what they see."""

    id: str
    desk: Desk
    owner: Desk

    @property
    def member(self) -> Member:
        """As whom requests come that passed the check of membership before it ended."""
        principal = Principal(self.id, "Grace", "grace@example.com", Role.USER, Credential.SESSION)
        return Member(principal, self.owner.tenant.organization_id, Role.USER)

    async def becomes(self, role: Role | None) -> None:
        """Get this role, or leave."""
        members = [Membership(self.owner.tenant.user_id, Role.ADMIN)]
        if role is not None:
            members.append(Membership(self.id, role))
        product = self.owner.studio.product
        organization_id = self.owner.tenant.organization_id
        await product.services.organizations.update(
            product.admin,
            organization_id,
            name=None,
            type=None,
            members=members,
            flags={},
            ocr_config=None,
        )

    async def rules(self) -> list[str]:
        async with self.owner.services.db.read_org(self.owner.tenant.organization_id) as tx:
            return [rule.tool for rule in await permission_rules.for_user(tx, self.id)]


async def new_colleague(desk: Desk, role: Role = Role.USER) -> Colleague:
    person = await new_person(desk.studio.product)
    colleague = Colleague(person.id, desk.as_member(person.headers), desk)
    await colleague.becomes(role)
    return colleague


@pytest.fixture
async def colleague(own_desk: Desk) -> Colleague:
    return await new_colleague(own_desk)


@asynccontextmanager
async def quickly(desk: Desk) -> AsyncIterator[Desk]:
    """The same desk at a server whose watchers have fast clocks."""
    services = desk.services
    watching = TurnWatching(services.db, services.turn_runner, heartbeat_seconds=0.05)
    changed = dataclasses.replace(services.turns, watching=watching)
    async with served(desk.studio.product, dataclasses.replace(services, turns=changed)) as client:
        yield dataclasses.replace(desk, api=dataclasses.replace(desk.api, client=client))


async def rest_of(events: AsyncIterator[Json]) -> list[Json]:
    async with asyncio.timeout(SECONDS):
        return [event async for event in events]


def is_forbidden(event: Json, why: str = NO_MEMBER_ANY_MORE) -> bool:
    return (event["error"], event["code"]) == (why, "forbidden")


# --- a turn that runs ---------------------------------------------------------------------------------------------


async def test_nothing_that_a_reply_asks_for_is_done(colleague: Colleague, studio: Studio) -> None:
    gate = studio.hold_reply()
    turn_id = await colleague.desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    await gate.reached.wait()
    async with colleague.desk.watching(turn_id) as events:
        assert (await anext(events))["type"] == "turn_started"
        await colleague.becomes(None)
        gate.opened.set()
        last = (await rest_of(events))[-1]
    assert last["type"] == "failed"
    assert is_forbidden(last)
    assert await colleague.owner.tags() == []
    assert len(studio.provider.requests) == 1, "no step came after"


async def test_a_change_that_was_under_way_is_not_committed(colleague: Colleague, studio: Studio) -> None:
    """The slow part of an extraction waits for the provider when the member leaves."""
    prompt = await colleague.desk.api.post(
        "/prompts", {"name": f"prompt {new_id()}", "content": "Read it.", "model": OPENAI}
    )
    await studio.product.read_document(colleague.owner.tenant, colleague.owner.document_id)
    run = call("x", "run_extraction", prompt_revid=prompt["prompt_revid"])
    paused = await colleague.desk.chat("Go", calls(run))
    studio.provider.hold = asyncio.Event()
    studio.provider.add('{"document_type": "invoice"}', "Done.")
    body = decision(paused, yes("x"), background=True)
    assert (await colleague.desk.api.call("POST", f"{colleague.desk.path}/approve", json=body)).is_success
    await true_soon(lambda: len(studio.provider.requests) == 2)
    await colleague.becomes(None)
    studio.provider.hold.set()
    await true_soon(lambda: not colleague.owner.services.turn_runner.runs(paused["turn_id"]))
    found = await colleague.owner.api.call(
        "GET", f"/llm/result/{colleague.owner.document_id}", params={"prompt_revid": prompt["prompt_revid"]}
    )
    assert found.status_code == 404
    assert len(studio.provider.requests) == 2


async def test_the_contracts_stream_ends_with_an_error(colleague: Colleague, studio: Studio) -> None:
    gate = studio.hold_reply()
    desk = colleague.desk
    desk.script(say("I make the tag.", TAG), "Made.")
    url = f"/v0/orgs/{desk.tenant.organization_id}{desk.path}"
    body = message("Tag it", stream=True, **AT_ONCE)
    async with desk.api.client.stream("POST", url, json=body, headers=desk.api.headers) as response:
        chunks = blocks(response)
        assert (await anext(chunks))["type"] == "assistant_text_chunk"
        await colleague.becomes(None)
        gate.opened.set()
        last = (await rest_of(chunks))[-1]
    assert last["type"] == "error"
    assert is_forbidden(last)


async def test_an_answer_without_a_stream_is_403(colleague: Colleague, studio: Studio) -> None:
    gate = studio.hold_reply()
    colleague.desk.script(say("I make the tag.", TAG), "Made.")
    asked = asyncio.create_task(
        colleague.desk.api.refused(403, "POST", colleague.desk.path, message("Tag it", **AT_ONCE))
    )
    await gate.reached.wait()
    await colleague.becomes(None)
    gate.opened.set()
    assert await asked == NO_MEMBER_ANY_MORE


async def test_who_is_no_administrator_any_more_begins_again(own_desk: Desk, studio: Studio) -> None:
    colleague = await new_colleague(own_desk, Role.ADMIN)
    gate = studio.hold_reply()
    turn_id = await colleague.desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    await gate.reached.wait()
    await colleague.becomes(Role.USER)
    gate.opened.set()
    await colleague.desk.until(turn_id, "failed")
    assert is_forbidden((await colleague.desk.events(turn_id))[-1], NO_ADMIN_ANY_MORE)
    assert await own_desk.tags() == []
    studio.reset()
    again = await colleague.desk.chat("Tag it", calls(TAG), "Made.", **AT_ONCE)
    assert (again["text"], await own_desk.tags()) == ("Made.", ["made"])


async def test_a_member_who_rises_is_not_interrupted(colleague: Colleague, studio: Studio) -> None:
    gate = studio.hold_reply()
    turn_id = await colleague.desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    await gate.reached.wait()
    await colleague.becomes(Role.ADMIN)
    gate.opened.set()
    await colleague.desk.until(turn_id, "completed")


async def test_a_deleted_organisation_ends_its_streams(own_desk: Desk, studio: Studio) -> None:
    gate = studio.hold_reply()
    turn_id = await own_desk.begin("Tag it", say("I make the tag.", TAG), "Made.", **AT_ONCE)
    await gate.reached.wait()
    async with own_desk.watching(turn_id) as events:
        assert (await anext(events))["type"] == "turn_started"
        product = studio.product
        await product.services.organizations.delete(product.admin, own_desk.tenant.organization_id)
        gate.opened.set()
        last = (await rest_of(events))[-1]
    assert last["type"] == "error"
    assert is_forbidden(last)
    assert len(studio.provider.requests) == 1


@pytest.mark.parametrize(("ends", "frame"), [("membership", "failed"), ("organisation", "error")])
async def test_a_silent_model_is_not_waited_for(tmp_path: Path, ends: str, frame: str) -> None:
    """No commit comes for a long time: the clock that renews the lease asks too."""
    async with running_studio(make_settings(tmp_path, agent={"lease_seconds": 0.5})) as studio:
        colleague = await new_colleague(await studio.new_desk())
        studio.provider.hold = asyncio.Event()
        turn_id = await colleague.desk.begin("Talk", "Never said.")
        await true_soon(lambda: len(studio.provider.requests) == 1)
        async with colleague.desk.watching(turn_id) as events:
            assert (await anext(events))["type"] == "turn_started"
            if ends == "membership":
                await colleague.becomes(None)
            else:
                product, organization_id = studio.product, colleague.owner.tenant.organization_id
                await product.services.organizations.delete(product.admin, organization_id)
            last = (await rest_of(events))[-1]
        assert last["type"] == frame
        assert is_forbidden(last)
        async with asyncio.timeout(SECONDS):
            await studio.provider.left_early.wait()
        assert studio.product.services.turn_runner.running == 0


async def test_a_turn_of_another_process_ends_too(tmp_path: Path) -> None:
    house = House(make_settings(tmp_path))
    async with house.process([calls(TAG), said("Made.")]) as here, house.process() as elsewhere:
        here.model.hold_from = 1
        turn = await here.start("tools", auto_approve=True)
        await here.held()
        root = Principal(here.member.user_id, "Ada", "", Role.ADMIN, Credential.SESSION)
        other = await elsewhere.services.users.create(
            root, email=f"{new_id()}@example.com", name="Grace", password="a long password"
        )
        await elsewhere.services.organizations.update(
            root,
            here.member.organization_id,
            name=None,
            type=None,
            members=[Membership(other.id, Role.ADMIN)],
            flags={},
            ocr_config=None,
        )
        here.model.go_on.set()
        assert await here.settle(turn) is TurnState.FAILED
        assert await here.kinds(turn) == "turn_started user_message step_started failed"
        assert len(here.model.requests) == 1


# --- who only watches -----------------------------------------------------------------------------------------------


async def test_a_stream_of_a_turn_elsewhere_ends_on_its_own_clock(colleague: Colleague) -> None:
    """Nothing is heard of the process that runs the turn."""
    events: list[Event] = [TurnStarted(OPENAI, "tools", 5), UserMessage("Hi"), StepStarted(1)]
    owner = colleague.owner
    turn = running_turn(owner.tenant, owner.document_id, events, colleague.id)
    moment = turn.created_at
    async with colleague.owner.services.db.write_org(turn.organization_id) as tx:
        await turns.insert(tx, turn, owner="elsewhere", lease_until=moment + timedelta(hours=1))
        await turns.add_events(tx, turn.id, 1, events, moment)
    async with quickly(colleague.desk) as desk, desk.watching(turn.id) as watched:
        assert (await anext(watched))["type"] == "turn_started"
        await colleague.becomes(None)
        last = (await rest_of(watched))[-1]
    assert last["type"] == "error"
    assert is_forbidden(last)


async def test_a_socket_says_so_and_closes(colleague: Colleague, studio: Studio) -> None:
    gate = studio.hold_reply()
    colleague.desk.script(say("I make the tag.", TAG), "Made.")
    async with quickly(colleague.desk) as desk, connected(desk) as client:
        await client.chat("Tag it", **AT_ONCE)
        await client.until("token_stream")
        await colleague.becomes(None)
        error = await client.until("error")
        assert (error["message"], error["error_type"]) == (NO_MEMBER_ANY_MORE, "authentication")
        assert await client.closed() == CLOSED
    gate.opened.set()
    await true_soon(lambda: studio.product.services.turn_runner.running == 0)
    assert await colleague.owner.tags() == []


async def test_a_socket_without_a_turn_closes_too(colleague: Colleague) -> None:
    async with quickly(colleague.desk) as desk, connected(desk) as client:
        await colleague.becomes(None)
        assert (await client.error())["message"] == NO_MEMBER_ANY_MORE
        assert await client.closed() == CLOSED


# --- what waits, and what was remembered --------------------------------------------------------------------------


async def test_what_waits_for_a_member_ends_with_the_membership(colleague: Colleague) -> None:
    paused = await colleague.desk.chat("Tag it", calls(TAG))
    asked = await colleague.desk.chat("Ask", calls(call("q", "request_input", question="Which?")))
    await colleague.becomes(None)
    turn_id = paused["turn_id"]
    for path, body in (
        (f"{colleague.desk.path}/approve", decision(paused, yes("w"))),
        (f"/turns/{asked['turn_id']}/answer", {"text": "This"}),
        (f"/turns/{turn_id}/steer", {"text": "Go on"}),
        (f"/turns/{turn_id}/stop", {}),
    ):
        await colleague.desk.api.refused(403, "POST", path, body)
    await colleague.owner.services.turn_runner.recover()
    await colleague.becomes(Role.USER)
    for waited in (paused, asked):
        assert (await colleague.desk.api.get(f"/turns/{waited['turn_id']}"))["state"] == "failed"
        assert is_forbidden((await colleague.desk.events(waited["turn_id"]))[-1])
    assert (await colleague.desk.api.get("/approvals"))["approvals"] == []
    body = decision(paused, yes("w"))
    await colleague.desk.api.refused(400, "POST", f"{colleague.desk.path}/approve", body)
    assert await colleague.owner.tags() == []


async def test_other_members_go_on_waiting(colleague: Colleague) -> None:
    paused = await colleague.owner.chat("Tag it", calls(TAG))
    await colleague.becomes(None)
    await colleague.owner.services.turn_runner.recover()
    answer = await colleague.owner.approve(paused, yes("w"), answers=["Made."])
    assert (answer["state"], await colleague.owner.tags()) == ("completed", ["made"])


async def test_remembered_answers_do_not_come_back_with_the_member(colleague: Colleague) -> None:
    paused = await colleague.desk.chat("Tag it", calls(TAG))
    await colleague.desk.approve(paused, yes("w", always_allow="organization"), answers=["Made."])
    await colleague.desk.api.post("/agent/rules", {"tool": "delete_tag"})
    policy = {"tool": "update_tag", "effect": "deny", "scope": "everyone"}
    await colleague.owner.api.post("/agent/rules", policy)
    assert await colleague.rules() == ["create_tag", "delete_tag", "update_tag"]
    await colleague.becomes(None)
    assert await colleague.rules() == ["update_tag"]
    await colleague.becomes(Role.USER)
    again = await colleague.desk.chat("Another", calls(call("w2", "create_tag", name="another")))
    assert again["state"] == "awaiting_approval"


async def test_nothing_of_a_deleted_user_stays(colleague: Colleague) -> None:
    paused = await colleague.desk.chat("Tag it", calls(TAG))
    await colleague.desk.api.post("/agent/rules", {"tool": "delete_tag"})
    product = colleague.owner.studio.product
    await product.services.users.delete(product.admin, colleague.id)
    assert await colleague.rules() == []
    await product.services.turn_runner.recover()
    async with product.services.db.read_org(colleague.owner.tenant.organization_id) as tx:
        turn = await turns.get(tx, paused["turn_id"])
    assert turn is not None
    assert turn.state is TurnState.FAILED


async def test_who_is_removed_before_the_body_has_come_changes_nothing(colleague: Colleague) -> None:
    """However quickly it comes: the removal was confirmed by then.

    Its length is announced. Without, a server that has refused already closes the connection on what still comes,
    and the refusal may be lost on the way.
    """
    tag = b'{"name": "too late"}'

    async def body() -> AsyncIterator[bytes]:
        await colleague.becomes(None)
        yield tag

    api = colleague.desk.api
    answer = await api.client.post(
        f"/v0/orgs/{api.organization_id}/tags",
        headers=api.headers | {"Content-Type": "application/json", "Content-Length": str(len(tag))},
        content=body(),
    )
    assert answer.status_code == 403
    assert await colleague.owner.tags() == []


async def test_a_request_that_was_let_in_before_changes_nothing_after(colleague: Colleague) -> None:
    paused = await colleague.desk.chat("Tag it", calls(TAG))
    await colleague.becomes(None)
    services = colleague.owner.services
    always = Decision("w", True, always="organization")
    with pytest.raises(Forbidden):
        await services.turns.deciding.decide(colleague.member, paused["turn_id"], [always])
    with pytest.raises(Forbidden):
        await services.rules.add(colleague.member, effect=Effect.ALLOW, tool="*", for_everyone=False)
    assert await colleague.rules() == []
    assert await colleague.owner.tags() == []
