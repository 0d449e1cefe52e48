"""Open pages hear of changes, whichever process makes them: two processes on one PostgreSQL, and SQLite alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field

import pytest

from docagent.api.stream import change_lines
from docagent.domain.accounts.accounts import Member, Membership, Role
from docagent.domain.deliveries.changes import Change
from docagent.services.turns.deciding import Decision
from docagent.settings import Settings
from tests.conftest import make_settings
from tests.support.accounts import new_person
from tests.support.agent import Desk, Studio, add_member, call, calls, running_studio
from tests.support.polling import SECONDS, true_soon
from tests.support.services.databases import EACH_DATABASE, Databases


@dataclass
class Places:
    """Where a person works, and where they and others have a page open: in another process, on PostgreSQL."""

    desk: Desk
    other: Studio

    @property
    def member(self) -> Member:
        return self.desk.tenant.member


@pytest.fixture(params=EACH_DATABASE)
async def places(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Places]:
    async with AsyncExitStack() as stack:
        url = await databases.new(request.param)

        async def start() -> Studio:
            settings: Settings = make_settings(tmp_path_factory.mktemp("data"), url)
            return await stack.enter_async_context(running_studio(settings))

        here = await start()
        other = await start() if request.param == "postgresql" else here
        yield Places(await here.new_desk(), other)


@dataclass
class Page:
    """What an open page was told."""

    told: list[Change] = field(default_factory=list)
    hearings: list[bool] = field(default_factory=list)

    async def listen(self, studio: Studio, member: Member) -> None:
        async with aclosing(studio.product.services.live_changes.watch(member)) as all_news:
            async for news in all_news:
                self.hearings.append(news.hears_all)
                self.told += news.changes

    async def hears(self, noun: str, id: str) -> None:
        await true_soon(lambda: any((change.noun, change.id) == (noun, id) for change in self.told))
        self.told.clear()


async def open_page(group: asyncio.TaskGroup, studio: Studio, member: Member) -> Page:
    page = Page()
    group.create_task(page.listen(studio, member))
    await true_soon(lambda: bool(page.hearings))
    return page


async def test_a_page_hears_of_documents_and_of_its_own_inbox(places: Places) -> None:
    desk, services = places.desk, places.other.product.services
    colleague = await add_member(desk, Role.USER)
    stranger = await new_person(desk.studio.product)
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        page = await open_page(group, places.other, places.member)
        theirs = await open_page(group, places.other, await member_of(places, colleague))
        document_id = await desk.api.add_document()
        await page.hears("document", document_id)
        await desk.chat("Tag it", calls(call("t", "create_tag", name="Urgent")))
        await page.hears("inbox", desk.tenant.user_id)
        (waiting,) = (await desk.api.get("/approvals"))["approvals"]
        desk.script("Done.")
        await desk.services.turns.deciding.decide(
            places.member, waiting["turn_id"], [Decision("t", approved=True)]
        )
        await page.hears("inbox", desk.tenant.user_id)
        assert {change.noun for change in theirs.told} == {"document"}
        assert all(page.hearings)
        services.live_changes.close()
    refused = await desk.api.client.get(
        f"/v0/orgs/{desk.tenant.organization_id}/changes", headers=stranger.headers
    )
    assert refused.status_code == 403


async def member_of(places: Places, colleague: Desk) -> Member:
    token = colleague.api.headers["Authorization"].removeprefix("Bearer ")
    return await places.desk.services.identity.member(token, None, places.desk.tenant.organization_id)


async def test_a_page_that_may_no_longer_listen_is_told_so_and_ends(places: Places) -> None:
    desk, changes = places.desk, places.other.product.services.live_changes
    member = await member_of(places, await add_member(desk, Role.USER))
    changes.heartbeat_seconds = 0.05
    lines = change_lines(changes.watch(member))
    assert await anext(lines) == b'data: {"type":"hearing","all":true}\n\n'
    product = desk.studio.product
    await product.services.organizations.update(
        product.admin,
        desk.tenant.organization_id,
        name=None,
        type=None,
        members=[Membership(desk.tenant.user_id, Role.ADMIN)],
        flags={},
        ocr_config=None,
    )
    rest = [line async for line in lines]
    assert b'"code":"forbidden"' in rest[-1]
