"""Turns whatever a provider reports about a failure into one kind of error, whose text says what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass

import orjson

from docagent.domain.models.llm import ModelError, ModelFailure

MOST_QUOTED = 300
OVERLOADED_STATUSES = frozenset({429, 503, 529})

_KEY = re.compile(r"\b(?:sk|pk|gsk|AIza|xai)[-_]?[A-Za-z0-9*_-]{6,}")
_TOO_LONG = re.compile(
    r"prompt is too long|maximum context|context (?:length|window|size)|input token count|too many tokens"
    r"|exceeds? the (?:maximum number of|available context)|reduce the length",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"credit balance is too low|insufficient (?:credits|balance|funds)", re.IGNORECASE)

_WRONG_KEY = frozenset(
    [
        "authentication_error",
        "invalid_api_key",
        "permission_error",
        "permission_denied",
        "unauthenticated",
        "api_key_invalid",
    ]
)
_CREDIT = frozenset(
    ["insufficient_quota", "billing_error", "billing_hard_limit_reached", "insufficient_credits"]
)
_RATE = frozenset(["rate_limit_error", "rate_limit_exceeded", "resource_exhausted", "too_many_requests"])
_OVERLOAD = frozenset(
    ["overloaded_error", "overloaded", "server_overloaded", "server_is_overloaded", "unavailable"]
)
_CONTEXT = frozenset(["context_length_exceeded", "request_too_large", "exceed_context_size_error"])
_REFUSAL = frozenset(
    ["content_filter", "content_policy_violation", "responsibleaipolicyviolation", "invalid_prompt", "safety"]
)
_UNKNOWN = frozenset(["not_found_error", "model_not_found", "not_found"])
_FAULT = frozenset(
    [
        "api_error",
        "server_error",
        "internal_server_error",
        "internal_error",
        "internal",
        "timeout_error",
        "deadline_exceeded",
    ]
)


class PassingError(ModelError):
    """A failure that may be gone on the next try: too many requests, overload, a fault, no connection."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider as error texts name it."""

    name: str
    label: str
    key_place: str | None = None
    """Where its key is kept, in words: a page of the settings, or a variable such as `OPENAI_API_KEY`."""
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model of one provider, as error texts name it."""

    provider: Provider
    model: str

    def error(self, failure: ModelFailure, text: str) -> ModelError:
        return ModelError(failure, text, provider=self.provider.name)

    def passing(self, failure: ModelFailure, text: str, retry_after: float | None = None) -> ModelError:
        return PassingError(failure, text, provider=self.provider.name, retry_after=retry_after)


@dataclass(frozen=True, slots=True)
class Report:
    """What a provider said about a failure, whatever its format."""

    status: int | None
    codes: frozenset[str]
    message: str
    retry_after: float | None = None

    @classmethod
    def read(cls, value: object, status: int | None = None, retry_after: float | None = None) -> Report:
        """Read decoded JSON: an object with `error`, an object that is the error, or a list with either inside."""
        if isinstance(value, list) and value:
            value = value[0]
        found = value
        if isinstance(value, dict):
            found = value.get("error") or value
        if not isinstance(found, dict):
            return cls(status, frozenset(), _one_line(str(found or "")), retry_after)
        code = found.get("code")
        if status is None and isinstance(code, int):
            status = code
        names = [
            found.get("type"),
            code,
            found.get("status"),
            *(detail.get("reason") for detail in _details(found)),
        ]
        message = found.get("message") or found.get("detail") or ""
        codes = frozenset(name.lower() for name in names if isinstance(name, str))
        return cls(status, codes, _one_line(str(message)), retry_after or _retry_delay(found))

    @classmethod
    def read_body(cls, body: bytes, status: int | None, retry_after: float | None = None) -> Report:
        try:
            return cls.read(orjson.loads(body), status, retry_after)
        except orjson.JSONDecodeError:
            text = body.decode(errors="replace").strip()
            return cls(status, frozenset(), "" if text.startswith("<") else _one_line(text), retry_after)


def reported(endpoint: Endpoint, report: Report) -> ModelError:
    """Return the error for a provider's report, judged by its codes first, then by its text, then by the status."""
    label, model = endpoint.provider.label, endpoint.model
    said = f" It said: {report.message}" if report.message else ""
    status, codes = report.status, report.codes
    if codes & _WRONG_KEY or status in (401, 403):
        return wrong_key(endpoint)
    if codes & _CREDIT or status == 402 or _NO_CREDIT.search(report.message):
        return endpoint.error(
            ModelFailure.RATE_LIMITED,
            f"The account at {label} has no credit left. Add credit or raise its limit there, or choose another"
            " model.",
        )
    if codes & _CONTEXT or status == 413 or _TOO_LONG.search(report.message):
        return endpoint.error(
            ModelFailure.CONTEXT_TOO_LONG,
            f"The request is too long for {model}. Use fewer or shorter documents, or choose a model with a"
            f" larger context.{said}",
        )
    if codes & _RATE or status == 429:
        return endpoint.passing(
            ModelFailure.RATE_LIMITED,
            f"{label} gets too many requests from this account. Try again {_when(report.retry_after)}, or raise"
            " the account's limit there.",
            report.retry_after,
        )
    if codes & _OVERLOAD or status in OVERLOADED_STATUSES:
        return endpoint.passing(
            ModelFailure.UNAVAILABLE,
            f"{label} is overloaded. Try again {_when(report.retry_after)}, or choose another model.",
            report.retry_after,
        )
    if codes & _REFUSAL:
        return refused(endpoint, report.message)
    if codes & _UNKNOWN or status == 404:
        return endpoint.error(
            ModelFailure.BAD_REQUEST,
            f"{label} does not know the model {model}. Check the model's name{_and_address(endpoint)}.{said}",
        )
    if codes & _FAULT or (status is not None and status >= 500) or status == 408:
        return endpoint.passing(
            ModelFailure.UNAVAILABLE,
            f"{label} has a fault on its side. Try again in a few minutes, or choose another model.{said}",
            report.retry_after,
        )
    return endpoint.error(
        ModelFailure.BAD_REQUEST,
        f"{label} did not accept the request. Check that {model} can do what was asked of it (tools, thinking,"
        f" structured output), or choose another model.{said}",
    )


