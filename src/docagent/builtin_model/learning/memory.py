"""What is kept of a verified value: how it was found, and the value itself where it may be the same for a layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class Direction(StrEnum):
    """Where the words stand that lead to a value."""

    INLINE = "inline"
    """Before it in the same piece of text."""
    LEFT = "left"
    ABOVE = "above"
    """Over it: a label, or the head of its column."""
    CORNER = "corner"
    """In the row over it, where the box begins in which it stands."""
    PLACE = "place"
    """Nowhere: the value is found by its place on the page."""
    CHOICE = "choice"
    """In the schema: the value is one of its choices, and documents of a layout share it."""
    CONSTANT = "constant"
    """In the lesson: documents of a layout share the value, such as the name of whoever issued them."""


Way: TypeAlias = tuple[Direction, str]
"""Which words lead to a value, and from where."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One way to a value."""

    direction: Direction
    label: str
    """The words that lead to it, in lower case, without figures; of a choice or a constant, its value."""
    nth: int | None
    """Which value of the field's kind it is in the text that they lead to; None for words as they are."""
    words: int | None
    """How many words of that text it has; None for all of them."""
    lines: int = 1
    """Over how many lines it goes, one below the other."""
    wide: bool = False
    """Whether it goes over gaps."""
    negated: bool = False
    """Whether the verified number has the other sign than the printed one."""

    @property
    def way(self) -> Way:
        """What documents of a layout share, however the value is read there, and whatever gaps a scan shows."""
        return self.direction, self.label.replace(" ", "")


@dataclass(frozen=True, slots=True)
class Head:
    """A column of a table, in fractions of the page's width."""

    name: str
    """The field whose values stand in it."""
    label: str
    """The words at its top; empty where it has none."""
    label_left: float
    left: float
    right: float
    """Where its cells stand."""


@dataclass(frozen=True, slots=True)
class Table:
    """How the rows of a list were found."""

    heads: tuple[Head, ...]
    end: str
    """The words that begin the row of totals below; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Memory:
    """How one field of one verified document was found."""

    traces: tuple[Trace, ...]
    """The best way first; none if the document does not have the value, or it cannot be found again."""
    page: int
    left: float
    top: float
    """Where it begins: the page's number from 0, and fractions of the page."""
    shape: str
    """Empty if the document does not have the value."""
    was_right: bool
    """Whether the model had given what the person verified, before other lessons changed its answer."""
    table: Table | None = None
    """Of a list of rows, instead of traces."""
    mistake: Memory | None = None
    """How the model found its wrong value; absent if it gave none. None where nobody knows."""

    @property
    def is_absent(self) -> bool:
        return not self.shape

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Memory:
        traces = tuple(Trace(**{**one, "direction": Direction(one["direction"])}) for one in stored["traces"])
        table = stored.get("table")
        if table is not None:
            table = Table(tuple(Head(**head) for head in table["heads"]), table["end"])
        mistake = stored.get("mistake")
        if mistake is not None:
            mistake = cls.from_json(mistake)
        return cls(**{**stored, "traces": traces, "table": table, "mistake": mistake})


def shape_of(text: str) -> str:
    """Return the form of a text: `A-9` for INV-2041. Runs of letters and of digits count once."""
    shape = ""
    for character in text:
        sign = "A" if character.isalpha() else "9" if character.isdigit() else character
        if not sign.isspace() and (sign not in "A9" or not shape.endswith(sign)):
            shape += sign
    return shape
