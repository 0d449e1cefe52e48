"""The two halves of the zoo and the dice that know them.

One half is for building: whoever writes rules or teaches a model may look at it. The other is for judging and is only
scored. The halves share some wordings and layouts, as papers of the world do, and each has others of its own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from evals.wordings import Half

_T = TypeVar("_T")


class Dice(random.Random):
    """Chance that is the same for the same half, purpose and seed."""

    def __new__(cls, *_: object) -> Dice:
        return super().__new__(cls)

    def __init__(self, half: Half, purpose: str, seed: int) -> None:
        super().__init__(f"{half} {purpose} {seed}")
        self.half = half

    def likely(self, probability: float) -> bool:
        return self.random() < probability

    def wording(self, options: Sequence[_T]) -> _T:
        """Pick one of what this half knows: the first, and every second of the others."""
        return self.choice(known(self.half, options))

    def layout(self, both: Sequence[_T], building: Sequence[_T] = (), judging: Sequence[_T] = ()) -> _T:
        """Pick a way to lay things out: one of both halves, or one that only this half knows."""
        own = building if self.half is Half.BUILDING else judging
        return self.choice([*both, *own])


def known(half: Half, options: Sequence[_T]) -> list[_T]:
    """Return the options that a half knows. Two options or fewer are known to both."""
    if len(options) <= 2:
        return list(options)
    first = 1 if half is Half.BUILDING else 2
    return [options[0], *options[first::2]]
