"""The proof of each value of a result, as programs read it: one entry for each value instead of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.review import UNPROVEN, Reviewable, is_vouched_for, open_problems, places_in
from docagent.domain.field_path import FieldPath

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom, as fractions of the page."""


class EvidenceState(StrEnum):
    PROVEN = "proven"
    """Its words stand on a page."""
    VERIFIED = "verified"
    """A person has verified it or wrote it."""
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class EvidenceWord:
    text: str
    page: int
    box: Edges


@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves a value. `box` is around those of its words that stand on `page`."""

    path: FieldPath
    value: Any
    state: EvidenceState
    confidence: float | None
    page: int | None
    box: Edges | None
    words: Sequence[EvidenceWord]


def evidence_of(result: Reviewable) -> list[Evidence]:
    """The proof of every value of a result that is not empty, in the order of the data."""
    return [_evidence(result, path, place) for path, place in places_in(result.grounding)]


def extracted_json(result: Reviewable) -> dict[str, Any]:
    """The data of a result with the proof of its values and what is wrong with it, as it is sent."""
    return {
        "data": result.data,
        "evidence": [{**asdict(one), "path": str(one.path)} for one in evidence_of(result)],
        "problems": [problem.as_json() for problem in open_problems(result)],
    }


def _evidence(result: Reviewable, path: FieldPath, place: dict[str, Any]) -> Evidence:
    state = EvidenceState.UNPROVEN if place["match"] == UNPROVEN else EvidenceState.PROVEN
    if is_vouched_for(result, path):
        state = EvidenceState.VERIFIED
    words = [EvidenceWord(word["text"], word["page"], tuple(word["box"])) for word in place["words"]]
    page = place.get("page")
    return Evidence(
        path, path.get(result.data), state, place.get("confidence"), page, _around(words, page), words
    )


def _around(words: Sequence[EvidenceWord], page: int | None) -> Edges | None:
    boxes = [word.box for word in words if word.page == page]
    if not boxes:
        return None
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
