"""Providers of models: keys that are never shown, lists of models, servers of one's own, tests of the connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.store.tables import llm_providers, organization_llm_providers
from tests.support.models.provider import Refusal, ScriptedProvider, running_provider
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

KEY = "sk-proj-0123456789abcdefghijklmnopqrstuvwxyz0123456789"
SHOWN = "sk-proj-01234567******"
UPDATED = {"message": "LLM provider config updated successfully"}


@dataclass(frozen=True)
class Account:
    """Calls paths below `/v0/account/llm`."""

    client: httpx2.AsyncClient
    headers: dict[str, str]

    async def call(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        return await self.client.request(method, f"/v0/account/llm{path}", headers=self.headers, json=body)

    async def ok(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.call(method, path, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def refused(self, status: int, method: str, path: str, body: Any = None) -> Any:
        answer = await self.call(method, path, body)
        assert answer.status_code == status, answer.text
        return answer.json()["detail"]

    async def provider(self, name: str) -> Any:
        listed = (await self.ok("GET", "/providers"))["providers"]
        return next(provider for provider in listed if provider["name"] == name)


@pytest.fixture
async def root(product: Product) -> AsyncIterator[Account]:
    """A system administrator. What is configured for the deployment is taken back after each test."""
    yield Account(product.client, await product.admin_headers())
    async with product.services.db.write() as tx:
        await tx.execute(sa.delete(llm_providers))


@pytest.fixture
async def server() -> AsyncIterator[ScriptedProvider]:
    async with running_provider() as running:
        yield running


async def test_all_known_providers_are_listed(root: Account) -> None:
    listed = (await root.ok("GET", "/providers"))["providers"]
    names = {provider["name"] for provider in listed}
    known = (
        "anthropic azure azure_ai bedrock gemini groq mistral openai openrouter vertex_ai xai ollama docagent"
    )
    assert set(known.split()) <= names
    assert [p["display_name"] for p in listed] == sorted(
        (p["display_name"] for p in listed), key=str.casefold
    )
    openai = await root.provider("openai")
    assert (openai["token"], openai["token_created_at"], openai["usable"]) == (None, None, False)
    assert "gpt-4o" in openai["litellm_models_available"]
    assert openai["litellm_models_enabled"] == openai["litellm_models_available"]
    assert (await root.provider("docagent"))["usable"] is True


async def test_a_key_is_kept_sealed_and_shown_by_its_beginning(
    product: Product, root: Account, api: OrgApi
) -> None:
    assert await root.ok("PUT", "/provider/openai", {"token": f" {KEY}\n"}) == UPDATED
    openai = await root.provider("openai")
    assert (openai["token"], openai["usable"]) == (SHOWN, True)
    assert openai["token_created_at"].endswith("Z")
    async with product.services.db.read() as tx:
        sealed = await tx.scalar(sa.select(llm_providers.c.sealed_key))
    assert KEY not in sealed
    assert "gpt-4o" in (await api.get("/llm/models"))["models"]
    await root.ok("PUT", "/provider/openai", {"enabled": False})
    assert (await root.provider("openai"))["token"] == SHOWN
    assert await api.get("/llm/models") == {"models": ["docagent-offline"]}
    await root.ok("PUT", "/provider/openai", {"enabled": True, "token": ""})
    openai = await root.provider("openai")
    assert (openai["token"], openai["token_created_at"]) == (None, None)
    assert await api.get("/llm/models") == {"models": ["docagent-offline"]}


async def test_models_are_enabled_one_by_one(root: Account, api: OrgApi) -> None:
    change = {
        "token": KEY,
        "litellm_models_enabled": ["gpt-4o", "gpt-4o-mini"],
        "litellm_models_chat_agent": ["gpt-4o"],
    }
    await root.ok("PUT", "/provider/openai", change)
    openai = await root.provider("openai")
    assert openai["litellm_models_enabled"] == ["gpt-4o", "gpt-4o-mini"]
    assert openai["litellm_models_chat_agent"] == ["gpt-4o"]
    assert set((await api.get("/llm/models"))["models"]) == {"docagent-offline", "gpt-4o", "gpt-4o-mini"}
    assert set((await api.get("/llm/models", chat_only=True))["models"]) == {"docagent-offline", "gpt-4o"}
    prompt = {"name": "p", "content": "c", "model": "gpt-4.1"}
    assert (await api.post("/prompts", prompt))["effective_model"] == "docagent-offline"
    assert (await api.post("/prompts", prompt | {"model": "gpt-4o"}))["effective_model"] == "gpt-4o"


async def test_a_chat_runs_only_on_models_that_are_listed_for_chats(root: Account, api: OrgApi) -> None:
    change = {
        "token": KEY,
        "litellm_models_enabled": ["gpt-4o", "gpt-4o-mini"],
        "litellm_models_chat_agent": ["gpt-4o"],
    }
    await root.ok("PUT", "/provider/openai", change)
    uploaded = await api.post("/documents", {"documents": [{"name": "a.txt", "content": "aGk="}]})
    chat = f"/documents/{uploaded['documents'][0]['document_id']}/chat"
    asked = {"messages": [{"role": "user", "content": "Hi"}]}
    detail = await api.refused(400, "POST", chat, asked | {"model": "gpt-4o-mini"})
    assert detail == (
        "Model gpt-4o-mini is not offered for chats. Choose one of: docagent-offline, gpt-4o. An administrator can "
        "add it to the models for the agent on the settings page “Providers and keys”."
    )
    await api.put("/llm/default_model", {"model": "gpt-4o-mini"})
    turn = (await api.post(chat, asked))["turn"]
    assert (await api.get(f"/turns/{turn}/events"))["events"][0]["model"] == "docagent-offline"
    prompt = {"name": "p", "content": "c", "model": "gpt-4o-mini"}
    assert (await api.post("/prompts", prompt))["effective_model"] == "gpt-4o-mini"


async def test_changes_that_are_refused(root: Account) -> None:
    assert await root.refused(400, "PUT", "/provider/zzz", {"token": "x"}) == "Provider 'zzz' not found"
    detail = await root.refused(400, "PUT", "/provider/openai", {"litellm_models_enabled": ["m"]})
    assert detail == "Model 'm' is not available for provider 'openai'"
    detail = await root.refused(400, "PUT", "/provider/docagent", {"enabled": False})
    assert detail == "The built-in model is always there and takes no key."
    await root.ok("PUT", "/provider/azure", {"token": KEY, "base_url": "https://one.example/openai/v1"})
    detail = await root.refused(400, "PUT", "/provider/azure", {"base_url": "https://other.example/v1"})
    assert detail.startswith("Send the key again")
    detail = await root.refused(400, "PUT", "/provider/azure", {"token": KEY, "base_url": "file:///etc"})
    assert detail.startswith("The base_url must be an address")


async def test_providers_are_for_system_administrators(product: Product, tenant: Tenant) -> None:
    account = Account(product.client, tenant.account_headers)
    for method, path, body in (
        ("GET", "/providers", None),
        ("POST", "/providers", {"name": "x", "base_url": "http://127.0.0.1:1/v1", "models": ["m"]}),
        ("PUT", "/provider/openai", {"token": "x"}),
        ("DELETE", "/provider/openai", None),
        ("POST", "/provider/openai/test", None),
        ("POST", "/run", {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}),
    ):
        assert await account.refused(403, method, path, body) == "Admin access required"


async def test_a_model_server_of_ones_own(root: Account, api: OrgApi, server: ScriptedProvider) -> None:
    body = {
        "name": "vllm",
        "base_url": server.base_url,
        "models": ["qwen"],
        "token": "a secret of the server",
    }
    await root.ok("POST", "/providers", body)
    assert await root.refused(409, "POST", "/providers", body) == "Provider 'vllm' already exists"
    await root.refused(409, "POST", "/providers", body | {"name": "openai"})
    assert "lowercase" in await root.refused(400, "POST", "/providers", body | {"name": "My Server"})
    await root.refused(422, "POST", "/providers", body | {"name": "other", "models": []})
    vllm = await root.provider("vllm")
    assert (vllm["custom"], vllm["usable"], vllm["token"]) == (True, True, "a secre******")
    assert vllm["litellm_models_available"] == ["vllm/qwen"]
    assert "vllm/qwen" in (await api.get("/llm/models"))["models"]
    server.add("ready")
    result = await root.ok("POST", "/provider/vllm/test")
    assert (result["ok"], result["model"], result["answer"], result["error"]) == (
        True,
        "vllm/qwen",
        "ready",
        None,
    )
    (request,) = server.requests
    assert request.body["model"] == "qwen"
    assert request.headers["authorization"] == "Bearer a secret of the server"
    await root.ok("PUT", "/provider/vllm", {"models": ["qwen", "llama"]})
    assert (await root.provider("vllm"))["litellm_models_available"] == ["vllm/qwen", "vllm/llama"]
    await api.put("/llm/provider/vllm", {"token": KEY})
    await root.ok("DELETE", "/provider/vllm")
    await root.ok("POST", "/providers", body | {"token": None})
    again = {p["name"]: p for p in (await api.get("/llm/providers"))["providers"]}["vllm"]
    assert again["token"] is None
    await root.ok("DELETE", "/provider/vllm")
    await root.refused(400, "DELETE", "/provider/vllm")
    await root.refused(400, "DELETE", "/provider/openai")


async def test_a_test_of_the_connection_tells_what_is_wrong(root: Account, server: ScriptedProvider) -> None:
    await root.ok("PUT", "/provider/openai", {"token": KEY, "base_url": server.base_url})
    server.add(
        Refusal(401, {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}})
    )
    result = await root.ok("POST", "/provider/openai/test", {"model": "gpt-4o"})
    assert (result["ok"], result["model"], result["answer"]) == (False, "gpt-4o", None)
    assert "key" in result["error"]
    assert KEY not in result["error"]
    assert result["latency_ms"] >= 0
    await root.refused(400, "POST", "/provider/openai/test", {"model": "claude-sonnet-4-6"})


async def test_embeddings_are_refused(root: Account) -> None:
    detail = await root.refused(400, "POST", "/test/embedding", {"model": "text-embedding-3", "input": "x"})
    assert detail.startswith("There are no embedding models.")


async def test_an_organisation_has_keys_of_its_own(
    product: Product, root: Account, api: OrgApi, stranger: OrgApi
) -> None:
    assert (
        await api.put("/llm/provider/openai", {"token": KEY, "litellm_models_enabled": ["gpt-4o"]}) == UPDATED
    )
    own = {p["name"]: p for p in (await api.get("/llm/providers"))["providers"]}["openai"]
    assert (own["token"], own["litellm_models_enabled"], own["usable"]) == (SHOWN, ["gpt-4o"], True)
    assert (await api.get("/llm/models"))["models"] == ["docagent-offline", "gpt-4o"]
    assert await stranger.get("/llm/models") == {"models": ["docagent-offline"]}
    theirs = {p["name"]: p for p in (await stranger.get("/llm/providers"))["providers"]}["openai"]
    assert (theirs["token"], theirs["usable"]) == (None, False)
    assert (await root.provider("openai"))["token"] is None
    async with product.services.db.read_org(api.organization_id) as tx:
        sealed = await tx.scalar(sa.select(organization_llm_providers.c.sealed_key))
    assert KEY not in sealed
    chosen = await product.services.model_calls.choose(api.organization_id, "gpt-4o")
    assert chosen.connection.key == KEY


async def test_an_organisation_does_not_see_the_deployments_key(root: Account, api: OrgApi) -> None:
    await root.ok(
        "PUT", "/provider/anthropic", {"token": KEY, "litellm_models_enabled": ["claude-sonnet-4-6"]}
    )
    listed = {p["name"]: p for p in (await api.get("/llm/providers"))["providers"]}["anthropic"]
    assert (listed["token"], listed["token_created_at"], listed["usable"]) == (None, None, True)
    await api.put("/llm/provider/anthropic", {"litellm_models_enabled": ["claude-opus-4-1"]})
    assert await api.get("/llm/models") == {"models": ["docagent-offline"]}
    await api.put("/llm/provider/anthropic", {"enabled": False})
    listed = {p["name"]: p for p in (await api.get("/llm/providers"))["providers"]}["anthropic"]
    assert listed["enabled"] is False


async def test_what_organisations_may_not_do(api: OrgApi, stranger: OrgApi) -> None:
    foreign = OrgApi(api.client, stranger.organization_id, api.headers)
    await foreign.refused(401, "GET", "/llm/providers")
    await foreign.refused(401, "PUT", "/llm/provider/openai", {"token": "x"})
    assert await api.refused(400, "PUT", "/llm/provider/zz", {}) == "Provider 'zz' not found"
    await api.refused(422, "PUT", "/llm/provider/openai", {"token": new_id() * 1000})
