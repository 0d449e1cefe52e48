"""Compares a result with the truth. What is empty and what is absent are the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher
from typing import Any

from docagent.domain.field_path import ROOT, FieldPath
from docagent.evidence.accuracy.assignment import best_pairs
from docagent.reading.printed import fold

_NEAR = 0.9


@dataclass(frozen=True, slots=True)
class Compared:
    """A true value beside the one that was given for it. Either may be missing, not both."""

    path: FieldPath
    """Where it stands in the truth; where nothing is true, in what was given."""
    given_path: FieldPath | None
    """Where it stands in what was given."""
    truth: Any
    given: Any
    right: bool
    near: bool = False
    """Not the same, but a text that is nearly so."""

    @property
    def field(self) -> str:
        """The names on the way to it, without positions in lists."""
        return str(self.path.column)


def compare(truth: Any, given: Any) -> list[Compared]:
    """Compare every value. Lists are paired so that as many values as possible are right."""
    return list(_compared(truth, given, ROOT, ROOT))


def same(truth: Any, given: Any) -> bool:
    """Return whether two values are the same after normalising by type: numbers, and texts without case and spacing."""
    if isinstance(truth, bool) or isinstance(given, bool):
        return truth is given
    if isinstance(truth, int | float) or isinstance(given, int | float):
        left, right = _number(truth), _number(given)
        return left is not None and left == right
    return _plain(truth) == _plain(given)


def _compared(truth: Any, given: Any, path: FieldPath, given_path: FieldPath | None) -> Iterator[Compared]:
    if isinstance(truth, dict) or isinstance(given, dict):
        known = truth if isinstance(truth, dict) else {}
        found = given if isinstance(given, dict) else {}
        for name in dict.fromkeys((*known, *found)):
            below = None if given_path is None else given_path / name
            yield from _compared(known.get(name), found.get(name), path / name, below)
    elif isinstance(truth, list) or isinstance(given, list):
        rows = truth if isinstance(truth, list) else []
        yield from _lists(rows, given if isinstance(given, list) else [], path, given_path)
    elif not (_is_empty(truth) and _is_empty(given)):
        is_right = not _is_empty(truth) and not _is_empty(given) and same(truth, given)
        yield Compared(
            path,
            None if _is_empty(given) else given_path,
            None if _is_empty(truth) else truth,
            None if _is_empty(given) else given,
            is_right,
            not is_right and _is_near(truth, given),
        )


def _lists(
    truth: list[Any], given: list[Any], path: FieldPath, given_path: FieldPath | None
) -> Iterator[Compared]:
    worth = [[_worth(one, other) for other in given] for one in truth]
    partner = dict(best_pairs(worth, len(truth), len(given)))
    left_over = iter(sorted(set(range(len(given))) - set(partner.values())))
    for number, one in enumerate(truth):
        other = partner.get(number)
        if other is None and not isinstance(one, dict | list):
            other = next(left_over, None)
        below = None if given_path is None or other is None else given_path / other
        yield from _compared(one, None if other is None else given[other], path / number, below)
    for extra in left_over:
        below = None if given_path is None else given_path / extra
        yield from _compared(None, given[extra], path / extra, below)


def _worth(truth: Any, given: Any) -> float:
    """Return how many values of two items are the same; nearly the same counts a little."""
    return sum(1.0 if one.right else 0.3 if one.near else 0.0 for one in _compared(truth, given, ROOT, None))


def _is_near(truth: Any, given: Any) -> bool:
    if not isinstance(truth, str) or not isinstance(given, str):
        return False
    left, right = _plain(truth), _plain(given)
    if any(map(str.isdigit, left)) or abs(len(left) - len(right)) > 0.2 * max(len(left), len(right)):
        return False
    return SequenceMatcher(None, left, right, autojunk=False).ratio() >= _NEAR


def _plain(value: Any) -> str:
    return " ".join(fold(str(value)).split())


def _number(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value)).normalize()
    except InvalidOperation:
        return None


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})
