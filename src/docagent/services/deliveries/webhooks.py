"""Webhooks of an organisation: set by its administrators, filled by the bus, delivered by a job.

A delivery is written in the transaction of the change that it tells of, so it is there if and only if the change is.
It is sent at least once: a worker that dies after sending and before noting it sends the same delivery again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import PUBLIC, CallbackDue, Notice, NoticeKind
from docagent.domain.deliveries.webhooks import (
    CALLBACK_EVENT,
    DOCROUTER_EVENTS,
    SECRET_PREFIX,
    Delivery,
    DeliveryState,
    HeaderWish,
    Outcome,
    Webhook,
    WebhookWish,
    signature,
)
from docagent.domain.egress import EgressFailed, EgressRefused, HostNotFound, OutgoingHttp
from docagent.domain.errors import Conflict, InvalidInput, existing
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job, JobKind
from docagent.domain.listing import Found
from docagent.security import Secrets, random_token
from docagent.services.deliveries.webhook_bodies import event_body, test_body
from docagent.services.jobs import JobRun, JobService
from docagent.store import webhooks
from docagent.store.accounts import credentials
from docagent.store.engine.database import Database, OrgTx

logger = logging.getLogger(__name__)

MOST_WEBHOOKS = 20
SECONDS_REMEMBERED = 2.0
"""How long other processes may miss a new webhook. Asking each time would cost more than the rest of a small commit."""
MOST_REMEMBERED = 10_000
OFF = "The webhook was switched off."
LEFT = "Whoever asked for this call has left the organisation, or their token or session has ended."
DIED = "The worker stopped while it was sending this."
NOT_CALLED = (
    "The host cannot be called: either no name server knows it, or it is inside a network that this server does "
    "not call. Check the address, or ask the server's administrator to open it."
)
"""One sentence for both, so that nobody learns from it which inner names there are."""
TAKEN_HEADERS = frozenset({"host", "content-type", "content-length", "transfer-encoding", "connection"})
OWN_HEADERS = ("x-docagent-", "x-docrouter-")
ADMINS_DO = "see and set its webhooks"


@dataclass(frozen=True, slots=True)
class DeliveryTerms:
    """How often a delivery is tried, and how long it is listed."""

    attempts: int
    kept: timedelta


@dataclass(eq=False)
class WebhookService:
    _db: Database
    _jobs: JobService
    _secrets: Secrets
    _http: OutgoingHttp
    _terms: DeliveryTerms
    _wanted: dict[str, tuple[float, frozenset[NoticeKind]]] = field(init=False, default_factory=dict)
    """For each organisation, the kinds of notice that its webhooks want, and until when that is remembered."""

    # --- administrators ---------------------------------------------------------------------------------------

    async def list(self, member: Member) -> list[Webhook]:
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await webhooks.all_of(tx)

    async def get(self, member: Member, webhook_id: str) -> Webhook:
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await _find(tx, webhook_id)

    async def add(self, member: Member, url: str, wish: WebhookWish) -> tuple[Webhook, str]:
        """Add a webhook. Returns it with its secret, which is not shown again. Without one, a secret is made."""
        member.require_admin(ADMINS_DO)
        secret = wish.secret or random_token(SECRET_PREFIX)
        webhook = self._changed(self._new(member, url, secret), wish)
        async with self._db.write_org(member.organization_id) as tx:
            if len(await webhooks.all_of(tx)) >= MOST_WEBHOOKS:
                raise Conflict(f"An organisation has at most {MOST_WEBHOOKS} webhooks. Delete one first.")
            await webhooks.insert(tx, webhook)
            tx.after_commit(lambda: self._forget(webhook))
        return webhook, secret

    async def add_callback(self, tx: OrgTx, member: Member, url: str, secret: str) -> str:
        """Add an address that receives the outcome of one job. Returns the id to put into the job's `CallbackDue`.

        Every member may: the address is told nothing that the member may not read.
        """
        webhook = replace(self._new(member, url, secret), is_callback=True)
        await webhooks.insert(tx, webhook)
        return webhook.id

    def _new(self, member: Member, url: str, secret: str) -> Webhook:
        self._http.check(url)
        moment, sealed = now(), self._secrets.seal(secret)
        return Webhook(
            new_id(), member.organization_id, url, sealed, (), True, member.user_id, moment, moment
        )

    async def update(self, member: Member, webhook_id: str, wish: WebhookWish) -> tuple[Webhook, str | None]:
        """Change a webhook. A new secret, made here or given, also signs the deliveries that already wait."""
        member.require_admin(ADMINS_DO)
        if wish.url is not None:
            self._http.check(wish.url)
        secret = random_token(SECRET_PREFIX) if wish.secret == "" else wish.secret
        async with self._db.write_org(member.organization_id) as tx:
            before = await _find(tx, webhook_id)
            sealed = before.sealed_secret if secret is None else self._secrets.seal(secret)
            webhook = replace(self._changed(before, wish), sealed_secret=sealed, updated_at=now())
            await webhooks.update(tx, webhook)
            tx.after_commit(lambda: self._forget(webhook))
        return webhook, secret

    def _changed(self, before: Webhook, wish: WebhookWish) -> Webhook:
        header_name, sealed_header = self._header(before, wish.header)
        return replace(
            before,
            url=before.url if wish.url is None else wish.url,
            events=before.events if wish.events is None else tuple(dict.fromkeys(wish.events)),
            active=before.active if wish.active is None else wish.active,
            name=before.name if wish.name is None else wish.name or None,
            auth_header_name=header_name,
            sealed_auth_header=sealed_header,
        )

    async def delete(self, member: Member, webhook_id: str) -> None:
        member.require_admin(ADMINS_DO)
        async with self._db.write_org(member.organization_id) as tx:
            await _find(tx, webhook_id)
            await webhooks.delete(tx, webhook_id)

    def _header(self, before: Webhook, wish: HeaderWish) -> tuple[str | None, str | None]:
        """The name and the sealed value of the header that goes with deliveries; twice None without one."""
        auth_type = wish.auth_type or ("header" if wish.value or before.auth_header_name else "hmac")
        if auth_type == "hmac":
            return None, None
        name = before.auth_header_name if wish.name is None else wish.name
        sealed = before.sealed_auth_header
        if wish.value is not None:
            sealed = self._secrets.seal(wish.value) if wish.value else None
        if not name or not sealed:
            raise InvalidInput(
                "A webhook with auth_type header needs auth_header_name and auth_header_value."
            )
        if name.lower() in TAKEN_HEADERS or name.lower().startswith(OWN_HEADERS):
            raise InvalidInput(f"The header {name} is set by this server. Choose another auth_header_name.")
        return name, sealed

    # --- deliveries -------------------------------------------------------------------------------------------

    @property
    def attempts(self) -> int:
        """How often a delivery is tried."""
        return self._terms.attempts

    async def deliveries(
        self,
        member: Member,
        webhook_id: str | None = None,
        *,
        state: str | None = None,
        event: str | None = None,
        skip: int,
        limit: int,
    ) -> Found[Delivery]:
        """The deliveries of one webhook or of all, newest first."""
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            if webhook_id is not None:
                await _find(tx, webhook_id)
            return await webhooks.deliveries(
                tx, webhook_id=webhook_id, state=state, event=event, skip=skip, limit=limit
            )

    async def delivery(self, member: Member, delivery_id: str) -> tuple[Delivery, Webhook]:
        member.require_admin(ADMINS_DO)
        async with self._db.read_org(member.organization_id) as tx:
            return await _find_delivery(tx, delivery_id)

    async def retry(self, member: Member, delivery_id: str) -> None:
        """Send an ended delivery again, under its id and as often as a new one. One that waits is left alone."""
        member.require_admin(ADMINS_DO)
        async with self._db.write_org(member.organization_id) as tx:
            delivery, webhook = await _find_delivery(tx, delivery_id)
            if not webhook.active:
                raise Conflict("The webhook is switched off, so nothing is sent. Switch it on first.")
            if await webhooks.reopen(tx, delivery.id):
                await self._enqueue(tx, delivery)

    async def test(self, member: Member, webhook_id: str) -> Delivery:
        """Send a test notice once, now, even to a webhook that is switched off."""
        member.require_admin(ADMINS_DO)
        async with self._db.write_org(member.organization_id) as tx:
            webhook = await _find(tx, webhook_id)
            delivery = _delivery(webhook, webhook.test_event)
            delivery = replace(delivery, body=test_body(delivery, webhook, member.user_id))
            await webhooks.add_delivery(tx, delivery)
        outcome = await self._send(webhook, delivery)
        state = DeliveryState.DELIVERED if outcome.is_delivered else DeliveryState.FAILED
        async with self._db.write_org(member.organization_id) as tx:
            await webhooks.note_outcome(tx, delivery.id, state, 1, outcome, now())
            noted = await webhooks.delivery(tx, delivery.id)
        return existing(noted, "Webhook not found")

    # --- the bus ----------------------------------------------------------------------------------------------

    async def record(self, tx: OrgTx, notice: Notice) -> None:
        """Write a delivery for every webhook that wants the notice, in the transaction of the change."""
        if isinstance(notice, CallbackDue):
            if (callback := await webhooks.get(tx, notice.webhook_id)) is not None:
                await self._write(tx, callback, CALLBACK_EVENT, notice, notice.credential_id)
            return
        if notice.kind not in PUBLIC or self._nobody_wants(tx.organization_id, notice.kind):
            return
        found = await webhooks.all_of(tx)
        self._remember(tx.organization_id, found)
        for webhook in found:
            if (event := webhook.name_of(notice.kind)) is not None:
                await self._write(tx, webhook, event, notice)

    async def _write(
        self, tx: OrgTx, webhook: Webhook, event: str, notice: Notice, credential_id: str | None = None
    ) -> None:
        delivery = _delivery(webhook, event)
        delivery = replace(delivery, body=await event_body(tx, delivery, notice))
        await webhooks.add_delivery(tx, delivery)
        await self._enqueue(tx, delivery, credential_id)

    async def _enqueue(self, tx: OrgTx, delivery: Delivery, credential_id: str | None = None) -> None:
        await self._jobs.enqueue(
            tx,
            JobKind.DELIVER_WEBHOOK,
            None,
            {"delivery_id": delivery.id, "credential_id": credential_id},
            max_attempts=self._terms.attempts,
        )

    def _nobody_wants(self, organization_id: str, kind: NoticeKind) -> bool:
        until, wanted = self._wanted.get(organization_id, (0.0, frozenset()))
        return time.monotonic() < until and kind not in wanted

    def _remember(self, organization_id: str, found: Sequence[Webhook]) -> None:
        if len(self._wanted) >= MOST_REMEMBERED:
            self._wanted.clear()
        wanted = frozenset(kind for kind in PUBLIC if any(webhook.name_of(kind) for webhook in found))
        self._wanted[organization_id] = (time.monotonic() + SECONDS_REMEMBERED, wanted)

    def _forget(self, webhook: Webhook) -> None:
        self._wanted.pop(webhook.organization_id, None)

    # --- the job ----------------------------------------------------------------------------------------------

    async def deliver(self, run: JobRun) -> None:
        job = run.job
        async with self._db.read_org(job.organization_id) as tx:
            delivery = await webhooks.delivery(tx, job.arguments["delivery_id"])
            webhook = await webhooks.get(tx, delivery.webhook_id) if delivery else None
            why = await _why_not(tx, webhook, job)
        if delivery is None or webhook is None or why:
            async with self._db.write_org(job.organization_id) as tx:
                await webhooks.give_up(tx, job.arguments["delivery_id"], why or OFF)
                await run.finish(tx, why or OFF)
            return
        await self._note(run, webhook, delivery, await self._send(webhook, delivery))

    async def _note(self, run: JobRun, webhook: Webhook, delivery: Delivery, outcome: Outcome) -> None:
        over = outcome.is_delivered or run.job.is_last_attempt
        state = DeliveryState.PENDING
        if over:
            state = DeliveryState.DELIVERED if outcome.is_delivered else DeliveryState.FAILED
        async with self._db.write_org(run.job.organization_id) as tx:
            await run.alive(tx)
            await webhooks.note_outcome(tx, delivery.id, state, run.job.attempts, outcome, now())
            if over:
                await run.finish(tx, outcome.error)
                await webhooks.forget_older(tx, webhook.id, now() - self._terms.kept)
            if outcome.is_delivered and webhook.is_callback:
                await webhooks.delete(tx, webhook.id)  # it was for this one delivery
        if not over:
            await self._jobs.retry_later(run.job, outcome.error or "")

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Record that the job failed for the last time, in the transaction that gives it up."""
        await webhooks.give_up(tx, job.arguments["delivery_id"], DIED)

    async def _send(self, webhook: Webhook, delivery: Delivery) -> Outcome:
        body = delivery.body.encode()
        begun = time.monotonic()
        status, error = None, None
        try:
            answer = await self._http.request(
                "POST", webhook.url, headers=self._headers(webhook, delivery, body), body=body, read=False
            )
        except (EgressRefused, HostNotFound) as closed:
            logger.info("webhook not called", extra={"webhook_id": webhook.id, "reason": closed.detail})
            return Outcome(None, NOT_CALLED, 0)
        except EgressFailed as failed:
            error = failed.detail
        else:
            status = answer.status
            if not answer.is_success:
                error = (
                    f"The receiver answered {status}; a delivery counts only with a status from 200 to 299."
                )
        return Outcome(status, error, round((time.monotonic() - begun) * 1000))

    def _headers(self, webhook: Webhook, delivery: Delivery, body: bytes) -> dict[str, str]:
        timestamp = str(int(now().timestamp()))
        signed = signature(self._secrets.unseal(webhook.sealed_secret), timestamp, body)
        headers = {
            "Content-Type": "application/json",
            "X-Docagent-Event": delivery.event,
            "X-Docagent-Delivery": delivery.id,
            "X-Docagent-Timestamp": timestamp,
            "X-Docagent-Signature": signed,
        }
        if delivery.event in DOCROUTER_EVENTS:
            headers |= {
                "X-DocRouter-Event": delivery.event,
                "X-DocRouter-Event-Id": delivery.id,
                "X-DocRouter-Timestamp": timestamp,
                "X-DocRouter-Signature": signed,
            }
        if webhook.auth_header_name and webhook.sealed_auth_header:
            headers[webhook.auth_header_name] = self._secrets.unseal(webhook.sealed_auth_header)
        return headers


def _delivery(webhook: Webhook, event: str) -> Delivery:
    """A new delivery, which has no body yet."""
    return Delivery(new_id(), webhook.id, str(event), now())


async def _why_not(tx: OrgTx, webhook: Webhook | None, job: Job) -> str | None:
    """Why nothing is sent any more. A callback belongs to a member, and ends with the credential that asked for it."""
    if webhook is None or not webhook.active:
        return OFF
    if not webhook.is_callback:
        return None
    asker = job.arguments.get("credential_id")
    role, opens = await credentials.standing(tx, webhook.created_by, asker, tx.organization_id, now())
    return None if role and opens else LEFT


async def _find(tx: OrgTx, webhook_id: str) -> Webhook:
    return existing(await webhooks.get(tx, webhook_id), "Webhook not found")


async def _find_delivery(tx: OrgTx, delivery_id: str) -> tuple[Delivery, Webhook]:
    delivery = existing(await webhooks.delivery(tx, delivery_id), "Delivery not found")
    return delivery, await _find(tx, delivery.webhook_id)
