"""Credits under real parallel calls: the ledger records all, and an enforced account never goes below zero."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest
import sqlalchemy as sa

from docagent.adapters.llm.scripted import ScriptedModel, make_reply
from docagent.domain.accounts.accounts import OrganizationType
from docagent.domain.clock import now
from docagent.domain.errors import InsufficientCredits, InvalidInput
from docagent.domain.ids import new_id
from docagent.domain.models.credits import EntryKind, UsageKey
from docagent.domain.models.llm import ModelError, ModelFailure, ModelReply, ModelRequest, Usage
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database
from docagent.store.models import credits
from docagent.store.tables import credit_entries
from tests.support.models.model_calls import HELLO, ROOT, Gateway, admin_of
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant

UNAVAILABLE = ModelError(ModelFailure.UNAVAILABLE, "The provider is away.")
STEPS = 40
"""More than a call takes until the model is asked."""


@pytest.fixture
def db(product: Product) -> Database:
    return product.services.db


def talking() -> ScriptedModel:
    """Every reply costs 10 credits at a price of 0.01: 0.05 dollars of gpt-4o-mini's output."""
    usage = Usage(input_tokens=0, output_tokens=83_333)
    return ScriptedModel(lambda _: make_reply("yes", usage=usage))


async def limit(gateway: Gateway, org: str, credits_left: int) -> None:
    """Switch limits on, with so many credits left."""
    account = await gateway.credits.set_enforced(ROOT, org, True)
    await gateway.credits.record(admin_of(org), account.remaining - credits_left, "before", "test")


async def ledger_sum(db: Database, org: str) -> int:
    """What the ledger says is left: all that was given, less all that was taken from the pots."""
    async with db.read_org(org) as tx:
        rows = await tx.rows(sa.select(credit_entries))
    given: int = sum(row.credits for row in rows if row.kind == EntryKind.GRANT)
    taken: int = sum(row.from_granted + row.from_purchased for row in rows)
    return given - taken


async def until_held(gateway: Gateway, org: str, credits: int) -> None:
    held = 0
    while held < credits:
        held = (await gateway.credits.balance(admin_of(org))).held


