"""What is known of a value's place on the pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from docagent.domain.documents.text import Box, WordSource


class MatchKind(StrEnum):
    """How sure it is that the value is printed at the place of its grounding."""

    EXACT = "exact"
    """The words spell the value, letter for letter."""
    NORMALISED = "normalised"
    """The same value in another form: case, separators, a date's format, the order of a name."""
    FUZZY = "fuzzy"
    """Nearly the same: recognition errors, or words that stand apart."""
    SEVERAL = "several_candidates"
    """The value is printed in several places, and nothing tells which one is meant. The first is given."""
    UNPROVEN = "unproven"
    """The value was not found."""


class Reason(StrEnum):
    """Why a value is unproven or its place uncertain."""

    NOT_FOUND = "not_found"
    CONTRADICTED = "contradicted"
    """The check box with this label has the other state."""
    NO_LABEL = "no_label"
    """The value is a yes or no, and its label is not on the page."""
    EQUAL_CANDIDATES = "equal_candidates"
    HIDDEN = "hidden"
    """The value stands only in text that nobody sees on the page. The alternatives tell where."""
    MODEL = "seen_by_model"
    """Only a model that saw the page reads the value there. The alternatives tell where."""


@dataclass(frozen=True, slots=True)
class GroundedWord:
    """One word of the evidence, with its box on the page as shown."""

    text: str
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Place:
    """One place where the value may stand: words in the order of reading."""

    page: int
    words: tuple[GroundedWord, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for the place besides the kind of match."""

    form: MatchKind = MatchKind.UNPROVEN
    """How the words themselves match, even if several places are candidates."""
    sources: tuple[WordSource, ...] = ()
    confidence: float | None = None
    """The lowest recognition confidence of the words, 0..1; None for text layers and form fields."""
    label_agreement: float = 0.0
    """How much of the field's name stands beside or above the value, 0..1."""
    reason: Reason | None = None
    pointed: bool = False
    """A person pointed at these words on the page."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """Where one value of a result stands. `page`, `words` and `boxes` are empty if the value is unproven."""

    match: MatchKind
    words: tuple[GroundedWord, ...] = ()
    candidates: int = 0
    alternatives: tuple[Place, ...] = ()
    signals: Signals = field(default_factory=Signals)

    @property
    def page(self) -> int | None:
        return self.words[0].page if self.words else None

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(word.box for word in self.words)

    @property
    def located(self) -> bool:
        return self.match is not MatchKind.UNPROVEN


GroundingTree: TypeAlias = "Grounding | dict[str, GroundingTree] | list[GroundingTree] | None"
"""A tree of the same shape as the data: a grounding for each value, None for null and blank text."""


def as_json(tree: GroundingTree) -> Any:
    """Return the tree in the form in which it is stored and sent."""
    if isinstance(tree, dict):
        return {name: as_json(branch) for name, branch in tree.items()}
    if isinstance(tree, list):
        return [as_json(branch) for branch in tree]
    return None if tree is None else _grounding_json(tree)


def _grounding_json(grounding: Grounding) -> dict[str, Any]:
    signals = grounding.signals
    return {
        "match": grounding.match.value,
        "page": grounding.page,
        "words": [_word_json(word) for word in grounding.words],
        "candidates": grounding.candidates,
        "alternatives": [
            {"page": place.page, "words": [_word_json(word) for word in place.words]}
            for place in grounding.alternatives
        ],
        "signals": {
            "form": signals.form.value,
            "sources": [source.value for source in signals.sources],
            "confidence": signals.confidence,
            "label_agreement": round(signals.label_agreement, 3),
            "reason": signals.reason and signals.reason.value,
            **({"pointed": True} if signals.pointed else {}),
        },
    }


def _word_json(word: GroundedWord) -> dict[str, Any]:
    return {"text": word.text, "page": word.page, "box": list(word.box.rounded(5))}
