"""What is known of one value that speaks for it or against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.voices import Voices


class Learnt(StrEnum):
    """What verified documents of the same layout say of a value."""

    AGREES = "agrees"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of one value. What nobody looked at is None, and counts neither for nor against it."""

    match: str
    """How it was found on the pages: `exact`, `normalised`, `fuzzy`, `several_candidates` or `unproven`."""
    form: str = "exact"
    """How the words themselves match, even if several places are candidates."""
    recognition: float | None = None
    """The lowest recognition confidence of its words; None for words that did not have to be recognised."""
    label: float = 0.0
    """How much of the field's name stands beside or above it."""
    rivals: int = 0
    """How many other places could be meant."""
    reason: str | None = None
    """Why it is unproven."""
    in_list: bool = False
    kind: str = "text"
    """`number`, `date`, `flag`, `code` (one word with digits) or `text`."""
    words: int = 1
    """How many words it stands in."""
    adds_up: bool | None = None
    """Whether the sums that it is part of come out."""
    problem: bool = False
    """Whether it breaks the schema."""
    voices: Voices | None = None
    learnt: Learnt | None = None
    learnt_from: int = 0
    """How many verified documents say so. It is shown, and does not count."""
    is_cell: bool = False
    """Whether it is in a row of a table, and not by itself or in a plain list."""
    evidence: float | None = None
    """What the page speaks for it, on an open scale around 0, as the built-in model weighs it."""


def signals_of(
    place: Mapping[str, Any], value: Any, *, in_list: bool = False, is_cell: bool = False
) -> Signals:
    """Read the signals of a stored place. Places of older results lack some of them."""
    stored = place.get("signals") or {}
    return Signals(
        match=place["match"],
        form=stored.get("form", place["match"]),
        recognition=stored.get("confidence"),
        label=stored.get("label_agreement", 0.0),
        rivals=max(0, place.get("candidates", 1) - 1),
        reason=stored.get("reason"),
        in_list=in_list,
        kind=_kind(value),
        words=len(place["words"]),
        adds_up=stored.get("adds_up"),
        problem=bool(stored.get("problem")),
        voices=Voices(stored["voices"]) if stored.get("voices") else None,
        learnt=Learnt(stored["learnt"]) if stored.get("learnt") else None,
        learnt_from=stored.get("learnt_from", 0),
        is_cell=is_cell,
        evidence=stored.get("evidence"),
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    text = str(value)
    digits = sum(map(str.isdigit, text))
    if len(text) == 10 and digits == 8 and text[4] == text[7] == "-":
        return "date"
    return "code" if digits and len(text.split()) == 1 else "text"
