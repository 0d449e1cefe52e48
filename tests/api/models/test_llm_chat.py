"""Free-form chat with a model, whole and as a stream, as the published clients read it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.models.llm import Usage
from docagent.services.accounts.identity import INVALID
from docagent.store.tables import llm_providers
from tests.support.accounts import new_person
from tests.support.models.provider import Raw, Refusal, ScriptedProvider, Then, running_provider
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

MESSAGES = [
    {"role": "system", "content": "Be short."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "How are you?"},
]
BODY: dict[str, Any] = {"model": "own/chatty", "messages": MESSAGES}


@pytest.fixture
async def server(product: Product) -> AsyncIterator[ScriptedProvider]:
    """A model server that the deployment knows as `own`, with the model `chatty`."""
    async with running_provider() as running:
        await product.services.providers.add(
            product.admin,
            name="own",
            display_name="Our server",
            base_url=running.base_url,
            key=None,
            models=["chatty"],
        )
        yield running
        async with product.services.db.write() as tx:
            await tx.execute(sa.delete(llm_providers))


@pytest.fixture
async def root(product: Product, tenant: Tenant) -> OrgApi:
    return OrgApi(product.client, tenant.organization_id, await product.admin_headers())


async def chats_of(product: Product, tenant: Tenant) -> list[tuple[str, int, int]]:
    groups = await OrgApi(product.client, tenant.organization_id, tenant.headers).get(
        "/payments/usage/breakdown", by="model"
    )
    return [(group["key"], group["calls"], group["spus"]) for group in groups["groups"]]


async def test_an_answer_like_openais(
    product: Product, tenant: Tenant, root: OrgApi, server: ScriptedProvider
) -> None:
    server.add(make_reply("Fine, thanks.", usage=Usage(input_tokens=21, output_tokens=4)))
    answer = await root.post("/llm/run", BODY | {"max_tokens": 50, "temperature": 0.5})
    assert answer["object"] == "chat.completion"
    assert answer["model"] == "own/chatty"
    assert answer["choices"] == [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Fine, thanks."},
            "finish_reason": "stop",
        }
    ]
    assert answer["usage"] == {"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25}
    (request,) = server.requests
    said = [(message["role"], message["content"]) for message in request.body["messages"]]
    assert said[0] == ("system", "Be short.")
    assert [role for role, _ in said[1:]] == ["user", "assistant", "user"]
    assert (request.body["max_tokens"], request.body["temperature"]) == (50, 0.5)
    assert await chats_of(product, tenant) == [("own/chatty", 1, 1)]


async def test_the_account_path_charges_ones_own_organisation(
    product: Product, tenant: Tenant, root: OrgApi, server: ScriptedProvider
) -> None:
    server.add("Fine.")
    answer = await product.client.post("/v0/account/llm/run", json=BODY, headers=root.headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["choices"][0]["message"]["content"] == "Fine."
    assert await chats_of(product, tenant) == []


async def test_a_stream_of_lines(
    product: Product, tenant: Tenant, root: OrgApi, server: ScriptedProvider
) -> None:
    server.add("Fine, thanks. And you?")
    answer = await root.call("POST", "/llm/run", json=BODY | {"stream": True})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["cache-control"] == "no-cache"
    lines = [line for line in answer.text.split("\n") if line]
    assert all(line.startswith("data: ") for line in lines)
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert "".join(event["chunk"] for event in events) == "Fine, thanks. And you?"
    assert [event["done"] for event in events] == [False] * (len(events) - 1) + [True]
    assert events[-1] == {"chunk": "", "done": True}
    assert len(events) > 2
    assert await chats_of(product, tenant) == [("own/chatty", 1, 1)]


async def test_a_stream_that_breaks_off_says_so_and_costs_nothing(
    product: Product, tenant: Tenant, root: OrgApi, server: ScriptedProvider
) -> None:
    block = b'data: {"choices":[{"index":0,"delta":{"content":"Fi"}}]}\n\n'
    server.add(Raw([block], Then.DROP))
    answer = await root.call("POST", "/llm/run", json=BODY | {"stream": True})
    events = [json.loads(line.removeprefix("data: ")) for line in answer.text.split("\n") if line]
    assert events[0] == {"chunk": "Fi", "done": False}
    assert set(events[-1]) == {"error"}
    assert await chats_of(product, tenant) == []


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (Refusal(401, {"error": {"message": "no", "code": "invalid_api_key"}}), 502),
        (Refusal(429, {"error": {"message": "slow down"}}, {"Retry-After": "77"}), 429),
        (Refusal(400, {"error": {"message": "bad", "code": "context_length_exceeded"}}), 400),
    ],
)
async def test_a_refusal_of_the_provider_has_a_status(
    root: OrgApi, server: ScriptedProvider, refusal: Refusal, status: int, stream: bool
) -> None:
    server.add(refusal)
    answer = await root.call("POST", "/llm/run", json=BODY | {"stream": stream})
    assert answer.status_code == status, answer.text
    assert isinstance(answer.json()["detail"], str)
    assert answer.headers.get("Retry-After") == ("77" if status == 429 else None)


async def test_requests_that_are_refused(root: OrgApi, server: ScriptedProvider) -> None:
    detail = await root.refused(400, "POST", "/llm/run", BODY | {"model": "zz"})
    assert detail.startswith("Invalid model: zz. These models can be called now: ")
    detail = await root.refused(400, "POST", "/llm/run", BODY | {"model": "gpt-4o"})
    assert detail.startswith("No API key for model gpt-4o.")
    only_system = BODY | {"messages": MESSAGES[:1]}
    assert "message" in await root.refused(400, "POST", "/llm/run", only_system)
    await root.refused(422, "POST", "/llm/run", BODY | {"messages": []})
    assert server.requests == []


async def test_an_administrator_of_the_organisation_talks_at_its_expense(
    product: Product, tenant: Tenant, api: OrgApi, server: ScriptedProvider
) -> None:
    with_account_token = OrgApi(product.client, tenant.organization_id, tenant.account_headers)
    for caller in (api, with_account_token):
        server.add("Fine.")
        answer = await caller.post("/llm/run", BODY)
        assert answer["choices"][0]["message"]["content"] == "Fine."
    assert await chats_of(product, tenant) == [("own/chatty", 2, 2)]


async def test_others_do_not_talk_at_the_expense_of_an_organisation(
    product: Product, tenant: Tenant, api: OrgApi, server: ScriptedProvider
) -> None:
    colleague = await new_person(product)
    await product.services.organizations.update(
        product.admin,
        tenant.organization_id,
        name=None,
        type=None,
        members=[Membership(tenant.user_id, Role.ADMIN), Membership(colleague.id, Role.USER)],
        flags={},
        ocr_config=None,
    )
    stranger = await product.new_tenant()
    for headers, status, detail in (
        (colleague.headers, 403, "You are not an admin of this organization"),
        (stranger.account_headers, 403, "You are not a member of this organization"),
        (stranger.headers, 401, INVALID),
    ):
        caller = OrgApi(product.client, tenant.organization_id, headers)
        assert await caller.refused(status, "POST", "/llm/run", BODY) == detail
    nowhere = OrgApi(product.client, "zz", tenant.account_headers)
    await nowhere.refused(404, "POST", "/llm/run", BODY)
    answer = await product.client.post("/v0/account/llm/run", json=BODY, headers=tenant.account_headers)
    assert (answer.status_code, answer.json()["detail"]) == (403, "Admin access required")
    assert server.requests == []


@pytest.mark.parametrize("stream", [False, True])
async def test_without_credits_nothing_is_sent(
    root: OrgApi, api: OrgApi, server: ScriptedProvider, stream: bool
) -> None:
    await root.put("/payments/limits", {"enforced": True})
    await api.post("/payments/usage", {"spus": 100, "operation": "x"})
    detail = await root.refused(402, "POST", "/llm/run", BODY | {"stream": stream})
    assert detail.startswith("Insufficient SPU credits: 1 needed, 0 left.")
    assert server.requests == []


async def test_the_built_in_model_answers_too(root: OrgApi) -> None:
    answer = await root.post("/llm/run", BODY | {"model": "docagent-offline"})
    assert answer["choices"][0]["message"]["content"]
