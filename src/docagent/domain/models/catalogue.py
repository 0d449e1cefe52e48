"""The models that prompts and chats may name, and which one really runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from docagent.domain.errors import InvalidInput, Kind, Noun
from docagent.domain.models.llm import CHARACTERS_PER_TOKEN, Usage
from docagent.domain.models.providers import (
    BUILT_IN_PROVIDER,
    KNOWN_PROVIDERS,
    Connection,
    FoundModel,
    WireKind,
    key_variables,
)

BUILT_IN_MODEL = "docagent-offline"
DEFAULT_MODEL = "gpt-4o-mini"
"""What clients see as the model of a prompt that names none."""

BARE_NAMES = frozenset({"openai", "anthropic", "gemini"})
"""Providers whose models are called by their name alone; all others go by `provider/name`."""

KEYS_PAGE = "the settings page “Providers and keys”"
MOST_LISTED = 20
"""How many models an error names."""
TOKENS_IN_PRICE = 1_000_000
CATALOGUE = Path(__file__).with_name("models.json")
UNKNOWN_CONTEXT = 128_000
UNKNOWN_OUTPUT = 8_192
"""Limits assumed for models that an administrator names and our catalogue does not know."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A chat model. Prices are in US dollars per million tokens."""

    name: str
    provider: str
    wire_name: str
    """The name by which the provider knows the model."""
    provider_display_name: str
    description: str
    max_input_tokens: int
    max_output_tokens: int
    input_price: float = 0
    output_price: float = 0
    cached_price: float | None = None
    sees_images: bool = False
    reads_pdf: bool = False
    calls_tools: bool = True
    thinks: bool = False
    fits_schemas: bool = True
    served: FoundModel | None = None
    """What its server says about it, if it is not of our catalogue."""

    @property
    def is_built_in(self) -> bool:
        return self.provider == BUILT_IN_PROVIDER

    @property
    def bare_name(self) -> str:
        """The name without the provider's."""
        return self.name.removeprefix(f"{self.provider}/")

    def cost(self, usage: Usage) -> float:
        """The cost in US dollars. Cached tokens are part of the input, thinking is part of the output."""
        cached = min(usage.cached_input_tokens, usage.input_tokens)
        cached_price = self.input_price if self.cached_price is None else self.cached_price
        return (
            (usage.input_tokens - cached) * self.input_price
            + cached * cached_price
            + usage.output_tokens * self.output_price
        ) / TOKENS_IN_PRICE


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider as it stands for one organisation, or for the whole deployment."""

    name: str
    display_name: str
    kind: WireKind
    base_url: str | None
    needs_key: bool
    models: tuple[ModelInfo, ...]
    enabled: bool
    enabled_models: frozenset[str]
    chat_models: frozenset[str]
    sealed_key: str | None = field(default=None, repr=False)
    key_is_organizations: bool = False
    """Whether the sealed key is the organisation's own. Else it is the whole server's."""
    environment_key: str | None = field(default=None, repr=False)
    key_created_at: datetime | None = None
    custom: bool = False
    is_local: bool = False
    """Whether it runs on this machine and was not configured by anybody."""

    @property
    def has_key(self) -> bool:
        return bool(self.sealed_key or self.environment_key)

    @property
    def key_place(self) -> str | None:
        """Where the key is kept, in words; None if there is none."""
        if self.sealed_key is not None:
            whose = "this organisation" if self.key_is_organizations else "the whole server"
            return f"{KEYS_PAGE} ({whose})"
        return key_variables(self.name) if self.environment_key else None

    @property
    def is_reachable(self) -> bool:
        """Whether the provider is switched on and has everything that a call needs."""
        return self.enabled and (self.has_key or not self.needs_key) and not self.missing_address

    @property
    def missing_address(self) -> bool:
        return self.kind is WireKind.OPENAI_COMPATIBLE and not self.base_url

    def runs(self, model: ModelInfo) -> bool:
        return self.is_reachable and model.name in self.enabled_models


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model that runs, and the way to it."""

    info: ModelInfo
    connection: Connection
    requested: str | None = None
    """The name that was asked for. The model has another name if that one cannot be called."""
    nearby: tuple[ModelInfo, ...] = ()
    """Models on this machine that could run in place of the built-in one."""

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def provider(self) -> str:
        return self.info.provider

    @property
    def is_built_in(self) -> bool:
        return self.info.is_built_in

    @property
    def takes_pdf(self) -> bool:
        return self.info.reads_pdf

    @property
    def characters(self) -> int:
        """How many characters of text surely fit."""
        return self.info.max_input_tokens * CHARACTERS_PER_TOKEN


BUILT_IN = ModelInfo(
    BUILT_IN_MODEL,
    BUILT_IN_PROVIDER,
    BUILT_IN_MODEL,
    "Built in",
    "built-in, offline, rule-based",
    max_input_tokens=1_000_000,
    max_output_tokens=100_000,
)


