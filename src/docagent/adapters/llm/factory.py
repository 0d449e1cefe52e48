"""Makes models from the settings: a kind of provider, an address and a key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.call_ids import ANY_ID
from docagent.adapters.llm.errors import Provider
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.http_model import HttpModel
from docagent.adapters.llm.litellm_model import LiteLLMModel
from docagent.adapters.llm.local_file import LocalFile, LocalFileModel
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.retries import Retries
from docagent.adapters.llm.transport import ModelTransport
from docagent.adapters.llm.wire import Wire
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import Model


class ProviderKind(StrEnum):
    """The ways to reach a model over the network."""

    OPENAI = "openai"
    OPENAI_RESPONSES = "openai_responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OPENAI_COMPATIBLE = "openai_compatible"
    OLLAMA = "ollama"
    LITELLM = "litellm"


@dataclass(frozen=True, slots=True)
class _Known:
    label: str
    wire: Wire
    base_url: str | None = None
    key_place: str | None = None


# Some servers hide meaning in their call ids, so those ids go back exactly as they came.
_COMPATIBLE = ChatWire(
    max_tokens_field="max_tokens",
    takes_pdf=False,
    always_says_done=False,
    call_id=ANY_ID,
    picture_detail={},
)
_OLLAMA = replace(_COMPATIBLE, knows_tool_choice=False)
_KNOWN: Mapping[ProviderKind, _Known] = {
    ProviderKind.OPENAI: _Known(
        "OpenAI", ChatWire(), "https://api.openai.com/v1", "the variable OPENAI_API_KEY"
    ),
    ProviderKind.OPENAI_RESPONSES: _Known(
        "OpenAI", ResponsesWire(), "https://api.openai.com/v1", "the variable OPENAI_API_KEY"
    ),
    ProviderKind.ANTHROPIC: _Known(
        "Anthropic", AnthropicWire(), "https://api.anthropic.com/v1", "the variable ANTHROPIC_API_KEY"
    ),
    ProviderKind.GEMINI: _Known(
        "Google Gemini",
        GeminiWire(),
        "https://generativelanguage.googleapis.com/v1beta",
        "the variable GEMINI_API_KEY",
    ),
    ProviderKind.OPENAI_COMPATIBLE: _Known("The model server", _COMPATIBLE),
    ProviderKind.OLLAMA: _Known("Ollama", _OLLAMA, "http://127.0.0.1:11434/v1"),
}


def make_local_model(file: LocalFile) -> LocalFileModel:
    return LocalFileModel(file, _COMPATIBLE)


def make_model(
    kind: ProviderKind,
    transport: ModelTransport,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    name: str | None = None,
    label: str | None = None,
    key_place: str | None = None,
    retries: Retries | None = None,
) -> Model:
    """Make a model of that kind. Error texts use `name`, `label` and `key_place`; the kind has defaults for them."""
    if kind is ProviderKind.LITELLM:
        return LiteLLMModel(
            api_key=api_key, base_url=base_url, seconds=transport.timeouts.whole, retries=retries
        )
    known = _KNOWN[kind]
    address = base_url or known.base_url
    if address is None:
        raise InvalidInput("A compatible provider needs a base URL. Set the address of its API.")
    provider = Provider(
        name or kind.value,
        label or known.label,
        key_place or known.key_place,
        base_url or (known.base_url if kind is ProviderKind.OLLAMA else None),
    )
    return HttpModel(known.wire, provider, address, api_key, transport, retries)
