"""Changes that open pages must load, announced to every process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Noun = Literal["document", "inbox"]
NOUNS: tuple[Noun, ...] = get_args(Noun)


@dataclass(frozen=True, slots=True)
class Change:
    organization_id: str
    noun: Noun
    id: str
    """Of the document, or of the user whose inbox it is."""

    def as_text(self) -> str:
        return f"{self.organization_id} {self.noun} {self.id}"

    @classmethod
    def of_text(cls, text: str) -> Change | None:
        """The change that another process told of. None for a noun that a newer version has."""
        organization_id, noun, id = text.split(" ", 2)
        return next((cls(organization_id, known, id) for known in NOUNS if known == noun), None)

    def concerns(self, user_id: str) -> bool:
        return self.noun != "inbox" or self.id == user_id
