"""The models that prompts may name, and which one really runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from docagent.domain.errors import InvalidInput

BUILT_IN_MODEL = "docagent-offline"
BUILT_IN_PROVIDER = "docagent"
DEFAULT_MODEL = "gpt-4o-mini"
"""What clients see as the model of a prompt that names none."""

PROVIDER_NAMES = {
    BUILT_IN_PROVIDER: "Built in",
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "gemini": "Google Gemini",
}


@dataclass(frozen=True, slots=True)
class Model:
    """A chat model. Prices are in US dollars per million tokens."""

    name: str
    provider: str
    description: str
    max_input_tokens: int
    max_output_tokens: int
    input_price: float
    output_price: float
    sees_images: bool = False

    @property
    def provider_display_name(self) -> str:
        return PROVIDER_NAMES.get(self.provider, self.provider)


KNOWN_MODELS = (
    Model(
        BUILT_IN_MODEL,
        BUILT_IN_PROVIDER,
        "Rules and layout, built in, needs no key. Not a language model.",
        max_input_tokens=1_000_000,
        max_output_tokens=100_000,
        input_price=0,
        output_price=0,
    ),
    Model(
        DEFAULT_MODEL,
        "openai",
        "Small and cheap; sees images.",
        max_input_tokens=128_000,
        max_output_tokens=16_384,
        input_price=0.15,
        output_price=0.60,
        sees_images=True,
    ),
    Model(
        "gpt-4o",
        "openai",
        "General purpose; sees images.",
        max_input_tokens=128_000,
        max_output_tokens=16_384,
        input_price=2.50,
        output_price=10.00,
        sees_images=True,
    ),
    Model(
        "claude-sonnet-4-6",
        "anthropic",
        "Strong at tools and long documents; sees images.",
        max_input_tokens=200_000,
        max_output_tokens=64_000,
        input_price=3.00,
        output_price=15.00,
        sees_images=True,
    ),
    Model(
        "gemini-2.5-flash",
        "gemini",
        "Fast, with a very large context; sees images.",
        max_input_tokens=1_048_576,
        max_output_tokens=65_535,
        input_price=0.30,
        output_price=2.50,
        sees_images=True,
    ),
)


class ModelCatalogue:
    """All models we know, and which of their providers can be called."""

    def __init__(self, available_providers: Collection[str], models: Iterable[Model] = KNOWN_MODELS) -> None:
        self._models = {model.name: model for model in models}
        self._available = frozenset(available_providers) | {BUILT_IN_PROVIDER}

    def all(self) -> list[Model]:
        return list(self._models.values())

    def runnable(self) -> list[Model]:
        return [model for model in self._models.values() if self.is_available(model)]

    def is_available(self, model: Model) -> bool:
        """True when the model's provider has a key, or needs none."""
        return model.provider in self._available

    def check(self, name: str | None) -> None:
        """Raises InvalidInput for a name that is not in the catalogue. None is a model left open."""
        if name is not None and name not in self._models:
            raise InvalidInput(f"Invalid model: {name[:100]}")

    def resolve(self, requested: str | None, organization_default: str | None) -> str:
        """The model that runs: the requested one, else the organisation's, else the one built in."""
        for name in (requested, organization_default):
            model = self._models.get(name) if name else None
            if model is not None and self.is_available(model):
                return model.name
        return BUILT_IN_MODEL