class ModelCatalogue:
    """The models of some providers, as they stand for one organisation or for the whole deployment."""

    def __init__(self, providers: Iterable[Provider], default: str | None = None) -> None:
        self.providers: Mapping[str, Provider] = {provider.name: provider for provider in providers}
        self._default = default
        self._models = {
            model.name: model for provider in self.providers.values() for model in provider.models
        }

    def all(self) -> list[ModelInfo]:
        return list(self._models.values())

    def runnable(self) -> list[ModelInfo]:
        return [model for model in self._models.values() if self.runs(model)]

    def for_chat_agent(self) -> list[ModelInfo]:
        """The models that can run and that their providers list for the chat agent."""
        return [model for model in self._models.values() if self.chats(model)]

    def local(self) -> list[ModelInfo]:
        """The models that can run and were found on this machine."""
        return [model for model in self.runnable() if self.providers[model.provider].is_local]

    def runs(self, model: ModelInfo) -> bool:
        """True when the model is enabled and its provider can be called."""
        return self.providers[model.provider].runs(model)

    def chats(self, model: ModelInfo) -> bool:
        """True when the model runs and is listed for the chat agent."""
        return self.runs(model) and model.name in self.providers[model.provider].chat_models

    def find(self, name: str) -> ModelInfo | None:
        """Find a model by its name, by its provider and name as in `openai/gpt-4o`, or by the bare name of one that
        only one provider has.
        """
        provider, _, rest = name.partition("/")
        model = self._models.get(name) or self._models.get(rest)
        if model is not None and (model.name == name or model.provider == provider):
            return model
        namesakes = self._namesakes(name)
        return namesakes[0] if len(namesakes) == 1 else None

    def _namesakes(self, bare_name: str) -> list[ModelInfo]:
        """The models with this bare name: those that can run, or else all of them."""
        found = [model for model in self._models.values() if model.bare_name == bare_name]
        return [model for model in found if self.runs(model)] or found

    def check(self, name: str | None) -> None:
        """Raises InvalidInput for a name that is not in the catalogue. None leaves the model open."""
        if name is None or self.find(name) is not None:
            return
        namesakes = self._namesakes(name)
        if namesakes:
            names = ", ".join(model.name for model in namesakes)
            advice = f"More than one provider has it. Use one of these names: {names}."
        else:
            names = _listing([model.name for model in self.runnable()])
            advice = f"These models can be called now: {names}."
        raise InvalidInput(f"Invalid model: {name[:100]}. {advice}", Kind.UNKNOWN, Noun.MODEL)

    def resolve(
        self, requested: str | None, organization_default: str | None, *, for_chat: bool = False
    ) -> ModelInfo:
        """The model that runs: the requested one, else the organisation's, the deployment's or the built-in one.

        `for_chat` leaves only those that are listed for the chat agent, and the built-in one.
        """
        for name in (requested, organization_default, self._default):
            model = self.find(name) if name else None
            if model is not None and (self.chats(model) if for_chat else self.runs(model)):
                return model
        return BUILT_IN

    def why_not(self, model: ModelInfo, *, for_chat: bool = False) -> str:
        """Why a model that is in the catalogue cannot run, and what to do."""
        provider = self.providers[model.provider]
        if provider.needs_key and not provider.has_key:
            return (
                f"No API key for model {model.name}. An administrator can add a key for "
                f"{provider.display_name} on {KEYS_PAGE}, or set {key_variables(provider.name)}; "
                f"the model {BUILT_IN_MODEL} needs none."
            )
        if provider.missing_address:
            return f"No address for {provider.display_name}. An administrator can set its base_url."
        if for_chat and self.runs(model):
            names = _listing([other.name for other in self.for_chat_agent()])
            return (
                f"Model {model.name} is not offered for chats. Choose one of: {names}. An administrator can add it "
                f"to the models for the agent on {KEYS_PAGE}."
            )
        return (
            f"Model {model.name} is not enabled. An administrator can enable it for {provider.display_name} "
            f"on {KEYS_PAGE}."
        )


def _listing(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return ", ".join(names[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


@cache
def known_models() -> Mapping[str, tuple[ModelInfo, ...]]:
    """The models of our catalogue by provider; the file is made by `scripts/make_models.py`."""
    listed: dict[str, list[dict[str, Any]]] = json.loads(CATALOGUE.read_text())["providers"]
    found = {name: tuple(_listed(name, entry) for entry in entries) for name, entries in listed.items()}
    return found | {BUILT_IN_PROVIDER: (BUILT_IN,)}


def served_model(provider: str, display_name: str, found: FoundModel) -> ModelInfo:
    """A model that our catalogue does not list, with what its server says about it."""
    output = min(UNKNOWN_OUTPUT, found.context // 4) if found.context else UNKNOWN_OUTPUT
    return ModelInfo(
        f"{provider}/{found.name}",
        provider,
        found.name,
        display_name,
        f"Served by {display_name}.",
        max_input_tokens=found.context - output if found.context else UNKNOWN_CONTEXT,
        max_output_tokens=output,
        sees_images=bool(found.sees_images),
        calls_tools=found.calls_tools is not False,
        served=found,
    )


def _listed(provider: str, entry: dict[str, Any]) -> ModelInfo:
    known, name, abilities = KNOWN_PROVIDERS[provider], entry["name"], set(entry["can"])
    full_name, price = f"{provider}/{name}", entry["price"]
    return ModelInfo(
        name=name if provider in BARE_NAMES else full_name,
        provider=provider,
        wire_name=full_name if known.kind is WireKind.LITELLM else name,
        provider_display_name=known.display_name,
        description=entry["about"],
        max_input_tokens=entry["input"],
        max_output_tokens=entry["output"],
        input_price=price[0],
        output_price=price[1],
        cached_price=price[2],
        sees_images="images" in abilities,
        reads_pdf="pdf" in abilities,
        calls_tools="tools" in abilities,
        thinks="thinking" in abilities,
        fits_schemas="schemas" in abilities,
    )
