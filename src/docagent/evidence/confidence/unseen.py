"""Which values need no review at a target precision, measured on verified results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from docagent.evidence.confidence.calibration import straight_through

_RULE_OF_THREE = 3


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """A verified result: how sure the model was of each value, and whether a person found it right."""

    values: Sequence[tuple[float, bool]]
    certainty: float
    """Of the least sure value or problem, as the model left it."""
    is_whole: bool
    """Whether a person verified all of it, so that `errors` is known."""
    errors: int = 0
    """Values that are wrong, missing or too many."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part that needs no review, and how right it was. By default it is nothing."""

    share: float = 0.0
    threshold: float | None = None
    """From which confidence on."""
    precision: float | None = None


@dataclass(frozen=True, slots=True)
class Unseen:
    verified_values: int
    verified_documents: int
    needed: int
    """How many verified values it takes to say anything at this precision."""
    values: Share | None
    documents: Share | None
    """Documents whose least sure value is sure enough. The precision is that of all their values."""


def measure_unseen(judged: Sequence[JudgedDocument], precision: float) -> Unseen:
    """Measure values one by one, and whole documents. A share is None where too few values are verified."""
    needed = least_verified(precision)
    values = [pair for one in judged for pair in one.values]
    whole = [one for one in judged if one.is_whole]
    return Unseen(
        len(values),
        len(whole),
        needed,
        _values(values, precision, needed) if len(values) >= needed else None,
        _documents(whole, precision, needed) if sum(map(_weight, whole)) >= needed else None,
    )


def least_verified(precision: float) -> int:
    """How many values without an error it takes to believe in a precision: three times what it lets one be wrong in."""
    return math.ceil(round(_RULE_OF_THREE / (1 - precision), 6))


def _values(values: Sequence[tuple[float, bool]], precision: float, needed: int) -> Share:
    share, threshold = straight_through(values, precision)
    unseen = [right for confidence, right in values if confidence >= threshold]
    if not share or len(unseen) < needed:
        return Share()
    return Share(share, threshold, sum(unseen) / len(unseen))


def _documents(whole: Sequence[JudgedDocument], precision: float, needed: int) -> Share:
    """The most documents, from the surest on, whose values together reach the target precision."""
    ordered = sorted(whole, key=lambda one: one.certainty, reverse=True)
    best = Share()
    values = errors = 0
    for number, one in enumerate(ordered, start=1):
        values += _weight(one)
        errors += one.errors
        last_of_equals = number == len(ordered) or ordered[number].certainty < one.certainty
        right = values - errors
        if last_of_equals and values >= needed and right >= precision * values:
            best = Share(number / len(ordered), one.certainty, right / values)
    return best


def _weight(one: JudgedDocument) -> int:
    """How many values of a document can be right or wrong, those included that the model did not give."""
    return sum(right for _, right in one.values) + one.errors
