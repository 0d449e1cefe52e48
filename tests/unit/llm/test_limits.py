"""Bounded calls: never too many at once, fair, and a wait that can be given up."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.limits import CallLimits
from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.models.llm import Message, Model, ModelReply, ModelRequest, TextPart
from tests.support.models.provider import running_provider
from tests.support.polling import SECONDS, let_time_pass
from tests.support.tables import table

REQUEST = ModelRequest("a-model", (Message("user", (TextPart("Hello"),)),))


async def answer(limits: CallLimits, model: Model, organization: str) -> None:
    async with limits.place("p", organization), aclosing(model.stream(REQUEST)) as events:
        last = [each async for each in events][-1]
    assert isinstance(last, ModelReply)


@table(("per_provider", "per_organization", "most"), [(2, 9, 2), (9, 1, 3), (5, 2, 5)])
async def test_calls_at_once(per_provider: int, per_organization: int, most: int) -> None:
    limits = CallLimits(per_provider, per_organization)
    async with running_provider() as provider, ModelTransport(use_environment_proxy=False) as transport:
        provider.hold = asyncio.Event()
        provider.add(*["Hi"] * 12)
        model = make_model(ProviderKind.ANTHROPIC, transport, base_url=provider.base_url)
        organizations = ["a", "b", "c"]
        calls = [
            asyncio.create_task(answer(limits, model, organization)) for organization in organizations * 4
        ]
        await provider.is_asked(at_once=most)
        await let_time_pass(0.05)
        provider.hold.set()
        await asyncio.gather(*calls)
    assert provider.most_at_once == most
    assert len(provider.requests) == 12


async def test_first_come_first_served() -> None:
    limits = CallLimits(1, 1)
    order: list[int] = []

    async def call(number: int) -> None:
        async with limits.place("p", f"organization {number}"):
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(call(number) for number in range(8)))
    assert order == list(range(8))


async def test_a_busy_organisation_does_not_fill_the_line_of_others() -> None:
    limits = CallLimits(per_provider=2, per_organization=1)
    order: list[str] = []

    async def call(organization: str) -> None:
        async with limits.place("p", organization):
            order.append(organization)
            await let_time_pass(0.01)

    await asyncio.gather(*(call(organization) for organization in ["busy"] * 5 + ["other"]))
    assert order.index("other") <= 1


async def test_giving_up_a_wait_leaves_the_place_to_the_next() -> None:
    limits = CallLimits(1, 5)
    async with limits.place("p", "a"):
        waiting = [asyncio.create_task(_pass_through(limits)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]
    await asyncio.wait_for(waiting[1], SECONDS)


async def test_providers_do_not_wait_for_each_other() -> None:
    limits = CallLimits(1, 5)
    async with limits.place("p", "a"), asyncio.timeout(SECONDS), limits.place("q", "a"):
        pass


async def _pass_through(limits: CallLimits) -> None:
    async with limits.place("p", "a"):
        pass
