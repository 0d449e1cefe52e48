"""What is kept of a verified value: not the value, but how it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Direction(StrEnum):
    """Where the words stand that lead to a value."""

    INLINE = "inline"
    """Before it in the same piece of text."""
    LEFT = "left"
    ABOVE = "above"
    """Over it: a label, or the head of its column."""
    PLACE = "place"
    """Nowhere: the value is found by its place on the page."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One way to a value."""

    direction: Direction
    label: str
    """The words that lead to it, in lower case, without figures."""
    nth: int | None
    """Which value of the field's kind it is in the text that they lead to; None for words as they are."""
    words: int | None
    """How many words of that text it has; None for all of them."""


@dataclass(frozen=True, slots=True)
class Memory:
    """How one field of one verified document was found."""

    traces: tuple[Trace, ...]
    """The best way first. None if the document does not have the value."""
    page: int
    left: float
    top: float
    """Where it begins: the page's number from 0, and fractions of the page."""
    shape: str
    was_right: bool
    """Whether the model had given what the person verified."""

    @property
    def is_absent(self) -> bool:
        return not self.traces

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Memory:
        traces = tuple(
            Trace(Direction(one["direction"]), one["label"], one["nth"], one["words"])
            for one in stored["traces"]
        )
        return cls(**{**stored, "traces": traces})


def shape_of(text: str) -> str:
    """Return the form of a text: `A-9` for INV-2041. Runs of letters and of digits count once."""
    shape = ""
    for character in text:
        sign = "A" if character.isalpha() else "9" if character.isdigit() else character
        if not sign.isspace() and (sign not in "A9" or not shape.endswith(sign)):
            shape += sign
    return shape