def wrong_key(endpoint: Endpoint) -> ModelError:
    provider = endpoint.provider
    kept = f", which is kept in {provider.key_place}" if provider.key_place else ""
    return endpoint.error(
        ModelFailure.AUTHENTICATION,
        f"{provider.label} did not accept the API key{kept}. Check it there, and that it may use the model"
        f" {endpoint.model}.",
    )


def refused(endpoint: Endpoint, message: str) -> ModelError:
    said = f" It said: {message}" if message else ""
    return endpoint.error(
        ModelFailure.REFUSED,
        f"{endpoint.provider.label} refused this content under its rules. Change the text, or choose another"
        f" model.{said}",
    )


def ended_early(endpoint: Endpoint) -> ModelError:
    return endpoint.error(
        ModelFailure.ENDED_EARLY,
        f"The answer of {endpoint.provider.label} broke off before its end. Try again.",
    )


def not_understood(endpoint: Endpoint) -> ModelError:
    return endpoint.error(
        ModelFailure.UNAVAILABLE,
        f"{endpoint.provider.label} sent an answer that cannot be understood. Check that its kind"
        f"{_and_address(endpoint)} are right.",
    )


def unreachable(endpoint: Endpoint) -> ModelError:
    where = f" at {endpoint.provider.address}" if endpoint.provider.address else ""
    return endpoint.passing(
        ModelFailure.UNAVAILABLE,
        f"{endpoint.provider.label}{where} cannot be reached. Check the network, the address and that the"
        " service runs.",
    )


def not_trusted(endpoint: Endpoint) -> ModelError:
    return endpoint.error(
        ModelFailure.UNAVAILABLE,
        f"The certificate of {endpoint.provider.address or endpoint.provider.label} is not trusted by this"
        " machine. Install the issuer's certificate, or correct the base URL.",
    )


def bad_address(endpoint: Endpoint) -> ModelError:
    return endpoint.error(
        ModelFailure.BAD_REQUEST,
        f"The base URL of {endpoint.provider.label} is not right: {endpoint.provider.address}. Set the address"
        " of its API, such as https://host/v1.",
    )


def timed_out(endpoint: Endpoint, seconds: float, waited_for: str) -> ModelError:
    return endpoint.error(
        ModelFailure.TIMED_OUT,
        f"{endpoint.provider.label} did not {waited_for} within {seconds:g} seconds. Try again, choose a faster"
        " model, or raise the time limit in the settings.",
    )


def _and_address(endpoint: Endpoint) -> str:
    return f" and the base URL {endpoint.provider.address}" if endpoint.provider.address else ""


def _when(seconds: float | None) -> str:
    return "in a minute" if seconds is None else f"in {max(1, round(seconds))} seconds"


def _retry_delay(error: dict[str, object]) -> float | None:
    for detail in _details(error):
        delay = detail.get("retryDelay")
        if isinstance(delay, str) and re.fullmatch(r"\d+(\.\d+)?s", delay):
            return float(delay[:-1])
    return None


def _details(error: dict[str, object]) -> list[dict[str, object]]:
    details = error.get("details")
    return [each for each in details if isinstance(each, dict)] if isinstance(details, list) else []


def _one_line(text: str) -> str:
    """Return the text shortened, on one line, and without anything that looks like a key."""
    text = _KEY.sub("***", " ".join(text.split()))
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"
