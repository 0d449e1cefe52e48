"""The result of a transformation for a provider: the schema to send, what changed, and how to convert back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from docagent.jsonschema.keywords import JsonObject
from docagent.jsonschema.problems import Path


class Profile(StrEnum):
    """The provider whose structured output a schema is meant for."""

    OPENAI_STRICT = "openai_strict"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between the stored schema and the one that is sent."""

    path: str
    """The place in the stored schema, joined by dots; "" for the root."""
    what: str
    why: str
    lossy: bool
    """Whether the provider no longer enforces something, or can no longer express something."""


class Shape(StrEnum):
    """How a value is written for a provider that does not accept its plain form."""

    ENTRIES = "entries"
    """An object with free keys, written as a list of {key, value}."""
    JSON_TEXT = "json_text"
    """Any value, written as a string that holds JSON."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What to undo in a value at one place of the sent schema."""

    shape: Shape | None = None
    null_if_absent: frozenset[str] = frozenset()
    """Properties that are null where they would otherwise be absent."""
    empty_if_absent: frozenset[str] = frozenset()
    """Properties that are an empty text where they would otherwise be absent."""


@dataclass(frozen=True, slots=True)
class Profiled:
    """A schema as one provider accepts it."""

    profile: Profile
    schema: JsonObject
    changes: list[Change]
    wrapped: bool = False
    """Whether the value is wrapped in an object, as its property `value`, because the root was not an object."""
    marks: Mapping[Path, Mark] = field(default_factory=dict)
    """What to undo, by path in the sent schema."""

    @property
    def lossy(self) -> bool:
        return any(change.lossy for change in self.changes)
