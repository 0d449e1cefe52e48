"""Counts of values that were compared, and the figures that are made of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from enum import StrEnum

from docagent.evidence.accuracy.comparing import Compared


class Mark(StrEnum):
    """How a value that was given stands beside the true one."""

    RIGHT = "right"
    NEAR = "near"
    """Not the same, but a text that is nearly so. It counts as wrong, and is counted separately."""
    WRONG = "wrong"
    MISSED = "missed"
    """There is a true value, and none was given."""
    EXTRA = "extra"
    """A value was given where there is none."""


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of values. Every figure is None where there is nothing to count."""

    right: int = 0
    near: int = 0
    wrong: int = 0
    missed: int = 0
    extra: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True)))

    @property
    def compared(self) -> int:
        return self.right + self.near + self.wrong + self.missed + self.extra

    @property
    def precision(self) -> float | None:
        """Of the values that were given, the share that is right."""
        return _share(self.right, self.compared - self.missed)

    @property
    def recall(self) -> float | None:
        """Of the true values, the share that was given."""
        return _share(self.right, self.compared - self.extra)

    @property
    def f1(self) -> float | None:
        given_and_true = 2 * self.compared - self.missed - self.extra
        return _share(2 * self.right, given_and_true)


def mark_of(one: Compared) -> Mark:
    if one.right:
        return Mark.RIGHT
    if one.given is None:
        return Mark.MISSED
    if one.truth is None:
        return Mark.EXTRA
    return Mark.NEAR if one.near else Mark.WRONG


def scores_of(marked: Iterable[tuple[str, Mark]]) -> dict[str, Score]:
    """The score of each field, from the marks of its values."""
    scores: dict[str, Score] = {}
    for field, mark in marked:
        scores[field] = scores.get(field, Score()) + Score(**{mark.value: 1})
    return scores


def total_of(scores: Iterable[Score]) -> Score:
    return sum(scores, Score())


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
