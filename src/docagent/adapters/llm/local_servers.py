"""Finds model servers on this machine: one table says how each is recognised and lists its models.

Whatever listens on a port may answer, so answers are bounded and names with hidden characters are left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import aiohttp
import orjson

from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.models.providers import OLLAMA, FoundModel, ModelServer, WireKind

LOOPBACK = "http://127.0.0.1"
MOST_MODELS = 100
MOST_SHOWN = 20
"""How many models are asked about one by one."""
MOST_BYTES = 1024 * 1024
LONGEST_NAME = 200
LARGEST = 2**60
_SECONDS = 1.0

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A kind of server: where it listens unless told otherwise, and how its answers are read."""

    name: str
    display_name: str
    port: int
    paths: tuple[str, ...]
    """What is asked. Each answer is an object, empty where there is none."""
    read: Callable[..., Iterator[FoundModel]]
    """Yields the models from the answers; none if another program answered."""
    kind: WireKind = WireKind.OPENAI_COMPATIBLE
    shows: str | None = None
    """Where to ask what a single model can do."""


def _ollama(tags: Json) -> Iterator[FoundModel]:
    for one in _items(tags.get("models")):
        yield FoundModel(_text(one.get("name")), size_bytes=_number(one.get("size")))


def _llamacpp(listed: Json, props: Json) -> Iterator[FoundModel]:
    caps, modalities = _object(props.get("chat_template_caps")), _object(props.get("modalities"))
    for one in _items(listed.get("data")):
        if one.get("owned_by") == "llamacpp":
            meta = _object(one.get("meta"))
            yield FoundModel(
                _text(one.get("id")),
                size_bytes=_number(meta.get("size")),
                context=_number(meta.get("n_ctx")) or _number(meta.get("n_ctx_train")),
                calls_tools=_flag(caps.get("supports_tools")),
                sees_images=_flag(modalities.get("vision")),
            )


def _lmstudio(current: Json, former: Json) -> Iterator[FoundModel]:
    """Read LM Studio's own list: of version 0.4 and later, else the one before."""
    for one in _items(current.get("models")):
        if one.get("type") == "llm":
            can = _object(one.get("capabilities"))
            yield FoundModel(
                _text(one.get("key")),
                size_bytes=_number(one.get("size_bytes")),
                context=_number(one.get("max_context_length")),
                calls_tools=_flag(can.get("trained_for_tool_use")),
                sees_images=_flag(can.get("vision")),
            )
    for one in _items(former.get("data")) if not current.get("models") else ():
        if one.get("type") in ("llm", "vlm"):
            abilities = one.get("capabilities")
            yield FoundModel(
                _text(one.get("id")),
                context=_number(one.get("loaded_context_length")) or _number(one.get("max_context_length")),
                calls_tools="tool_use" in abilities if isinstance(abilities, list) else None,
                sees_images=one.get("type") == "vlm",
            )


def _vllm(listed: Json) -> Iterator[FoundModel]:
    for one in _items(listed.get("data")):
        if one.get("owned_by") == "vllm":
            yield FoundModel(_text(one.get("id")), context=_number(one.get("max_model_len")))


SERVERS = (
    LocalServer(OLLAMA, "Ollama", 11434, ("/api/tags",), _ollama, WireKind.OLLAMA, shows="/api/show"),
    LocalServer("llamacpp", "llama.cpp", 8080, ("/v1/models", "/props"), _llamacpp),
    LocalServer("lmstudio", "LM Studio", 1234, ("/api/v1/models", "/api/v0/models"), _lmstudio),
    LocalServer("vllm", "vLLM", 8000, ("/v1/models",), _vllm),
)


async def find_servers(
    transport: ModelTransport, servers: Sequence[LocalServer] = SERVERS
) -> dict[str, ModelServer]:
    """Return the servers that run on this machine and have a model, by name, after two seconds at most."""
    found = await asyncio.gather(*(_find(transport, server) for server in servers))
    return {server.name: one for server, one in zip(servers, found, strict=True) if one.models}


async def _find(transport: ModelTransport, server: LocalServer) -> ModelServer:
    address = f"{LOOPBACK}:{server.port}"
    answers = await asyncio.gather(*(_ask(transport, address + path) for path in server.paths))
    models = [model for model in server.read(*answers) if model.name][:MOST_MODELS]
    if server.shows:
        asked = [_ask(transport, address + server.shows, {"model": one.name}) for one in models[:MOST_SHOWN]]
        shown = [one.get("capabilities") for one in await asyncio.gather(*asked)]
        known = [
            replace(model, calls_tools="tools" in can, sees_images="vision" in can)
            if isinstance(can, list)
            else model
            for model, can in zip(models, shown, strict=False)
            if not isinstance(can, list) or "completion" in can
        ]
        models = [*known, *models[MOST_SHOWN:]]
    return ModelServer(f"{address}/v1", tuple(models), server.display_name, server.kind, is_local=True)


async def _ask(transport: ModelTransport, url: str, body: Json | None = None) -> Json:
    """Return what the server answers, or nothing if nobody, or something else, is there."""
    limit, answer = aiohttp.ClientTimeout(total=_SECONDS), b""
    try:
        async with transport.session.request(
            "POST" if body else "GET", url, json=body, timeout=limit, allow_redirects=False
        ) as response:
            while len(answer) <= MOST_BYTES and (block := await response.content.readany()):
                answer += block
            is_whole = response.status == 200 and len(answer) <= MOST_BYTES
            return _object(orjson.loads(answer)) if is_whole else {}
    except (aiohttp.ClientError, TimeoutError, ValueError):
        return {}


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    """Return a name as it is, for the server must know it again, or nothing if it cannot be shown."""
    usable = isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()
    return value if usable and value == value.strip() else ""


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < LARGEST else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None
