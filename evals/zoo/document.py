"""A made document: its pages, what it says and where, and the schema that asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.documents.text import Box, Page
from evals.wordings import Half
from evals.zoo.canvas import Sheet, WordAt

Occurrence = tuple[WordAt, ...]
"""The words of one occurrence of a value, in reading order."""


@dataclass(frozen=True)
class Asked:
    """A field of the schema with its true value, None if the document does not have it."""

    name: str
    concept: str
    """What the field means, whatever it is called."""
    kind: str
    """`amount`, `date`, `code`, `name`, `text`, `boolean`, `choice`, `list`, or `rows`."""
    description: str
    value: Any
    places: tuple[Occurrence, ...] = ()
    """Every occurrence of the value. A list has those of all its values."""
    choices: tuple[str, ...] = ()
    columns: tuple[Asked, ...] = ()
    """Of rows: what is asked of each row. Their values and places are in `rows`."""
    rows: tuple[dict[str, Asked], ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        if self.kind == "rows":
            properties = {column.name: column.schema for column in self.columns}
            items = {"type": "object", "properties": properties, "required": list(properties)}
            return {"type": "array", "description": self.description, "items": items}
        if self.kind == "list":
            return {"type": "array", "description": self.description, "items": {"type": "string"}}
        base = {"amount": "number", "boolean": "boolean"}.get(self.kind, "string")
        part: dict[str, Any] = {"type": [base, "null"], "description": self.description}
        if self.kind == "date":
            part["format"] = "date"
        if self.choices:
            part["enum"] = [*self.choices, None]
        return part


@dataclass(frozen=True)
class MadeDocument:
    seed: int
    half: Half
    kind: str
    language: str
    design: dict[str, Any]
    """Every decision about the layout."""
    day_first: bool
    pages: Sequence[Page]
    sheets: Sequence[Sheet] = field(repr=False)
    asked: tuple[Asked, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.half}-{self.seed:06d}-{self.kind}-{self.language}"

    @property
    def schema(self) -> dict[str, Any]:
        properties = {asked.name: asked.schema for asked in self.asked}
        return {"type": "object", "properties": properties, "required": list(properties)}

    @property
    def values(self) -> dict[str, Any]:
        """The right answer to the schema."""
        return {asked.name: asked.value for asked in self.asked}

    def box(self, place: WordAt) -> Box:
        return self.pages[place.page - 1].words[place.word].box

    def text(self, occurrence: Occurrence) -> str:
        return " ".join(self.pages[place.page - 1].words[place.word].text for place in occurrence)
