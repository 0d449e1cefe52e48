"""Turns scores into chances: of the values with 0.9, nine of ten are right."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from docagent.evidence.confidence.scoring import score, sort_and_voices
from docagent.evidence.confidence.signals import Signals

LEAST_IN_KNOT = 20
"""A knot of the table rests on at least so many values."""
MOST_IF_UNPROVEN = 0.5
"""What stands nowhere on the pages is never called likely: the model of the labelled data copies, others make up."""
_SURPRISES = 0.5
"""So many values are counted as wrong and as right in each knot besides its own: nothing is ever quite sure."""
_DEFAULT = Path(__file__).with_name("confidence.json")


@dataclass(frozen=True, slots=True)
class Knot:
    """Values with this score were right in this share of cases."""

    score: float
    right: float


@dataclass(frozen=True)
class Calibration:
    """Weights that make scores of signals, and a rising table that makes chances of scores."""

    weights: Mapping[str, float]
    table: tuple[Knot, ...]
    caps: Mapping[str, float] = field(default_factory=dict)
    """The most that a value may claim, by its sort and voices: what the best of such values were worth outside."""

    def score(self, signals: Signals) -> float:
        return score(signals, self.weights)

    def confidence(self, signals: Signals) -> float:
        """Return the chance that a value is right. What verified documents say of it is no single voice."""
        chance = self.chance(self.score(signals))
        if signals.match == "unproven":
            chance = min(chance, MOST_IF_UNPROVEN)
        if signals.learnt is None:
            chance = min(chance, self.caps.get(sort_and_voices(signals), 1.0))
        return round(chance, 3)

    def chance(self, score: float) -> float:
        """Return the chance of a score, on a line between the knots around it."""
        after = bisect_right(self.table, score, key=lambda knot: knot.score)
        if not self.table:
            return score
        if after == 0:
            return self.table[0].right
        if after == len(self.table):
            return self.table[-1].right
        low, high = self.table[after - 1], self.table[after]
        return low.right + (high.right - low.right) * (score - low.score) / (high.score - low.score)

    def with_table(self, table: Iterable[Knot]) -> Calibration:
        """Return it with a table of an organisation's own values, which tell what voices are worth there."""
        return Calibration(self.weights, tuple(table))

    @cached_property
    def made_with(self) -> str:
        """A name for the weights: scores, and tables of scores, mean nothing beside other weights."""
        return hashlib.sha256(json.dumps(sorted(self.weights.items())).encode()).hexdigest()[:12]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Calibration:
        return cls(stored["weights"], tuple(Knot(*pair) for pair in stored["table"]), stored["caps"])

    def as_json(self) -> dict[str, Any]:
        return {
            "weights": {name: round(weight, 3) for name, weight in sorted(self.weights.items())},
            "caps": {name: round(most, 3) for name, most in sorted(self.caps.items())},
            "table": [[round(knot.score, 4), round(knot.right, 4)] for knot in self.table],
        }


@cache
def default_calibration() -> Calibration:
    return Calibration.from_json(json.loads(_DEFAULT.read_text()))


def fit_table(judged: Iterable[tuple[float, bool]]) -> tuple[Knot, ...]:
    """Return a rising table from scores whose values are known to be right or wrong."""
    pools: list[tuple[float, int, int]] = []
    for scores, right, count in _groups(sorted(judged)):
        pools.append((scores, right, count))
        while len(pools) > 1 and _share(pools[-2]) >= _share(pools[-1]):
            last, before = pools.pop(), pools.pop()
            pools.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
    return tuple(Knot(pool[0] / pool[2], _share(pool)) for pool in pools)


def _groups(judged: Sequence[tuple[float, bool]]) -> Iterable[tuple[float, int, int]]:
    """Yield sums of scores and right values, and counts. Equal scores are never separated."""
    start = 0
    while start < len(judged):
        end = min(start + LEAST_IN_KNOT, len(judged))
        while end < len(judged) and (
            judged[end][0] == judged[end - 1][0] or len(judged) - end < LEAST_IN_KNOT
        ):
            end += 1
        part = judged[start:end]
        yield sum(score for score, _ in part), sum(right for _, right in part), len(part)
        start = end


def _share(pool: tuple[float, int, int]) -> float:
    return (pool[1] + _SURPRISES) / (pool[2] + 2 * _SURPRISES)


def straight_through(judged: Iterable[tuple[float, bool]], precision: float) -> tuple[float, float]:
    """Return how many values need no review at this precision, as a share, and from which confidence on.

    `judged` are confidences with whether their values are right. Equal confidences are treated alike.
    """
    ordered = sorted(judged, reverse=True)
    best, threshold, right = 0, 1.0, 0
    for number, (confidence, is_right) in enumerate(ordered, start=1):
        right += is_right
        last_of_equals = number == len(ordered) or ordered[number][0] < confidence
        if last_of_equals and right >= precision * number:
            best, threshold = number, confidence
    return (best / len(ordered) if ordered else 0.0), threshold
