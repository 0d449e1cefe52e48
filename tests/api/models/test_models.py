"""The lists of models, in the shapes that the published clients read."""

from __future__ import annotations

from typing import Any

import httpx2 as httpx
from docrouter_sdk.models.llm import ListLLMModelsResponse

from tests.support.org_api import OrgApi


async def account_models(api: OrgApi, **params: Any) -> httpx.Response:
    return await api.client.get("/v0/account/llm/models", headers=api.headers, params=params)


async def test_an_organisation_sees_the_models_that_can_run(api: OrgApi) -> None:
    assert await api.get("/llm/models") == {"models": ["docagent-offline"]}
    flags = {"chat_only": "True", "exclude_embeddings": "yes"}
    assert await api.get("/llm/models", **flags) == {"models": ["docagent-offline"]}


async def test_organisation_tokens_may_list_the_models_of_the_account(api: OrgApi) -> None:
    response = await account_models(api)
    assert response.status_code == 200, response.text
    body = response.json()
    assert set(body) == {"models", "chat_models", "embedding_models"}
    (model,) = body["models"]
    assert model["id"] == model["litellm_model"] == "docagent-offline"
    assert model["cost_per_1m_input_tokens"] == 0
    assert model["description"] == "built-in, offline, rule-based"
    (chat_model,) = body["chat_models"]
    assert chat_model.items() < model.items()
    assert body["embedding_models"] == []


async def test_the_published_python_client_reads_the_answer(api: OrgApi) -> None:
    body = (await account_models(api, llm_enabled=False)).json()
    names = [model.name for model in ListLLMModelsResponse(**body).models]
    assert {"docagent-offline", "gpt-4o-mini", "claude-sonnet-4-6"} <= set(names)


async def test_models_are_narrowed_by_provider_and_ability(api: OrgApi) -> None:
    async def names(**params: Any) -> set[str]:
        body = (await account_models(api, llm_enabled=False, **params)).json()
        return {model["litellm_model"] for model in body["chat_models"]}

    of_anthropic = await names(provider_name="anthropic")
    assert "claude-sonnet-4-6" in of_anthropic
    assert all(name.startswith("claude") for name in of_anthropic)
    assert await names(provider_name="nobody") == set()
    assert await names(provider_enabled=True) == {"docagent-offline"}
    assert "docagent-offline" not in await names(provider_enabled=False)
    assert "docagent-offline" not in await names(ocr_only=True)
    assert await names(chat_agent_only=True) == await names()


async def test_two_abilities_at_once_are_refused(api: OrgApi) -> None:
    response = await account_models(api, chat_agent_only=True, ocr_only=True)
    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["query", "ocr_only"]


async def test_models_are_not_for_everyone(api: OrgApi) -> None:
    response = await api.client.get("/v0/account/llm/models")
    assert response.status_code == 401


async def test_the_organisations_default_model(api: OrgApi, stranger: OrgApi) -> None:
    path = "/llm/default_model"
    none, both = ({"model": name, "agent_model": name} for name in (None, "docagent-offline"))
    assert await api.get(path) == none
    assert await api.put(path, {"model": "docagent-offline"}) == both
    assert await api.get(path) == both
    assert await stranger.get(path) == none
    detail = await api.refused(400, "PUT", path, {"model": "zz"})
    assert detail == "Invalid model: zz. These models can be called now: docagent-offline."
    only_agent = {"model": None, "agent_model": "docagent-offline"}
    assert await api.put(path, {"model": None, "use_for": "extraction"}) == only_agent
    assert await api.put(path, {"model": None}) == none
