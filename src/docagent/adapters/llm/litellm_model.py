"""Reaches providers that speak none of our wire formats, through the optional package litellm.

litellm takes seconds to import, so it is imported in a thread, at the first call.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from docagent.adapters.llm.errors import Endpoint, Provider, Report, reported, timed_out
from docagent.adapters.llm.fitting import fit
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.retries import Retries, with_retries
from docagent.domain.models.llm import ModelError, ModelEvent, ModelFailure, ModelRequest

PROVIDER = Provider("litellm", "The provider behind litellm")
_WIRE = ChatWire(takes_pdf=False, max_tokens_field="max_tokens", always_says_done=False)
_NOT_FOR_LITELLM = frozenset({"stream"})


@dataclass(frozen=True, slots=True)
class LiteLLM:
    """The parts of litellm that we use: the call, and the base class of its errors."""

    complete: Callable[..., Awaitable[AsyncIterator[Any]]]
    error: type[Exception]


def load_litellm(package: str = "litellm") -> LiteLLM:
    """Import litellm. The environment variable keeps it from fetching a price list over the network on import."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        litellm: Any = importlib.import_module(package)
        openai: Any = importlib.import_module("openai")
    except ModuleNotFoundError as error:
        raise ModelError(
            ModelFailure.UNAVAILABLE,
            "This model needs the package litellm, which is not installed. Install it with"
            " pip install 'docagent[litellm]', or choose another model.",
            provider=PROVIDER.name,
        ) from error
    litellm.suppress_debug_info = True
    return LiteLLM(litellm.acompletion, openai.OpenAIError)


class LiteLLMModel:
    """Speaks litellm's chat format, which is OpenAI's. Thinking is shown but never sent back."""

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        seconds: float = 900.0,
        retries: Retries | None = None,
        load: Callable[[], LiteLLM] = load_litellm,
    ) -> None:
        self._given = {"api_key": api_key, "base_url": base_url}
        self._seconds = seconds
        self._retries = retries or Retries()
        self._load = load
        self._package: LiteLLM | None = None
        self._loading = asyncio.Lock()

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        return with_retries(partial(self._attempt, request), self._retries)

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        package = await self._loaded()
        endpoint = Endpoint(PROVIDER, request.model)
        # litellm takes objects, so here past turns are messages like any others.
        told = replace(request, messages=request.conversation, past=())
        fitted = fit(told, _WIRE.profile, endpoint)
        asked = {name: value for name, value in self._given.items() if value is not None}
        asked |= {
            name: value
            for name, value in _WIRE.build(fitted.request).body.items()
            if name not in _NOT_FOR_LITELLM
        }
        parser = _WIRE.parser(endpoint)
        chunks: AsyncIterator[Any] | None = None
        try:
            chunks = await package.complete(**asked, stream=True, timeout=self._seconds, num_retries=0)
            async for chunk in chunks:
                for delta in parser.take(cast("dict[str, Any]", chunk.model_dump())):
                    yield fitted.told(delta)
        except TimeoutError as error:
            raise timed_out(endpoint, self._seconds, "answer") from error
        except package.error as error:
            raise _reported(endpoint, error) from error
        finally:
            await _close(chunks)
        yield fitted.restore(parser.finish())

    async def _loaded(self) -> LiteLLM:
        async with self._loading:
            if self._package is None:
                self._package = await asyncio.to_thread(self._load)
            return self._package


def _reported(endpoint: Endpoint, error: Exception) -> ModelError:
    """Convert an error of litellm. It carries a status and a class name, which is not one of OpenAI's codes."""
    names = {
        "ContextWindowExceededError": "context_length_exceeded",
        "ContentPolicyViolationError": "content_policy_violation",
    }
    status = getattr(error, "status_code", None)
    said = {"message": str(error), "type": names.get(type(error).__name__)}
    return reported(endpoint, Report.read(said, status if isinstance(status, int) else None))


async def _close(chunks: AsyncIterator[Any] | None) -> None:
    close = getattr(chunks, "aclose", None)
    if close is not None:
        with suppress(RuntimeError):
            await close()
