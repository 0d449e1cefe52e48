"""Servers on this machine: how each is recognised, what it says about its models, and what is not believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from aiohttp import web

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.local_servers import MOST_BYTES, MOST_MODELS, SERVERS, find_servers
from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.models.llm import ImagePart, Message, ModelRequest, OutputSchema, TextPart
from docagent.domain.models.providers import FoundModel, ModelServer, WireKind
from tests.support.models.local_servers import (
    as_former_lmstudio,
    as_llamacpp,
    as_lmstudio,
    as_ollama,
    as_vllm,
    port_of,
)
from tests.support.models.provider import ScriptedProvider, Silent, running_provider
from tests.support.tables import table

COMPATIBLE = WireKind.OPENAI_COMPATIBLE


async def found_at(server: ScriptedProvider) -> dict[str, ModelServer]:
    """What is found when all kinds are looked for on the server's port."""
    async with ModelTransport(use_environment_proxy=False) as transport:
        return await find_servers(transport, [replace(one, port=port_of(server)) for one in SERVERS])


async def test_ollama_with_size_and_abilities() -> None:
    async with running_provider() as server:
        assert await found_at(server) == {}
        as_ollama(
            server,
            **{
                "llava:7b": (4_700_000_000, ["completion", "vision"]),
                "llama3.2": (2_019_393_189, ["completion", "tools"]),
                "nomic-embed-text": (274_302_450, ["embedding"]),
            },
        )
        found = await found_at(server)
    models = (
        FoundModel("llava:7b", 4_700_000_000, calls_tools=False, sees_images=True),
        FoundModel("llama3.2", 2_019_393_189, calls_tools=True, sees_images=False),
    )
    assert found == {"ollama": ModelServer(server.base_url, models, "Ollama", WireKind.OLLAMA, is_local=True)}


@table(
    ("plays", "name", "display_name", "models"),
    [
        (
            as_llamacpp,
            "llamacpp",
            "llama.cpp",
            [FoundModel("qwen.gguf", 2_000_000, 8192, calls_tools=True, sees_images=True)],
        ),
        (
            as_lmstudio,
            "lmstudio",
            "LM Studio",
            [FoundModel("google/gemma-3-4b", 3_034_755_901, 131_072, calls_tools=False, sees_images=True)],
        ),
        (
            as_former_lmstudio,
            "lmstudio",
            "LM Studio",
            [FoundModel("qwen2.5-7b", None, 4096, calls_tools=True, sees_images=False)],
        ),
        (as_vllm, "vllm", "vLLM", [FoundModel("Qwen/Qwen2.5-7B", None, 32_768)]),
    ],
)
async def test_each_server_is_recognised_as_itself_only(
    plays: Callable[[ScriptedProvider], None], name: str, display_name: str, models: list[FoundModel]
) -> None:
    async with running_provider() as server:
        plays(server)
        found = await found_at(server)
    assert found == {
        name: ModelServer(server.base_url, tuple(models), display_name, COMPATIBLE, is_local=True)
    }


async def test_what_a_server_says_is_not_believed_blindly() -> None:
    async with running_provider() as server:
        odd: list[object] = [
            {"name": "fine", "size": -5},
            {"name": "\x1b[31mred"},
            {"name": "in\u202evisible"},
            {"name": " edge "},
            {"name": "x" * 201},
            {"name": ["list"]},
            "text",
            {"size": 3},
            {"name": "big", "size": 2**70},
            {"name": "true", "size": True},
        ]
        server.told["/api/tags"] = {"models": odd}
        (ollama,) = (await found_at(server)).values()
        assert ollama.models == (FoundModel("fine"), FoundModel("big"), FoundModel("true"))
        server.told["/api/tags"] = {"models": [{"name": f"m{number}"} for number in range(MOST_MODELS + 50)]}
        (ollama,) = (await found_at(server)).values()
        assert len(ollama.models) == MOST_MODELS
        for answer in ([1], {"models": {"name": "m"}}, {"models": None}):
            server.told["/api/tags"] = answer
            assert await found_at(server) == {}
        server.told["/api/tags"] = {"models": [{"name": "m"}], "padding": "x" * MOST_BYTES}
        assert await found_at(server) == {}


async def test_a_redirect_is_not_followed_and_silence_is_no_error() -> None:
    async with running_provider() as server, running_provider() as elsewhere:
        as_ollama(elsewhere, llama=(1, ["completion"]))
        address = elsewhere.base_url.removesuffix("/v1")
        server.told["/api/tags"] = web.Response(status=302, headers={"Location": f"{address}/api/tags"})
        assert await found_at(server) == {}
        server.told["/api/tags"] = Silent()
        server.told["/v1/models"] = web.Response(text="<html>", content_type="text/html")
        assert await found_at(server) == {}
    assert await found_at(server) == {}


async def test_the_reply_is_bound_by_the_servers_own_grammar() -> None:
    """All four take a JSON schema as `response_format`; Ollama passes it on as its `format`."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    question = Message("user", (ImagePart("AAAA", tokens=1), TextPart("How many?")))
    request = ModelRequest("m", (question,), output=OutputSchema("answer", schema))
    async with running_provider() as server, ModelTransport(use_environment_proxy=False) as transport:
        for kind in (ProviderKind.OPENAI_COMPATIBLE, ProviderKind.OLLAMA):
            server.add('{"a": 3}')
            model = make_model(kind, transport, base_url=server.base_url)
            last = [event async for event in model.stream(request)][-1]
            assert json.loads(getattr(last, "text", "")) == {"a": 3}
    for received in server.requests:
        sent = received.body["response_format"]
        assert sent["type"] == "json_schema"
        assert sent["json_schema"]["schema"]["properties"] == {"a": {"type": "integer"}}
        image, text = received.body["messages"][-1]["content"]
        assert image == {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
        assert text == {"type": "text", "text": "How many?"}
