"""Questions and answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

KINDS = (
    "other", "invoice", "credit_note", "order", "delivery_note", "receipt", "statement", "form", "letter", "contract",
)  # fmt: skip
"""The kinds of documents that the network tells apart, in the order of its answer."""
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


@dataclass(frozen=True)
class Question:
    """A field as a schema asks for it."""

    name: str
    description: str
    type: str
    """`text`, `number`, `date`, `list`, or `column`."""

    @property
    def text(self) -> str:
        """The words of the name and the description, and the type."""
        name = " ".join(_HUMP.sub(" ", self.name).replace("_", " ").replace("-", " ").split())
        said = self.description.strip()
        if not said or said.casefold() == name.casefold():
            return f"{name} ; {self.type}"
        return f"{name} : {said} ; {self.type}"


@dataclass(frozen=True)
class Span:
    """Words that may be a value."""

    text: str
    chance: float
    first: int
    """The number of the first word, counted through the whole document."""


Row = dict[int, Span]
"""What stands in the row of a table, by the number of the column."""


@dataclass(frozen=True)
class KindOfDocument:
    """What a document may be, with the network's chance that it is right."""

    name: str
    """One of `KINDS`."""
    chance: float
