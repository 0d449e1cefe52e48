"""What a transformation for a provider gives back: the schema to send, what changed, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from docagent.jsonschema.keywords import JsonObject
from docagent.jsonschema.problems import Path


class Profile(StrEnum):
    """Which provider's structured output a schema is meant for."""

    OPENAI_STRICT = "openai_strict"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between the stored schema and the one that is sent."""

    path: str
    """Where in the stored schema, joined by dots; "" for the root."""
    what: str
    why: str
    lossy: bool
    """True if the provider no longer enforces something, or can no longer say something."""


class Shape(StrEnum):
    """How a value is written for the provider when it cannot be written as it is."""

    ENTRIES = "entries"
    """An object with free keys, as a list of {key, value}."""
    JSON_TEXT = "json_text"
    """Any value, as a string that holds JSON."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What to undo in a value at one place of the sent schema."""

    shape: Shape | None = None
    null_if_absent: frozenset[str] = frozenset()
    """Properties for which null only means that they are absent."""
    empty_if_absent: frozenset[str] = frozenset()
    """Properties for which empty text only means that they are absent."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """A schema as one provider accepts it."""

    profile: Profile
    schema: JsonObject
    changes: list[Change]
    wrapped: bool = False
    """The root was not an object, so the value stands alone in the property `value`."""
    marks: Mapping[Path, Mark] = field(default_factory=dict)
    """By path in the sent schema."""

    @property
    def lossy(self) -> bool:
        return any(change.lossy for change in self.changes)
