"""What each provider's structured output accepts, from their published documentation.

OpenAI: the "supported schemas" part of the structured outputs guide (February 2026).
Anthropic: the "JSON Schema limitations" part of the structured outputs page (February 2026).
Gemini: the "JSON Schema support" part of the structured output page (February 2026); `propertyOrdering` is
always sent because Gemini 2.0 needs it.
"""

from __future__ import annotations

from dataclasses import dataclass

from docagent.jsonschema.keywords import LIMITS_OF_NUMBERS
from docagent.jsonschema.profiles.model import Profile


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """Published limits on a whole schema; None if the provider publishes none."""

    object_levels: int | None = None
    properties: int | None = None
    enum_values: int | None = None
    name_characters: int | None = None
    optional_properties: int | None = None
    unions: int | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """What one provider accepts."""

    provider: str
    string: frozenset[str]
    number: frozenset[str]
    array: frozenset[str]
    formats: frozenset[str]
    largest_min_items: int | None
    """The largest `minItems` that is accepted; None if any is."""
    plain_patterns_only: bool
    """Whether patterns must do without look-around, back references and word boundaries."""
    unions: bool
    """Whether `anyOf` is accepted below the root."""
    consts: bool
    references: bool
    """Whether `$ref` into `$defs` is accepted."""
    recursion: bool
    tuples: bool
    """Whether `prefixItems` is accepted."""
    object_root: bool
    all_required: bool
    closed_objects: bool
    """Whether `additionalProperties` must be false."""
    null_alone: bool
    """Whether `null` may be a schema's only type."""
    property_ordering: bool
    limits: ProviderLimits


_NUMBER_LIMITS = frozenset(LIMITS_OF_NUMBERS)
_COMMON_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

RULES: dict[Profile, Rules] = {
    Profile.OPENAI_STRICT: Rules(
        provider="OpenAI strict mode",
        string=frozenset({"pattern", "format"}),
        number=_NUMBER_LIMITS,
        array=frozenset({"minItems", "maxItems"}),
        formats=_COMMON_FORMATS,
        largest_min_items=None,
        plain_patterns_only=False,
        unions=True,
        consts=True,
        references=True,
        recursion=True,
        tuples=False,
        object_root=True,
        all_required=True,
        closed_objects=True,
        null_alone=False,
        property_ordering=False,
        limits=ProviderLimits(object_levels=10, properties=5_000, enum_values=1_000, name_characters=120_000),
    ),
    Profile.ANTHROPIC: Rules(
        provider="Anthropic structured output",
        string=frozenset({"pattern", "format"}),
        number=frozenset(),
        array=frozenset({"minItems"}),
        formats=_COMMON_FORMATS | {"uri"},
        largest_min_items=1,
        plain_patterns_only=True,
        unions=True,
        consts=True,
        references=True,
        recursion=False,
        tuples=False,
        object_root=True,
        all_required=False,
        closed_objects=True,
        null_alone=True,
        property_ordering=False,
        limits=ProviderLimits(optional_properties=24, unions=16),
    ),
    Profile.GEMINI: Rules(
        provider="Gemini structured output",
        string=frozenset({"format"}),
        number=frozenset({"minimum", "maximum"}),
        array=frozenset({"minItems", "maxItems"}),
        formats=frozenset({"date-time", "date", "time"}),
        largest_min_items=None,
        plain_patterns_only=False,
        unions=False,
        consts=False,
        references=False,
        recursion=False,
        tuples=True,
        object_root=False,
        all_required=False,
        closed_objects=False,
        null_alone=True,
        property_ordering=True,
        limits=ProviderLimits(),
    ),
}
