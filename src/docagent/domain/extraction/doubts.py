"""How sure the values of a result are, which of them are doubtful, and which results people look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.review import UNPROVEN, Reviewable, is_vouched_for, open_problems, places_in
from docagent.domain.field_path import FieldPath

USUAL_THRESHOLD = 0.92
"""A value of less confidence is doubtful, unless the prompt's policy says otherwise. On kinds of papers that
confidences were not fitted on, three of four wrong values are below it."""

_BY_MATCH = {"exact": 1.0, "normalised": 0.95, "fuzzy": 0.8, "several_candidates": 0.6, UNPROVEN: 0.0}
"""How sure a value is of which only the kind of match is stored."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A value with how sure it is, 0 to 1. What a person has changed or verified is sure."""

    path: FieldPath
    confidence: float
    problem: str | None = None
    """What breaks the schema, or is missing. Where there is no value at all, this is all there is."""
    match: str | None = None
    checked: bool = False
    """Whether a person has changed or verified it."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many values there are, each counted in one of three ways. A value that is missing counts as one to check."""

    sure: int = 0
    to_check: int = 0
    checked: int = 0

    @property
    def values(self) -> int:
        return self.sure + self.to_check + self.checked

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.sure + other.sure, self.to_check + other.to_check, self.checked + other.checked)


class Standing(StrEnum):
    """What people have said of a result as a whole."""

    OPEN = "open"
    VERIFIED = "verified"
    REJECTED = "rejected"
    AUTO = "auto"
    """Nobody has: it is sure enough to skip review, as an administrator allowed."""


class ReviewMode(StrEnum):
    """Which results of a prompt a person looks at."""

    EVERYTHING = "everything"
    DOUBTFUL = "doubtful"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    mode: ReviewMode = ReviewMode.NOTHING
    threshold: float = USUAL_THRESHOLD
    sample_percent: int = 0
    """How many of a hundred results without doubts are looked at too."""

    @property
    def told(self) -> ReviewPolicy:
        """Doubtful values are counted even where nothing is reviewed."""
        return replace(self, mode=ReviewMode.DOUBTFUL) if self.mode is ReviewMode.NOTHING else self


def judged(result: Reviewable) -> dict[FieldPath, Judged]:
    """Every value of a result by its path, and every problem that nobody has verified."""
    found: dict[FieldPath, Judged] = {}
    for path, place in places_in(result.grounding):
        checked = is_vouched_for(result, path)
        sure = 1.0 if checked else confidence_of(place)
        found[path] = Judged(path, sure, match=place["match"], checked=checked)
    for problem in open_problems(result):
        here = found.get(problem.path, Judged(problem.path, 0.0))
        found[problem.path] = replace(here, confidence=0.0, problem=here.problem or problem.message)
    return found


def doubts_of(result: Reviewable, threshold: float) -> list[Judged]:
    """The values that a person should look at."""
    return [one for one in judged(result).values() if one.confidence < threshold]


def tally_of(result: Reviewable, threshold: float = USUAL_THRESHOLD) -> Tally:
    """Count the values that are sure, those that a person should look at, and those that a person has checked."""
    counted = Counter(_kind(one, threshold) for one in judged(result).values())
    return Tally(**counted)


def _kind(one: Judged, threshold: float) -> str:
    if one.confidence < threshold:
        return "to_check"
    return "checked" if one.checked else "sure"


def certainty_of(result: Reviewable) -> float:
    """How sure the least sure value of a result is."""
    return min((one.confidence for one in judged(result).values()), default=1.0)


def unsure_of(result: Reviewable) -> dict[str, int]:
    """How many values there are of each confidence below 1, which is in percent and rounded down."""
    shares = [one.confidence for one in judged(result).values() if one.confidence < 1]
    return dict(Counter(str(int(round(share * 100, 6))) for share in shares))


def confidence_of(place: Mapping[str, Any]) -> float:
    """How sure a value is whose place this is."""
    stored = place.get("confidence")
    return float(stored) if isinstance(stored, int | float) else _BY_MATCH.get(place["match"], 0.0)
