"""Finds Ollama on this machine."""

from __future__ import annotations

from dataclasses import dataclass

import aiohttp
import orjson

from docagent.adapters.llm.transport import ModelTransport

OLLAMA_ADDRESS = "http://127.0.0.1:11434"
_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Ollama:
    """A running Ollama, and the models it has."""

    base_url: str
    """The address of its OpenAI-compatible API."""
    models: tuple[str, ...]


async def find_ollama(transport: ModelTransport, address: str = OLLAMA_ADDRESS) -> Ollama | None:
    """Look for Ollama, without waiting long. Return None if nothing, or something else, answers at the address."""
    limit = aiohttp.ClientTimeout(total=_SECONDS)
    try:
        async with transport.session.get(
            f"{address}/api/tags", timeout=limit, allow_redirects=False
        ) as answer:
            listed = orjson.loads(await answer.read()) if answer.status == 200 else None
    except (aiohttp.ClientError, TimeoutError, orjson.JSONDecodeError):
        return None
    models = listed.get("models") if isinstance(listed, dict) else None
    if not isinstance(models, list):
        return None
    names = [model.get("name") for model in models if isinstance(model, dict)]
    return Ollama(f"{address}/v1", tuple(name for name in names if isinstance(name, str)))
