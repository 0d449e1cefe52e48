"""Servers on this machine: what is listed, one click to make a model the default, and the check."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.models.llm import ToolCall
from docagent.settings import Settings
from tests.conftest import make_settings, running_product
from tests.support.accounts import new_person, set_members
from tests.support.models.local_servers import as_ollama, as_vllm, port_of
from tests.support.models.provider import Refusal, ScriptedProvider, running_provider
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

LLAMA = "ollama/llama3.2"
LIBRARY = Path(__file__).parents[2] / "support" / "models" / "llama_library"
NOBODY = 1
"""A port on which nothing listens."""


@asynccontextmanager
async def product_beside(data: Path, **servers: ScriptedProvider) -> AsyncIterator[tuple[Product, Tenant]]:
    ports = dict.fromkeys(("ollama", "llamacpp", "lmstudio", "vllm"), NOBODY)
    ports |= {name: port_of(server) for name, server in servers.items()}
    settings = make_settings(data, models={"find_local": True, "local_ports": ports})
    async with running_product(settings) as product:
        yield product, await product.new_tenant()


def org_api(product: Product, tenant: Tenant) -> OrgApi:
    return OrgApi(product.client, tenant.organization_id, tenant.headers)


@asynccontextmanager
async def beside_ollama(data: Path) -> AsyncIterator[tuple[ScriptedProvider, OrgApi]]:
    async with running_provider() as ollama:
        as_ollama(ollama, **{"llama3.2": (2_000_000_000, ["completion", "tools"])})
        async with product_beside(data, ollama=ollama) as (product, tenant):
            yield ollama, org_api(product, tenant)


async def test_models_of_this_machine_are_listed_with_what_they_can_do(tmp_path: Path) -> None:
    async with running_provider() as ollama, running_provider() as vllm:
        as_vllm(vllm)
        async with product_beside(tmp_path, ollama=ollama, vllm=vllm) as (product, tenant):
            api = org_api(product, tenant)
            found = await api.get("/llm/local")
            assert [one["name"] for one in found["models"]] == ["vllm/Qwen/Qwen2.5-7B"]
            as_ollama(ollama, llava=(4_700_000_000, ["completion", "vision"]))
            found = await api.get("/llm/local")
            assert found["looks"] is True
            assert found["models"] == [
                {
                    "name": "ollama/llava",
                    "server": "Ollama",
                    "size_bytes": 4_700_000_000,
                    "max_input_tokens": 128_000,
                    "calls_tools": False,
                    "sees_images": True,
                    "for_agent": False,
                    "default_for": [],
                },
                {
                    "name": "vllm/Qwen/Qwen2.5-7B",
                    "server": "vLLM",
                    "size_bytes": None,
                    "max_input_tokens": 32_768 - 8192,
                    "calls_tools": None,
                    "sees_images": None,
                    "for_agent": True,
                    "default_for": [],
                },
            ]
            chat = (await api.get("/llm/models", chat_only=True))["models"]
            assert chat == ["docagent-offline", "vllm/Qwen/Qwen2.5-7B"]
            told = await api.refused(
                400, "PUT", "/llm/default_model", {"model": "ollama/llava", "use_for": "agent"}
            )
            assert told.startswith("Model ollama/llava is not offered for chats.")


async def test_nothing_is_looked_for_where_the_setting_forbids_it(tmp_path: Path) -> None:
    async with running_provider() as ollama:
        as_ollama(ollama, llama=(1, ["completion"]))
        ports = {"ollama": port_of(ollama)}
        settings = make_settings(tmp_path, models={"find_local": False, "local_ports": ports})
        async with running_product(settings) as product:
            api = org_api(product, await product.new_tenant())
            assert await api.get("/llm/local") == {"looks": False, "models": []}
            assert (await api.get("/llm/models"))["models"] == ["docagent-offline"]


def test_the_setting_still_goes_by_its_former_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCAGENT_MODELS__FIND_OLLAMA", "false")
    assert Settings(data=tmp_path).models.find_local is False


async def test_one_click_makes_a_model_the_default(tmp_path: Path) -> None:
    async with beside_ollama(tmp_path) as (_, api):
        prompt = await api.post("/prompts", {"name": "p", "content": "c"})
        assert prompt["effective_model"] == "docagent-offline"
        for use, agent, extraction in (
            ("agent", LLAMA, None),
            ("extraction", LLAMA, LLAMA),
            ("both", LLAMA, LLAMA),
        ):
            chosen = await api.put("/llm/default_model", {"model": LLAMA, "use_for": use})
            assert chosen == {"model": extraction, "agent_model": agent}
        (listed,) = (await api.get("/llm/local"))["models"]
        assert listed["default_for"] == ["agent", "extraction"]
        prompt = await api.get(f"/prompts/{prompt['prompt_revid']}")
        assert prompt["effective_model"] == LLAMA


async def test_only_administrators_choose_and_check(tmp_path: Path) -> None:
    async with running_provider() as ollama:
        as_ollama(ollama, **{"llama3.2": (1, ["completion", "tools"])})
        async with product_beside(tmp_path, ollama=ollama) as (product, tenant):
            api = org_api(product, tenant)
            person = await new_person(product)
            system_admin = product.admin.user_id
            await set_members(
                product, tenant, *(Membership(each, Role.USER) for each in (person.id, system_admin))
            )
            member = OrgApi(product.client, api.organization_id, person.headers)
            assert [one["name"] for one in (await member.get("/llm/local"))["models"]] == [LLAMA]
            await member.refused(403, "PUT", "/llm/default_model", {"model": LLAMA, "use_for": "agent"})
            await member.refused(403, "POST", "/llm/check", {"model": LLAMA})
            assert ollama.requests == []
            root = OrgApi(product.client, api.organization_id, await product.admin_headers())
            await root.put("/llm/default_model", {"model": LLAMA, "use_for": "agent"})


CALLED = make_reply("", tool_calls=[ToolCall("c", "get_weather", '{"city": "Paris"}')])
PERSON = '{"name": "Ada Lovelace", "born": 1815}'


async def test_the_check_gives_four_ticks(tmp_path: Path) -> None:
    async with beside_ollama(tmp_path) as (ollama, api):
        ollama.add("ready", CALLED, PERSON, "The left half is green, the right half is orange.")
        check = await api.post("/llm/check", {"model": LLAMA})
        assert ticks(check) == {
            "speaks": True,
            "calls_tools": True,
            "keeps_schema": True,
            "sees_pictures": True,
        }
        assert check["error"] is None
        assert all(tick["latency_ms"] >= 0 for tick in check["ticks"])
        asked = [received.body for received in ollama.requests]
        assert [tool["function"]["name"] for tool in asked[1]["tools"]] == ["get_weather"]
        assert asked[2]["response_format"]["type"] == "json_schema"
        assert asked[3]["messages"][-1]["content"][0]["type"] == "image_url"


async def test_what_a_model_cannot_do_is_a_plain_no(tmp_path: Path) -> None:
    async with beside_ollama(tmp_path) as (ollama, api):
        refusal = {"error": {"message": "image input is not supported"}}
        wrong = json.dumps({"name": "Ada", "born": "1815"})
        ollama.add("ready", "It rains in Paris.", wrong, Refusal(400, refusal))
        check = await api.post("/llm/check", {"model": LLAMA})
        assert list(ticks(check).values()) == [True, False, False, False]
        assert check["error"] is None
        ollama.add(Refusal(400, {"error": {"message": "the model does not fit into memory"}}))
        check = await api.post("/llm/check", {"model": LLAMA})
        assert ticks(check) == {"speaks": False}
        assert "does not fit into memory" in check["error"]


def ticks(check: dict[str, Any]) -> dict[str, bool]:
    return {tick["ability"]: tick["ok"] for tick in check["ticks"]}


async def test_the_built_in_agent_names_a_model_of_this_machine(tmp_path: Path) -> None:
    async with beside_ollama(tmp_path) as (ollama, api):
        said = await asked(api, "What are you?")
        assert "Ollama on this machine has `llama3.2`" in said
        assert "make it the default in Settings, Models" in said
        await api.put("/llm/default_model", {"model": LLAMA, "use_for": "agent"})
        ollama.add("Selvä.")
        assert await asked(api, "Translate the whole document into Finnish") == "Selvä."


async def asked(api: OrgApi, text: str) -> str:
    document_id = await api.add_document()
    body = {"messages": [{"role": "user", "content": text}]}
    answer = await api.post(f"/documents/{document_id}/chat", body)
    return str(answer["text"])


async def test_a_file_of_weights_is_a_model_like_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(LIBRARY))
    file = tmp_path / "tiny.gguf"
    file.write_text("Good morning.")
    async with running_product(make_settings(tmp_path, models={"local_file": file})) as product:
        api = org_api(product, await product.new_tenant())
        (listed,) = (await api.get("/llm/local"))["models"]
        assert (listed["name"], listed["server"], listed["size_bytes"]) == ("local/tiny", "Local file", 13)
        check = await api.post("/llm/check", {"model": "local/tiny"})
        assert list(ticks(check).values()) == [True, False, False, False]
        await api.put("/llm/default_model", {"model": "local/tiny", "use_for": "agent"})
        assert await asked(api, "Hello") == "Good morning."
