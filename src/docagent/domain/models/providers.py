"""Providers of models: which we know, how each is reached, and what an administrator decided about it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

BUILT_IN_PROVIDER = "docagent"
OLLAMA = "ollama"
LOCAL = "local"
"""The provider of the model in the operator's own file."""
KEY_SUFFIX = "_API_KEY"
MOST_SHOWN = 16
MASK = "******"


class WireKind(StrEnum):
    """The protocol that a provider speaks."""

    BUILT_IN = "built_in"
    OPENAI = "openai"
    OPENAI_RESPONSES = "openai_responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OPENAI_COMPATIBLE = "openai_compatible"
    OLLAMA = "ollama"
    LITELLM = "litellm"
    LOCAL_FILE = "local_file"
    """A file of weights that a process of our own runs."""
    ADDED = "added"
    """Whatever the package that adds the provider speaks."""


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """What we know of a provider before anybody has configured it."""

    name: str
    display_name: str
    kind: WireKind
    base_url: str | None = None
    needs_key: bool = True
    key_variables: tuple[str, ...] = ()
    """Environment variables for the key, besides `<NAME>_API_KEY`."""


def _compatible(name: str, display_name: str, base_url: str | None) -> KnownProvider:
    return KnownProvider(name, display_name, WireKind.OPENAI_COMPATIBLE, base_url)


KNOWN_PROVIDERS: Mapping[str, KnownProvider] = {
    provider.name: provider
    for provider in (
        KnownProvider(BUILT_IN_PROVIDER, "Built in", WireKind.BUILT_IN, needs_key=False),
        KnownProvider("openai", "OpenAI", WireKind.OPENAI),
        KnownProvider("anthropic", "Anthropic", WireKind.ANTHROPIC),
        KnownProvider("gemini", "Google Gemini", WireKind.GEMINI, key_variables=("GOOGLE_API_KEY",)),
        KnownProvider(OLLAMA, "Ollama", WireKind.OLLAMA, needs_key=False),
        _compatible("azure", "Azure OpenAI", None),
        _compatible("azure_ai", "Azure AI Foundry", None),
        _compatible("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
        _compatible("groq", "Groq", "https://api.groq.com/openai/v1"),
        _compatible("mistral", "Mistral", "https://api.mistral.ai/v1"),
        _compatible("openrouter", "OpenRouter", "https://openrouter.ai/api/v1"),
        _compatible("xai", "xAI", "https://api.x.ai/v1"),
        KnownProvider("bedrock", "AWS Bedrock", WireKind.LITELLM),
        KnownProvider("vertex_ai", "Google Vertex AI", WireKind.LITELLM),
    )
}


@dataclass(frozen=True, slots=True)
class Connection:
    """All that is needed to call a provider. The key is never shown in logs or errors."""

    provider: str
    kind: WireKind
    base_url: str | None
    key: str | None = field(default=None, repr=False)
    key_place: str | None = None
    """Where the key is kept, in words."""

    @property
    def is_inside(self) -> bool:
        """Whether what is sent stays on this machine or in its network: a private address, or a name without dots."""
        if self.kind in (WireKind.BUILT_IN, WireKind.LOCAL_FILE):
            return True
        host = urlsplit(self.base_url or "").hostname or ""
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return bool(host) and "." not in host


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model of a server, with what the server says about it. None means that it does not say."""

    name: str
    size_bytes: int | None = None
    context: int | None = None
    calls_tools: bool | None = None
    sees_images: bool | None = None


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server that was found, or that the settings name."""

    base_url: str
    models: tuple[FoundModel, ...]
    display_name: str | None = None
    kind: WireKind = WireKind.OPENAI_COMPATIBLE
    is_local: bool = False
    """Whether it runs on this machine and was not configured by anybody."""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """What was decided about a provider, for the deployment or for one organisation. None means not decided."""

    name: str
    enabled: bool | None = None
    sealed_key: str | None = field(default=None, repr=False)
    key_created_at: datetime | None = None
    enabled_models: tuple[str, ...] | None = None
    chat_models: tuple[str, ...] | None = None
    display_name: str | None = None
    base_url: str | None = None
    own_models: tuple[str, ...] = ()
    """Names of models that the provider serves and our catalogue does not list."""
    custom: bool = False


def key_variables(provider: str) -> str:
    """The environment variables that may hold the key of a provider, in words."""
    known = KNOWN_PROVIDERS.get(provider)
    names = (f"{provider.upper()}{KEY_SUFFIX}", *(known.key_variables if known else ()))
    return f"the variable {' or '.join(names)}"


def environment_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """Keys by provider, from variables such as `OPENAI_API_KEY`."""
    keys = {
        name.removesuffix(KEY_SUFFIX).lower(): value
        for name, value in environment.items()
        if name.endswith(KEY_SUFFIX) and value
    }
    for known in KNOWN_PROVIDERS.values():
        for variable in known.key_variables:
            if known.name not in keys and environment.get(variable):
                keys[known.name] = environment[variable]
    return keys


def masked(key: str) -> str:
    """What may be shown of a key: its start, and never more than a third of it."""
    return key[: min(MOST_SHOWN, len(key) // 3)] + MASK
