"""Webhooks of an organisation: set by its administrators, filled by the bus, delivered by a job.

A delivery is written in the transaction of the change that it tells of, so it is there if and only if the change is.
It is sent at least once: a worker that dies after sending and before noting it sends the same delivery again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import orjson

from docagent.domain.accounts import Member
from docagent.domain.clock import now
from docagent.domain.egress import EgressFailed, EgressRefused, OutgoingHttp
from docagent.domain.errors import Conflict, Forbidden, NotFound
from docagent.domain.ids import is_id, new_id
from docagent.domain.jobs import Job, JobKind
from docagent.domain.listing import Found
from docagent.domain.notices import PUBLIC, Notice, NoticeKind, notice_json
from docagent.domain.webhooks import (
    SECRET_PREFIX,
    TEST_EVENT,
    Delivery,
    DeliveryState,
    Outcome,
    Webhook,
    signature,
)
from docagent.security import Secrets, random_token
from docagent.services.jobs import JobRun, JobService
from docagent.store import webhooks
from docagent.store.engine import Database, OrgTx

MOST_WEBHOOKS = 20
SECONDS_REMEMBERED = 2.0
"""How long other processes may miss a new webhook. Asking each time would cost more than the rest of a small commit."""
MOST_REMEMBERED = 10_000
OFF = "The webhook was switched off."
DIED = "The worker died while it sent this."


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """How often a delivery is tried, and how long it is listed."""

    attempts: int
    kept: timedelta


class WebhookService:
    def __init__(
        self, db: Database, jobs: JobService, secrets: Secrets, http: OutgoingHttp, terms: DeliveryTerms
    ) -> None:
        self._db = db
        self._jobs = jobs
        self._secrets = secrets
        self._http = http
        self._terms = terms
        self._wanted: dict[str, tuple[float, frozenset[NoticeKind]]] = {}
        """For each organisation, the kinds of notice that its webhooks want, and until when that is remembered."""

    # --- administrators ---------------------------------------------------------------------------------------

    async def list(self, member: Member) -> list[Webhook]:
        _require_admin(member)
        async with self._db.read_org(member.organization_id) as tx:
            return await webhooks.all_of(tx)

    async def add(
        self, member: Member, url: str, events: Sequence[NoticeKind], *, active: bool
    ) -> tuple[Webhook, str]:
        """Add a webhook. Returns it with its secret, which is not shown again."""
        _require_admin(member)
        self._http.check(url)
        secret = random_token(SECRET_PREFIX)
        moment = now()
        webhook = Webhook(
            id=new_id(),
            organization_id=member.organization_id,
            url=url,
            sealed_secret=self._secrets.seal(secret),
            events=tuple(dict.fromkeys(events)),
            active=active,
            created_by=member.user_id,
            created_at=moment,
            updated_at=moment,
        )
        async with self._db.write_org(member.organization_id) as tx:
            if len(await webhooks.all_of(tx)) >= MOST_WEBHOOKS:
                raise Conflict(f"An organisation has at most {MOST_WEBHOOKS} webhooks. Delete one first.")
            await webhooks.insert(tx, webhook)
            tx.after_commit(lambda: self._forget(webhook))
        return webhook, secret

    async def update(
        self,
        member: Member,
        webhook_id: str,
        *,
        url: str | None,
        events: Sequence[NoticeKind] | None,
        active: bool | None,
        new_secret: bool,
    ) -> tuple[Webhook, str | None]:
        """Change a webhook. None leaves a field as it is. A new secret also signs the deliveries that already wait."""
        _require_admin(member)
        if url is not None:
            self._http.check(url)
        secret = random_token(SECRET_PREFIX) if new_secret else None
        async with self._db.write_org(member.organization_id) as tx:
            before = await _find(tx, webhook_id)
            webhook = replace(
                before,
                url=before.url if url is None else url,
                events=before.events if events is None else tuple(dict.fromkeys(events)),
                active=before.active if active is None else active,
                sealed_secret=before.sealed_secret if secret is None else self._secrets.seal(secret),
                updated_at=now(),
            )
            await webhooks.update(tx, webhook)
            tx.after_commit(lambda: self._forget(webhook))
        return webhook, secret

    async def delete(self, member: Member, webhook_id: str) -> None:
        _require_admin(member)
        async with self._db.write_org(member.organization_id) as tx:
            await _find(tx, webhook_id)
            await webhooks.delete(tx, webhook_id)

    async def deliveries(self, member: Member, webhook_id: str, *, skip: int, limit: int) -> Found[Delivery]:
        _require_admin(member)
        async with self._db.read_org(member.organization_id) as tx:
            await _find(tx, webhook_id)
            found, total = await webhooks.deliveries(tx, webhook_id, skip=skip, limit=limit)
        return Found(found, total, skip)

    async def test(self, member: Member, webhook_id: str) -> Delivery:
        """Send a test notice once, now, even to a webhook that is switched off."""
        _require_admin(member)
        async with self._db.write_org(member.organization_id) as tx:
            webhook = await _find(tx, webhook_id)
            delivery = _delivery(webhook, TEST_EVENT, {"user_id": member.user_id})
            await webhooks.add_delivery(tx, delivery)
        outcome = await self._send(webhook, delivery)
        state = DeliveryState.DELIVERED if outcome.is_delivered else DeliveryState.FAILED
        async with self._db.write_org(member.organization_id) as tx:
            await webhooks.note_outcome(tx, delivery.id, state, 1, outcome, now())
            noted = await webhooks.delivery(tx, delivery.id)
        if noted is None:
            raise NotFound("Webhook not found")
        return noted

    # --- the bus ----------------------------------------------------------------------------------------------

    async def record(self, tx: OrgTx, notice: Notice) -> None:
        """Write a delivery for every webhook that wants the notice, in the transaction of the change."""
        if notice.kind not in PUBLIC or self._nobody_wants(tx.organization_id, notice.kind):
            return
        found = await webhooks.all_of(tx)
        self._remember(tx.organization_id, found)
        wanted = [webhook for webhook in found if webhook.wants(notice.kind)]
        for webhook in wanted:
            delivery = _delivery(webhook, notice.kind, notice_json(notice))
            await webhooks.add_delivery(tx, delivery)
            await self._jobs.enqueue(
                tx,
                JobKind.DELIVER_WEBHOOK,
                None,
                {"delivery_id": delivery.id},
                max_attempts=self._terms.attempts,
            )
        if wanted:
            tx.after_commit(self._jobs.wake)

    def _nobody_wants(self, organization_id: str, kind: NoticeKind) -> bool:
        until, wanted = self._wanted.get(organization_id, (0.0, frozenset()))
        return time.monotonic() < until and kind not in wanted

    def _remember(self, organization_id: str, found: Sequence[Webhook]) -> None:
        if len(self._wanted) >= MOST_REMEMBERED:
            self._wanted.clear()
        wanted = frozenset(kind for kind in PUBLIC if any(webhook.wants(kind) for webhook in found))
        self._wanted[organization_id] = (time.monotonic() + SECONDS_REMEMBERED, wanted)

    def _forget(self, webhook: Webhook) -> None:
        self._wanted.pop(webhook.organization_id, None)

    # --- the job ----------------------------------------------------------------------------------------------

    async def deliver(self, run: JobRun) -> None:
        job = run.job
        async with self._db.read_org(job.organization_id) as tx:
            delivery = await webhooks.delivery(tx, job.arguments["delivery_id"])
            webhook = await webhooks.get(tx, delivery.webhook_id) if delivery else None
        if delivery is None or webhook is None or not webhook.active:
            async with self._db.write_org(job.organization_id) as tx:
                await webhooks.give_up(tx, job.arguments["delivery_id"], OFF)
                await run.finish(tx, OFF)
            return
        outcome = await self._send(webhook, delivery)
        await self._note(run, delivery, outcome)

    async def _note(self, run: JobRun, delivery: Delivery, outcome: Outcome) -> None:
        over = outcome.is_delivered or outcome.is_final or run.job.is_last_attempt
        state = DeliveryState.PENDING
        if over:
            state = DeliveryState.DELIVERED if outcome.is_delivered else DeliveryState.FAILED
        async with self._db.write_org(run.job.organization_id) as tx:
            await run.alive(tx)
            await webhooks.note_outcome(tx, delivery.id, state, run.job.attempts, outcome, now())
            if over:
                await run.finish(tx, outcome.error)
                await webhooks.forget_older(tx, delivery.webhook_id, now() - self._terms.kept)
        if not over:
            await self._jobs.retry_later(run.job, outcome.error or "")

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Record that the job failed for the last time, in the transaction that gives it up."""
        await webhooks.give_up(tx, job.arguments["delivery_id"], DIED)

    async def _send(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        body = delivery.body.encode()
        timestamp = str(int(now().timestamp()))
        secret = self._secrets.unseal(webhook.sealed_secret)
        headers = {
            "Content-Type": "application/json",
            "X-Docagent-Event": delivery.event,
            "X-Docagent-Delivery": delivery.id,
            "X-Docagent-Timestamp": timestamp,
            "X-Docagent-Signature": signature(secret, timestamp, body),
        }
        begun = time.monotonic()
        status, error, final = None, None, False
        try:
            answer = await self._http.request("POST", webhook.url, headers=headers, body=body, read=False)
        except EgressRefused as refused:
            error, final = refused.detail, True
        except EgressFailed as failed:
            error = failed.detail
        else:
            status = answer.status
            if not answer.is_success:
                error = (
                    f"The receiver answered {status}; a delivery counts only with a status from 200 to 299."
                )
        return Outcome(status, error, round((time.monotonic() - begun) * 1000), final)


def _delivery(webhook: Webhook, event: str, data: dict[str, Any]) -> Delivery:
    delivery_id, moment = new_id(), now()
    body = {
        "id": delivery_id,
        "event": str(event),
        "organization_id": webhook.organization_id,
        "created_at": moment,
        "data": data,
    }
    return Delivery(
        id=delivery_id,
        webhook_id=webhook.id,
        event=str(event),
        body=orjson.dumps(body, option=orjson.OPT_UTC_Z).decode(),
        state=DeliveryState.PENDING,
        attempts=0,
        status=None,
        error=None,
        milliseconds=None,
        created_at=moment,
        tried_at=None,
    )


async def _find(tx: OrgTx, webhook_id: str) -> Webhook:
    webhook = await webhooks.get(tx, webhook_id) if is_id(webhook_id) else None
    if webhook is None:
        raise NotFound("Webhook not found")
    return webhook


def _require_admin(member: Member) -> None:
    if not member.is_admin:
        raise Forbidden("Only administrators of the organisation see and set its webhooks.")