async def test_a_new_organisation_has_its_grant_and_no_limits(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    account = (await gateway.credits.balance(admin_of(org))).account
    assert (account.granted, account.granted_used, account.remaining) == (100, 0, 100)
    assert not account.enforced


async def test_without_limits_calls_go_on_and_everything_is_recorded(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    await gateway.credits.record(admin_of(org), 99, "before", "test")
    taken = [await gateway.run(await gateway.call(org, pages=30)) for _ in range(3)]
    assert taken == [2, 2, 2]
    account = (await gateway.credits.balance(admin_of(org))).account
    assert (account.remaining, account.paid) == (0, 5)
    assert await ledger_sum(db, org) == 0


async def test_an_enforced_account_is_never_overdrawn_by_parallel_calls(db: Database, org: str) -> None:
    gateway = Gateway(db, talking(), at_once=7)
    await limit(gateway, org, credits_left=5)
    calls = [await gateway.call(org) for _ in range(20)]
    ended = await asyncio.gather(*(gateway.run(call) for call in calls), return_exceptions=True)
    assert [outcome for outcome in ended if not isinstance(outcome, Exception)] == [1] * 5
    refused = [outcome for outcome in ended if isinstance(outcome, Exception)]
    assert len(refused) == 15
    assert {type(outcome) for outcome in refused} == {InsufficientCredits}
    balance = await gateway.credits.balance(admin_of(org))
    assert (balance.account.remaining, balance.account.paid, balance.held) == (0, 0, 0)
    assert await ledger_sum(db, org) == 0


async def test_calls_dearer_than_expected_stop_at_zero(db: Database, org: str) -> None:
    """Ten credits each, of which far fewer were expected: what is missing is not charged, and not owed."""
    gateway = Gateway(db, talking(), price_per_credit=0.01)
    await limit(gateway, org, credits_left=25)
    calls = [await gateway.call(org) for _ in range(8)]
    ended = await asyncio.gather(*(gateway.run(call) for call in calls), return_exceptions=True)
    assert sum(outcome for outcome in ended if isinstance(outcome, int)) == 25
    account = (await gateway.credits.balance(admin_of(org))).account
    assert (account.remaining, account.paid) == (0, 0)
    assert await ledger_sum(db, org) == 0


async def test_parallel_charges_without_limits_all_count(db: Database, org: str) -> None:
    gateway = Gateway(db, talking(), price_per_credit=0.01)
    calls = [await gateway.call(org) for _ in range(12)]
    assert await asyncio.gather(*(gateway.run(call) for call in calls)) == [10] * 12
    account = (await gateway.credits.balance(admin_of(org))).account
    assert (account.granted_used, account.paid) == (100, 20)


async def test_refusal_says_what_is_needed_and_what_is_left(db: Database, org: str) -> None:
    model = talking()
    gateway = Gateway(db, model)
    await limit(gateway, org, credits_left=2)
    call = await gateway.call(org, pages=60)
    with pytest.raises(InsufficientCredits, match="3 needed, 2 left") as refused:
        await gateway.calls.complete(call)
    assert (refused.value.needed, refused.value.left) == (3, 2)
    assert model.requests == []


async def test_the_built_in_model_costs_nothing_and_runs_without_credits(db: Database, org: str) -> None:
    gateway = Gateway(db, talking(), price_per_credit=0.01)
    await limit(gateway, org, credits_left=0)
    call = await gateway.call(org, "docagent-offline", pages=500)
    assert await gateway.run(call) == 0
    groups = await gateway.credits.breakdown(admin_of(org), UsageKey.MODEL, None, None)
    assert [(group.key, group.calls, group.credits) for group in groups if group.key] == [
        ("docagent-offline", 1, 0)
    ]


async def test_enterprise_organisations_are_never_stopped(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    await limit(gateway, org, credits_left=0)
    async with db.write() as tx:
        await organizations.update(tx, org, {"type": OrganizationType.ENTERPRISE})
    assert await gateway.run(await gateway.call(org)) == 1


async def test_what_was_held_for_a_failed_call_is_free_again(db: Database, org: str) -> None:
    model = ScriptedModel([UNAVAILABLE, "yes"])
    gateway = Gateway(db, model)
    await limit(gateway, org, credits_left=1)
    with pytest.raises(ModelError, match="away"):
        await gateway.calls.complete(await gateway.call(org))
    assert await gateway.run(await gateway.call(org)) == 1


async def test_a_call_that_is_given_up_holds_neither_credits_nor_a_place(db: Database, org: str) -> None:
    gateway = Gateway(db, ScriptedModel(["one two three", "yes"]), at_once=1)
    await limit(gateway, org, credits_left=1)
    async with aclosing(gateway.calls.stream(await gateway.call(org))) as events:
        async for _ in events:
            assert (await gateway.credits.balance(admin_of(org))).held == 1
            break
    assert (await gateway.credits.balance(admin_of(org))).held == 0
    async with asyncio.timeout(30):
        assert await gateway.run(await gateway.call(org)) == 1


async def test_a_call_cancelled_at_any_moment_holds_nothing(db: Database, org: str) -> None:
    gateway = Gateway(db, ScriptedModel(["one two three"] * STEPS, seconds_between_deltas=SECONDS))
    await limit(gateway, org, credits_left=2)
    for steps in range(STEPS):
        calling = asyncio.create_task(gateway.calls.complete(await gateway.call(org)))
        for _ in range(steps):
            await asyncio.sleep(0)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert (await gateway.credits.balance(admin_of(org))).held == 0


async def test_a_call_that_waits_for_a_place_can_be_cancelled(db: Database, org: str) -> None:
    gateway = Gateway(db, ScriptedModel(["first", "second"], seconds_between_deltas=0.05), at_once=1)
    await limit(gateway, org, credits_left=2)
    first, second = await gateway.call(org), await gateway.call(org)
    async with aclosing(gateway.calls.stream(first)) as events:
        await anext(events)
        waiting = asyncio.create_task(gateway.calls.complete(second))
        async with asyncio.timeout(SECONDS):
            await until_held(gateway, org, 2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (await gateway.credits.balance(admin_of(org))).held == 1
        rest = [event async for event in events]
    assert isinstance(rest[-1], ModelReply)
    assert len(gateway.model.requests) == 1


async def test_what_a_dead_process_held_runs_out(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    await limit(gateway, org, credits_left=1)
    moment = now()
    async with db.write_org(org) as tx:
        await credits.hold(tx, new_id(), 1, moment, moment + timedelta(hours=1))
    with pytest.raises(InsufficientCredits, match="1 needed, 0 left"):
        await gateway.calls.complete(await gateway.call(org))
    async with db.write_org(org) as tx:
        await credits.hold(tx, new_id(), 1, moment + timedelta(hours=2), moment - timedelta(hours=1))
    assert await gateway.run(await gateway.call(org)) == 1


async def test_a_charge_is_undone_with_its_transaction(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    call = await gateway.call(org)
    reply = await gateway.calls.complete(call)

    async def charge_and_fail() -> None:
        async with db.write_org(org) as tx:
            assert (await gateway.calls.charge(tx, call, reply)).credits == 1
            raise RuntimeError("the reply cannot be stored")

    with pytest.raises(RuntimeError, match="the reply cannot be stored"):
        await charge_and_fail()
    account = (await gateway.credits.balance(admin_of(org))).account
    assert account.granted_used == 0
    assert await ledger_sum(db, org) == 0


async def test_one_organisations_charges_are_not_anothers(db: Database, org: str, other: Tenant) -> None:
    gateway = Gateway(db, talking())
    await gateway.run(await gateway.call(org))
    untouched = await gateway.credits.balance(admin_of(other.organization_id))
    assert untouched.account.granted_used == 0


async def test_an_entry_keeps_what_was_used(db: Database, org: str) -> None:
    usage = Usage(input_tokens=1000, output_tokens=500, cached_input_tokens=200)
    gateway = Gateway(db, ScriptedModel([make_reply("yes", usage=usage)]))
    user_id = new_id()
    call = await gateway.call(org, user_id=user_id)
    await gateway.run(call)
    async with db.read_org(org) as tx:
        row = await tx.first(sa.select(credit_entries).where(credit_entries.c.kind == EntryKind.CHARGE))
    assert row is not None
    assert (row.credits, row.operation, row.source, row.user_id) == (1, "document_llm", "backend", user_id)
    assert (row.provider, row.model, row.input_tokens, row.output_tokens) == (
        "openai",
        "gpt-4o-mini",
        1000,
        500,
    )
    assert row.cost == pytest.approx((800 * 0.15 + 200 * 0.075 + 500 * 0.6) / 1e6)
    assert row.day == now().date().isoformat()


async def test_which_model_a_call_gets(db: Database, org: str) -> None:
    gateway = Gateway(db, talking())
    await gateway.calls.complete(await gateway.call(org, "openai/gpt-4o"))
    assert gateway.model.requests[0].model == "gpt-4o"
    (connection,) = gateway.opened
    assert (connection.provider, connection.key) == ("openai", "sk-test")
    assert "sk-test" not in repr(connection)
    fallen_back = await gateway.calls.choose(org, "claude-sonnet-4-6")
    assert (fallen_back.name, fallen_back.requested) == ("docagent-offline", "claude-sonnet-4-6")
    with pytest.raises(InvalidInput, match="No API key for model claude-sonnet-4-6"):
        await gateway.calls.choose(org, "claude-sonnet-4-6", strict=True)
    with pytest.raises(InvalidInput, match="Invalid model: zz"):
        await gateway.calls.choose(org, "zz")


async def test_long_requests_need_more_credits(db: Database, org: str) -> None:
    gateway = Gateway(db, talking(), price_per_credit=0.001)
    await limit(gateway, org, credits_left=10)
    long = ModelRequest("m", HELLO.messages, system="word " * 100_000)
    call = await gateway.call(org, request=long)
    with pytest.raises(InsufficientCredits, match="44 needed, 10 left"):
        await gateway.calls.complete(call)
