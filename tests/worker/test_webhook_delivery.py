"""A delivery's life in the queue: tried with growing pauses, given up, taken over, never lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
import sqlalchemy as sa
from aiohttp import web

from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.domain.accounts.accounts import (
    AccessToken,
    Credential,
    Member,
    Principal,
    Role,
    TokenScope,
)
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import CallbackDue, DocumentDeleted
from docagent.domain.deliveries.webhooks import Delivery, DeliveryState, WebhookWish
from docagent.domain.ids import new_id
from docagent.domain.jobs import LONGEST_CRASH_DELAY, MOST_CRASHES, Job, JobKind, JobState
from docagent.security.secrets import Secrets
from docagent.services.accounts.users import create_user
from docagent.services.deliveries.bus import Bus
from docagent.services.deliveries.webhooks import NOT_CALLED, DeliveryTerms, WebhookService
from docagent.services.jobs import JobService
from docagent.store import jobs
from docagent.store.accounts import credentials, organizations
from docagent.store.engine.database import Database
from docagent.store.tables import members, webhook_deliveries
from docagent.worker.execution import Executor, Work
from tests.support.services.loopback import HERE, Names, Server, serving

LEASE = timedelta(seconds=30)
ATTEMPTS = 4
YEAR = timedelta(days=365)
TURNED = "turned.example"
UNKNOWN = "unknown.example"


@dataclass
class Post:
    """A queue with one organisation, one webhook, and workers that come and go."""

    db: Database
    member: Member
    jobs: JobService
    bus: Bus
    service: WebhookService

    def worker(self) -> Executor:
        work = Work(self.service.deliver, self.service.give_up)
        return Executor(self.jobs, {JobKind.DELIVER_WEBHOOK: work})

    async def announce(self) -> None:
        organization_id = self.member.organization_id
        async with self.db.write_org(organization_id) as tx:
            await self.bus.announce(tx, DocumentDeleted(organization_id, now(), new_id(), new_id()))

    async def run_due(self, later: timedelta = timedelta()) -> Job | None:
        """Let a new worker do what is due by then."""
        worker = self.worker()
        async with self.db.write() as tx:
            claimed = await jobs.claim(tx, owner=worker.owner, now=now() + later, lease=LEASE)
        for job in claimed:
            await worker.run(job)
            async with self.db.read_org(self.member.organization_id) as tx:
                return await jobs.get(tx, job.id)
        return None

    async def deliveries(self, webhook_id: str) -> list[Delivery]:
        return list((await self.service.deliveries(self.member, webhook_id, skip=0, limit=100)).items)

    async def only(self, webhook_id: str) -> Delivery:
        (delivery,) = await self.deliveries(webhook_id)
        return delivery


@pytest.fixture
async def post(database: Database) -> Post:
    async with database.write() as tx:
        user = await create_user(
            tx, email=f"{new_id()}@example.com", name="Ada", password_hash=None, role=Role.USER
        )
        (organization_id,) = await organizations.of_user(tx, user.id)
    principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
    queue = JobService(database, max_attempts=2, lease=LEASE)
    bus = Bus()
    service = WebhookService(
        database,
        queue,
        Secrets("a secret that only the tests know"),
        GuardedHttp([HERE], EgressLimits(seconds=2), resolver=Names({TURNED: [["10.0.0.1"]]})),
        DeliveryTerms(ATTEMPTS, timedelta(days=30)),
    )
    bus.record(service.record)
    return Post(database, Member(principal, organization_id, Role.ADMIN), queue, bus, service)


@pytest.fixture
async def broken() -> AsyncIterator[Server]:
    async def refuse(request: web.Request) -> web.Response:
        return web.Response(status=503)

    async with serving(refuse) as server:
        yield server


async def test_it_is_tried_with_growing_pauses_and_given_up(post: Post, broken: Server) -> None:
    webhook, _ = await post.service.add(post.member, broken.url(), WebhookWish())
    await post.announce()
    pauses = []
    for attempt in range(1, ATTEMPTS + 1):
        job = await post.run_due(YEAR)
        assert job is not None
        assert job.attempts == attempt
        delivery = await post.only(webhook.id)
        assert (delivery.attempts, delivery.status) == (attempt, 503)
        if attempt < ATTEMPTS:
            assert (job.state, delivery.state) == (JobState.QUEUED, DeliveryState.PENDING)
            pauses.append(round((job.run_at - now()).total_seconds()))
            assert await post.run_due() is None, "not before its time"
    assert pauses == [pytest.approx(5, abs=1), pytest.approx(20, abs=1), pytest.approx(80, abs=1)]
    assert job is not None
    assert (job.state, delivery.state) == (JobState.DONE, DeliveryState.FAILED)
    assert "answered 503" in (delivery.error or "")
    assert await post.run_due(YEAR) is None
    assert len(broken.seen) == ATTEMPTS


@pytest.mark.parametrize("host", [TURNED, UNKNOWN])
async def test_an_inner_address_and_an_unknown_one_have_the_same_fate(post: Post, host: str) -> None:
    webhook, _ = await post.service.add(post.member, f"http://{host}/", WebhookWish())
    await post.announce()
    for attempt in range(1, ATTEMPTS + 1):
        job = await post.run_due(YEAR)
        delivery = await post.only(webhook.id)
        assert job is not None
        assert (job.attempts, delivery.attempts) == (attempt, attempt)
        assert (delivery.status, delivery.error, delivery.milliseconds) == (None, NOT_CALLED, 0)
        assert (delivery.state is DeliveryState.FAILED) == (attempt == ATTEMPTS)


async def test_a_delivery_that_was_given_up_is_sent_again_as_often_as_a_new_one(post: Post) -> None:
    answers = [503] * (ATTEMPTS + 1) + [200]

    async def recovering(request: web.Request) -> web.Response:
        return web.Response(status=answers.pop(0))

    async with serving(recovering) as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        for _ in range(ATTEMPTS):
            await post.run_due(YEAR)
        failed = await post.only(webhook.id)
        assert failed.state is DeliveryState.FAILED
        for _ in range(2):
            await post.service.retry(post.member, failed.id)
        waiting = await post.only(webhook.id)
        assert (waiting.state, waiting.attempts, waiting.body) == (DeliveryState.PENDING, 0, failed.body)
        for _ in range(2):
            await post.run_due(YEAR)
        assert await post.run_due(YEAR) is None, "the second click added nothing"
    delivered = await post.only(webhook.id)
    assert (delivered.state, delivered.attempts) == (DeliveryState.DELIVERED, 2)
    assert len(set(server.bodies)) == 1


async def test_what_waits_for_a_webhook_that_is_switched_off_is_given_up(post: Post) -> None:
    async with serving() as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        await post.service.update(post.member, webhook.id, WebhookWish(active=False))
        await post.run_due()
        assert server.seen == []
    assert (await post.only(webhook.id)).state is DeliveryState.FAILED


async def stays(post: Post, token_id: str) -> None:
    """Nothing happens before the call."""


async def leaves(post: Post, token_id: str) -> None:
    async with post.db.write() as tx:
        gone = members.c.user_id == post.member.user_id
        await tx.across(sa.delete(members).where(gone))


async def revokes(post: Post, token_id: str) -> None:
    async with post.db.write() as tx:
        await credentials.delete_token(tx, token_id, post.member.user_id, post.member.organization_id)


@pytest.mark.parametrize(("happens", "calls"), [(stays, 1), (leaves, 0), (revokes, 0)])
async def test_a_callback_ends_with_the_member_and_the_token_that_asked_for_it(
    post: Post, happens: Callable[[Post, str], Awaitable[None]], calls: int
) -> None:
    organization_id, moment = post.member.organization_id, now()
    token = AccessToken(
        new_id(),
        post.member.user_id,
        organization_id,
        "t",
        "org_",
        0,
        moment,
        None,
        None,
        None,
        TokenScope.ASK,
    )
    async with post.db.write() as tx:
        await credentials.insert_token(tx, token, token_hash="the hash of it")
    async with serving() as server:
        async with post.db.write_org(organization_id) as tx:
            webhook_id = await post.service.add_callback(tx, post.member, server.url(), "x" * 16)
            due = CallbackDue(
                organization_id, moment, webhook_id, "j", new_id(), new_id(), "It failed.", token.id
            )
            await post.bus.announce(tx, due)
        await happens(post, token.id)
        job = await post.run_due()
        assert job is not None
        assert (job.state, len(server.seen)) == (JobState.DONE, calls)
        assert await post.run_due(YEAR) is None


async def test_what_waits_for_a_deleted_webhook_ends_quietly(post: Post) -> None:
    async with serving() as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        await post.service.delete(post.member, webhook.id)
        job = await post.run_due()
    assert job is not None
    assert job.state is JobState.DONE
    assert server.seen == []


async def test_a_delivery_outlives_the_worker_that_died_with_it(post: Post) -> None:
    async with serving() as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        assert await post.worker().claim()  # and is killed
        assert await post.run_due() is None
        job = await post.run_due(LEASE * 2)
        assert job is not None
        assert (job.state, job.attempts, job.crashes) == (JobState.DONE, 1, 1)
        assert len(server.seen) == 1
    assert (await post.only(webhook.id)).state is DeliveryState.DELIVERED


async def test_a_worker_that_dies_every_time_fails_the_delivery(post: Post) -> None:
    async with serving() as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        for number in range(MOST_CRASHES + 1):
            for later in (timedelta(days=number), timedelta(days=number) + LONGEST_CRASH_DELAY):
                async with post.db.write() as tx:
                    await jobs.claim(tx, owner=f"killed {number}", now=now() + later, lease=YEAR)
            async with post.db.write() as tx:
                await jobs.let_go(tx, f"killed {number}", now() + timedelta(days=number))
        await post.run_due(YEAR)
        await post.run_due(2 * YEAR)
        assert server.seen == []
    delivery = await post.only(webhook.id)
    assert delivery.state is DeliveryState.FAILED
    assert "worker stopped" in (delivery.error or "")


async def test_finished_deliveries_are_listed_for_a_while(post: Post) -> None:
    async with serving() as server:
        webhook, _ = await post.service.add(post.member, server.url(), WebhookWish())
        await post.announce()
        await post.run_due()
        async with post.db.write_org(post.member.organization_id) as tx:
            await tx.execute(sa.update(webhook_deliveries).values(created_at=now() - timedelta(days=31)))
        await post.announce()
        await post.run_due()
    assert (await post.only(webhook.id)).created_at > now() - timedelta(days=1)
