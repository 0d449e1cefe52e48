"""Models over real sockets: replies, every class of failure, tries, time limits and cancelling."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.retries import Retries
from docagent.adapters.llm.scripted import make_reply
from docagent.adapters.llm.transport import ModelTransport, Timeouts
from docagent.domain.models.llm import (
    FinishReason,
    Message,
    Model,
    ModelError,
    ModelEvent,
    ModelFailure,
    ModelReply,
    ModelRequest,
    OutputSchema,
    TextDelta,
    TextPart,
)
from tests.support.models.provider import Raw, Refusal, ScriptedProvider, Silent, Then, running_provider
from tests.support.models.wire_streams import ENCODERS, chat_stream, event, rich_reply
from tests.support.polling import SECONDS, let_time_pass
from tests.support.tables import table

KINDS = [ProviderKind.OPENAI, ProviderKind.OPENAI_RESPONSES, ProviderKind.ANTHROPIC, ProviderKind.GEMINI]
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)
REQUEST = ModelRequest("a-model", (Message("user", (TextPart("Hello"),)),))
AT_ONCE = Retries(most=2, first_wait=0.001)
HELLO = [*chat_stream(make_reply("Hello there"))]


@asynccontextmanager
async def calling(
    kind: ProviderKind = ProviderKind.OPENAI, timeouts: Timeouts | None = None, retries: Retries = AT_ONCE
) -> AsyncIterator[tuple[ScriptedProvider, Model]]:
    async with (
        running_provider() as provider,
        ModelTransport(timeouts, use_environment_proxy=False) as transport,
    ):
        yield (
            provider,
            make_model(kind, transport, base_url=provider.base_url, api_key="the-key", retries=retries),
        )


async def events_of(model: Model, request: ModelRequest = REQUEST) -> list[ModelEvent]:
    async with aclosing(model.stream(request)) as events:
        return [each async for each in events]


async def reply_of(model: Model, request: ModelRequest = REQUEST) -> ModelReply:
    last = (await events_of(model, request))[-1]
    assert isinstance(last, ModelReply)
    return last


async def failure_of(model: Model, request: ModelRequest = REQUEST) -> ModelError:
    with pytest.raises(ModelError) as failed:
        await events_of(model, request)
    return failed.value


@EVERY_KIND
async def test_deltas_and_then_one_reply(kind: ProviderKind) -> None:
    async with calling(kind) as (provider, model):
        provider.add(rich_reply())
        events = await events_of(model)
    *deltas, reply = events
    assert isinstance(reply, ModelReply)
    assert not any(isinstance(each, ModelReply) for each in deltas)
    assert "".join(each.text for each in deltas if isinstance(each, TextDelta)) == rich_reply().text
    assert reply.text == rich_reply().text
    assert reply.usage == rich_reply().usage
    assert [call.name for call in reply.tool_calls] == ["find", "list_all"]
    (request,) = provider.requests
    assert "the-key" in " ".join(request.headers.values())
    assert request.headers["content-type"] == "application/json"


@EVERY_KIND
async def test_connections_are_used_again(kind: ProviderKind) -> None:
    async with calling(kind) as (provider, model):
        for _ in range(3):
            provider.add("Hi")
            await reply_of(model)
    assert len({request.connection for request in provider.requests}) == 1


def test_the_proxy_of_the_environment_is_used_but_not_for_what_it_leaves_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    monkeypatch.setenv("no_proxy", "localhost,127.0.0.1")
    transport = ModelTransport()
    assert transport.proxy_for("https://api.openai.com/v1") == "http://proxy.example:3128"
    assert transport.proxy_for("https://127.0.0.1/v1") is None
    assert ModelTransport(use_environment_proxy=False).proxy_for("https://api.openai.com/v1") is None


WRONG = {"error": {"message": "x", "type": "invalid_request_error"}}
FAILURES = [
    (Refusal(401, {"error": {"message": "bad key sk-abcdef123456"}}), ModelFailure.AUTHENTICATION),
    (Refusal(403, {"error": {"type": "permission_error"}}), ModelFailure.AUTHENTICATION),
    (Refusal(400, {"error": {"details": [{"reason": "API_KEY_INVALID"}]}}), ModelFailure.AUTHENTICATION),
    (Refusal(402, {"error": {"message": "pay"}}), ModelFailure.RATE_LIMITED),
    (Refusal(429, {"error": {"code": "insufficient_quota"}}), ModelFailure.RATE_LIMITED),
    (Refusal(400, {"error": {"code": "context_length_exceeded"}}), ModelFailure.CONTEXT_TOO_LONG),
    (
        Refusal(400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}),
        ModelFailure.CONTEXT_TOO_LONG,
    ),
    (
        Refusal(
            400, {"error": {"message": "The input token count (9) exceeds the maximum number of tokens"}}
        ),
        ModelFailure.CONTEXT_TOO_LONG,
    ),
    (Refusal(413, "<html>too large</html>"), ModelFailure.CONTEXT_TOO_LONG),
    (Refusal(400, {"error": {"code": "content_policy_violation"}}), ModelFailure.REFUSED),
    (Refusal(404, {"error": {"message": "no such model"}}), ModelFailure.BAD_REQUEST),
    (Refusal(422, {"detail": "field missing"}), ModelFailure.BAD_REQUEST),
    (Refusal(400, WRONG), ModelFailure.BAD_REQUEST),
    (Refusal(307, headers={"Location": "https://elsewhere.example/"}), ModelFailure.BAD_REQUEST),
    (Refusal(200, {"object": "chat.completion", "choices": []}), ModelFailure.UNAVAILABLE),
]


@table(("answer", "failure"), FAILURES)
async def test_failures_that_will_not_pass_are_told_at_once(answer: Refusal, failure: ModelFailure) -> None:
    async with calling() as (provider, model):
        provider.add(answer)
        error = await failure_of(model)
    assert error.failure is failure
    assert error.provider == "openai"
    assert len(provider.requests) == 1
    assert "sk-abcdef" not in error.detail


@table(
    ("answer", "words"),
    [
        (Refusal(401), ["OpenAI", "OPENAI_API_KEY", "a-model"]),
        (Refusal(402), ["credit", "another model"]),
        (Refusal(413), ["a-model", "shorter"]),
        (Refusal(404), ["a-model", "name"]),
        (Refusal(500), ["OpenAI", "Try again"]),
        (Refusal(400, {"error": {"message": "top_k is odd"}}), ["top_k is odd"]),
    ],
)
async def test_texts_say_what_to_do(answer: Refusal, words: list[str]) -> None:
    async with calling(retries=Retries(most=0)) as (provider, model):
        provider.add(answer)
        error = await failure_of(model)
    assert all(word in error.detail for word in words), error.detail


# Trying again

OVERLOADED = [
    Refusal(429),
    Refusal(503),
    Refusal(529),
    Refusal(429, headers={"Retry-After": "0.001"}),
    Refusal(503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    Refusal(503, [{"error": {"message": "busy"}}]),
    Refusal(529, "busy"),
    Refusal(500, {"error": {"message": "oops"}}),
    Refusal(502, "<html>bad gateway</html>"),
    Refusal(200, {"error": {"message": "model is gone", "type": "server_error"}}),
    Raw([event({"error": {"code": 500, "message": "oops"}})]),
    Refusal(429, {"error": {"status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "0.002s"}]}}),
    Raw([event({"error": {"code": 503, "message": "overloaded"}})]),
    Silent(drop=True),
    Raw([], Then.DROP),
]


@table("answer", OVERLOADED)
async def test_overload_faults_and_lost_connections_are_tried_again(answer: Refusal | Raw | Silent) -> None:
    async with calling() as (provider, model):
        provider.add(answer, answer, "At last")
        reply = await reply_of(model)
    assert reply.text == "At last"
    assert len(provider.requests) == 3
    assert provider.requests[0].body == provider.requests[2].body


async def test_tries_come_to_an_end() -> None:
    async with calling() as (provider, model):
        provider.add(*[Refusal(503)] * 3)
        error = await failure_of(model)
    assert error.failure is ModelFailure.UNAVAILABLE
    assert len(provider.requests) == 3


async def test_a_pause_that_is_too_long_is_left_to_the_caller() -> None:
    async with calling() as (provider, model):
        provider.add(Refusal(429, headers={"Retry-After": "120"}))
        error = await failure_of(model)
    assert (error.failure, error.retry_after) == (ModelFailure.RATE_LIMITED, 120.0)
    assert "120 seconds" in error.detail
    assert len(provider.requests) == 1


@table(
    ("last", "then", "failure"),
    [
        (event({"error": {"code": 503, "message": "overloaded"}}), Then.END, ModelFailure.UNAVAILABLE),
        (b": nothing\n\n", Then.DROP, ModelFailure.ENDED_EARLY),
        (b": nothing\n\n", Then.END, ModelFailure.ENDED_EARLY),
    ],
)
async def test_no_try_after_the_first_delta(last: bytes, then: Then, failure: ModelFailure) -> None:
    async with calling() as (provider, model):
        provider.add(Raw([*HELLO[:3], 0.02, last], then))
        events = model.stream(REQUEST)
        given = [await anext(events), await anext(events)]
        with pytest.raises(ModelError) as failed:
            await anext(events)
    assert failed.value.failure is failure
    assert given == [TextDelta("Hello"), TextDelta(" ther")]
    assert len(provider.requests) == 1


async def test_an_answer_that_ends_before_it_began_is_no_lost_connection() -> None:
    async with calling() as (provider, model):
        provider.add(Raw([HELLO[0]]))
        error = await failure_of(model)
    assert error.failure is ModelFailure.ENDED_EARLY
    assert len(provider.requests) == 1


async def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        async with ModelTransport(use_environment_proxy=False) as transport:
            model = make_model(ProviderKind.OLLAMA, transport, base_url=address, retries=AT_ONCE)
            error = await failure_of(model)
    assert error.failure is ModelFailure.UNAVAILABLE
    assert address in error.detail


@table("address", ["not an address", "ftp://host/v1", "http://"])
async def test_an_address_that_is_none(address: str) -> None:
    async with ModelTransport(use_environment_proxy=False) as transport:
        model = make_model(ProviderKind.OPENAI_COMPATIBLE, transport, base_url=address, retries=AT_ONCE)
        error = await failure_of(model)
    assert error.failure is ModelFailure.BAD_REQUEST
    assert address in error.detail


async def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    async with (
        running_provider(own_certificate(tmp_path)) as provider,
        ModelTransport(use_environment_proxy=False) as transport,
    ):
        model = make_model(ProviderKind.OPENAI_COMPATIBLE, transport, base_url=provider.base_url)
        error = await failure_of(model)
    assert error.failure is ModelFailure.UNAVAILABLE
    assert "not trusted" in error.detail
    assert not provider.requests


def own_certificate(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "certificate.pem"
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


# Time limits

WAITING: list[bytes | float] = [0.02, b": wait\n\n"]


@table(
    ("answer", "timeouts"),
    [
        (Silent(), Timeouts(first_byte=0.5)),
        (Raw([], Then.HANG), Timeouts(first_byte=0.5)),
        (Raw(HELLO[:3], Then.HANG), Timeouts(first_byte=3600, between_chunks=0.05)),
        (Raw([HELLO[0], *WAITING * 200]), Timeouts(whole=0.1)),
    ],
)
async def test_time_limits(answer: Raw | Silent, timeouts: Timeouts) -> None:
    async with calling(timeouts=timeouts) as (provider, model):
        provider.add(answer)
        error = await failure_of(model)
        assert error.failure is ModelFailure.TIMED_OUT
        assert "seconds" in error.detail
        await asyncio.wait_for(provider.left_early.wait(), SECONDS)
    assert len(provider.requests) == 1


async def test_a_slow_reader_is_not_a_silent_provider() -> None:
    """Time that the caller takes between two deltas does not count."""
    async with calling(timeouts=Timeouts(between_chunks=1)) as (provider, model):
        provider.add(Raw([*HELLO[:2], 0.05, *HELLO[2:]]))
        events = model.stream(REQUEST)
        assert isinstance(await anext(events), TextDelta)
        await let_time_pass(1.2)
        rest = [each async for each in events]
    assert isinstance(rest[-1], ModelReply)


@table("kind", [ProviderKind.OPENAI, ProviderKind.GEMINI])
async def test_a_provider_that_does_not_hang_up_after_its_answer(kind: ProviderKind) -> None:
    timeouts = Timeouts(between_chunks=3600, after_last_event=0.05)
    async with calling(kind, timeouts) as (provider, model):
        provider.add(Raw(ENCODERS[kind.value](make_reply("Hello there")), Then.HANG))
        assert (await reply_of(model)).text == "Hello there"
        await asyncio.wait_for(provider.left_early.wait(), SECONDS)


# Cancelling


async def test_closing_the_generator_closes_the_connection() -> None:
    async with calling() as (provider, model):
        provider.add(Raw(HELLO[:3], Then.HANG))
        events = model.stream(REQUEST)
        assert await anext(events) == TextDelta("Hello")
        await events.aclose()
        await asyncio.wait_for(provider.left_early.wait(), SECONDS)


@table("answer", [Silent(), Raw(HELLO[:3], Then.HANG)])
async def test_cancelling_closes_the_connection(answer: Raw | Silent) -> None:
    async with calling() as (provider, model):
        provider.add(answer)
        call = asyncio.create_task(events_of(model))
        await provider.is_asked()
        await let_time_pass(0.02)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(provider.left_early.wait(), SECONDS)


async def test_cancelling_between_two_tries() -> None:
    async with calling(retries=Retries(most=5, first_wait=60, longest_wait=120)) as (provider, model):
        provider.add(Refusal(503))
        call = asyncio.create_task(events_of(model))
        await provider.is_asked()
        await let_time_pass(0.02)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert len(provider.requests) == 1


# Schemas

OPEN_SCHEMA = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "note": {"type": "string"}},
    "required": ["total"],
}


async def test_schemas_are_fitted_and_replies_brought_back() -> None:
    """A strict provider wants every field: one that may be absent comes as null and is absent again."""
    request = replace(REQUEST, output=OutputSchema("invoice", OPEN_SCHEMA))
    async with calling() as (provider, model):
        provider.add('{"total": 12.5, "note": null}')
        reply = await reply_of(model, request)
    sent = provider.requests[0].body["response_format"]["json_schema"]["schema"]
    assert sent["required"] == ["total", "note"]
    assert sent["additionalProperties"] is False
    assert reply.text == '{"total":12.5}'


@table("said", ["Sorry, no.", '{"total": 12.5}'])
async def test_replies_that_need_no_change_stay_as_written(said: str) -> None:
    request = replace(REQUEST, output=OutputSchema("invoice", OPEN_SCHEMA))
    async with calling() as (provider, model):
        provider.add(said)
        assert (await reply_of(model, request)).text == said


async def test_cut_off_json_is_left_alone() -> None:
    request = replace(REQUEST, output=OutputSchema("invoice", OPEN_SCHEMA))
    async with calling() as (provider, model):
        provider.add(make_reply('{"total": 1', finish_reason=FinishReason.LENGTH))
        assert (await reply_of(model, request)).text == '{"total": 1'


async def test_a_schema_that_is_none() -> None:
    request = replace(REQUEST, output=OutputSchema("invoice", {"type": "no such type"}))
    async with calling() as (provider, model):
        error = await failure_of(model, request)
    assert error.failure is ModelFailure.BAD_REQUEST
    assert not provider.requests
