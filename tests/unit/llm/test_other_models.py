"""The scripted model, Ollama, litellm behind a stand-in, and making models from settings."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.litellm_model import LiteLLM, LiteLLMModel, load_litellm
from docagent.adapters.llm.retries import Retries
from docagent.adapters.llm.scripted import ScriptedModel, make_reply
from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import (
    FinishReason,
    Message,
    Model,
    ModelError,
    ModelEvent,
    ModelFailure,
    ModelReply,
    ModelRequest,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ToolCall,
    Usage,
)
from tests.support.models.provider import running_provider
from tests.support.tables import table

REQUEST = ModelRequest("a-model", (Message("user", (TextPart("Hello"),)),), max_output_tokens=50)


async def events_of(model: Model) -> list[ModelEvent]:
    async with aclosing(model.stream(REQUEST)) as events:
        return [each async for each in events]


async def failure_of(model: Model) -> ModelError:
    with pytest.raises(ModelError) as failed:
        await events_of(model)
    return failed.value


async def test_scripted_answers_from_a_list() -> None:
    call = ToolCall("c", "find", "{}")
    broken = ModelError(ModelFailure.RATE_LIMITED, "Slow down.")
    reply = make_reply("Two  words ", thinking="Hm.", tool_calls=[call])
    model = ScriptedModel(["One", broken])
    model.add(reply)
    assert await events_of(model) == [TextDelta("One"), make_reply("One")]
    assert await failure_of(model) is broken
    assert await events_of(model) == [
        ThinkingDelta("Hm."),
        TextDelta("Two"),
        TextDelta("  words"),
        TextDelta(" "),
        reply,
    ]
    assert reply.finish_reason is FinishReason.TOOL_CALLS
    assert model.requests == [REQUEST] * 3
    assert "no further answer" in (await failure_of(model)).detail


async def test_scripted_answers_by_a_function() -> None:
    model = ScriptedModel(lambda request: f"Asked of {request.model}")
    last = (await events_of(model))[-1]
    assert isinstance(last, ModelReply)
    assert last.text == "Asked of a-model"


async def test_ollama_is_called_without_a_key() -> None:
    async with running_provider() as provider, ModelTransport(use_environment_proxy=False) as transport:
        provider.add("Hi")
        await events_of(make_model(ProviderKind.OLLAMA, transport, base_url=provider.base_url))
    (request,) = provider.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["max_tokens"] == 50
    assert "authorization" not in request.headers


async def test_a_compatible_provider_needs_an_address() -> None:
    async with ModelTransport() as transport:
        with pytest.raises(InvalidInput):
            make_model(ProviderKind.OPENAI_COMPATIBLE, transport)


@table("kind", ProviderKind)
async def test_every_kind_makes_a_model(kind: ProviderKind) -> None:
    async with ModelTransport() as transport:
        model = make_model(kind, transport, base_url="http://127.0.0.1:1/v1")
    assert callable(model.stream)


async def test_names_for_error_texts_can_be_given() -> None:
    async with ModelTransport(use_environment_proxy=False) as transport:
        model = make_model(
            ProviderKind.OPENAI_COMPATIBLE,
            transport,
            base_url="http://",
            name="house",
            label="The house model",
        )
        error = await failure_of(model)
    assert error.provider == "house"
    assert "The house model" in error.detail


# litellm


class FakeChunk:
    def __init__(self, value: dict[str, Any]) -> None:
        self._value = value

    def model_dump(self) -> dict[str, Any]:
        return self._value


class FakeFailure(Exception):
    def __init__(self, message: str, status_code: int | None) -> None:
        super().__init__(message)
        self.status_code = status_code


class ContextWindowExceededError(FakeFailure):
    """Named as litellm names it."""


class FakeLiteLLM:
    """What the adapter uses of the package, without the package."""

    def __init__(self, *chunks: dict[str, Any], failure: Exception | None = None) -> None:
        self.asked: dict[str, Any] = {}
        self.calls = 0
        self.loaded_in: list[int] = []
        self._chunks = chunks
        self._failure = failure

    def load(self) -> LiteLLM:
        self.loaded_in.append(threading.get_ident())
        return LiteLLM(self.complete, FakeFailure)

    async def complete(self, **asked: Any) -> AsyncIterator[FakeChunk]:
        self.asked = asked
        self.calls += 1
        if self._failure:
            raise self._failure
        return self._stream()

    async def _stream(self) -> AsyncIterator[FakeChunk]:
        for chunk in self._chunks:
            yield FakeChunk(chunk)


SAID = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}], "model": "real"}
COUNTED = {"choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 1}}


async def test_litellm_is_loaded_once_in_a_thread() -> None:
    package = FakeLiteLLM(SAID, COUNTED)
    model = LiteLLMModel(api_key="k", load=package.load)
    assert package.loaded_in == []
    first, second = await events_of(model), await events_of(model)
    wanted = ModelReply((TextPart("Hi"),), FinishReason.STOP, Usage(4, 1), "real")
    assert first == second == [TextDelta("Hi"), wanted]
    assert len(package.loaded_in) == 1
    assert package.loaded_in[0] != threading.get_ident()
    assert package.asked == {
        "api_key": "k",
        "model": "a-model",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 50,
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": 900.0,
        "num_retries": 0,
    }


@table(
    ("failure", "kind"),
    [
        (FakeFailure("no", 401), ModelFailure.AUTHENTICATION),
        (FakeFailure("slow", 429), ModelFailure.RATE_LIMITED),
        (FakeFailure("gone", 500), ModelFailure.UNAVAILABLE),
        (FakeFailure("odd", None), ModelFailure.BAD_REQUEST),
        (ContextWindowExceededError("long", 400), ModelFailure.CONTEXT_TOO_LONG),
        (TimeoutError(), ModelFailure.TIMED_OUT),
    ],
)
async def test_litellm_failures(failure: Exception, kind: ModelFailure) -> None:
    package = FakeLiteLLM(failure=failure)
    error = await failure_of(LiteLLMModel(load=package.load, retries=Retries(most=0)))
    assert error.failure is kind


async def test_litellm_overload_is_tried_again() -> None:
    package = FakeLiteLLM(failure=FakeFailure("busy", 503))
    await failure_of(LiteLLMModel(load=package.load, retries=Retries(most=2, first_wait=0.001)))
    assert package.calls == 3


async def test_litellm_answer_that_breaks_off() -> None:
    package = FakeLiteLLM({"choices": [{"delta": {"content": "Hi"}}]})
    assert (await failure_of(LiteLLMModel(load=package.load))).failure is ModelFailure.ENDED_EARLY


async def test_litellm_that_is_not_installed_says_how_to_get_it() -> None:
    error = await failure_of(LiteLLMModel(load=lambda: load_litellm("no_such_package")))
    assert "pip install 'docagent[litellm]'" in error.detail
