"""A result beside the truth: values normalised by type, rows paired by best assignment."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from docagent.evidence.accuracy import Compared, compare, same
from docagent.evidence.accuracy.assignment import MOST_ROWS, best_pairs
from tests.support.tables import table


def by_path(found: list[Compared]) -> dict[str, bool]:
    return {str(one.path): one.right for one in found}


@table(
    ("truth", "given"),
    [("Acme  GmbH", "ACME GmbH"), (4, 4.0), (4.5, "4.50"), ("Müller", "MULLER"), (True, True)],
)
def test_the_same_after_normalising_by_type(truth: Any, given: Any) -> None:
    assert same(truth, given)


@table(("truth", "given"), [("A-1", "A-2"), (4, "four"), (True, "true"), (1, True), (0, None)])
def test_not_the_same(truth: Any, given: Any) -> None:
    assert not same(truth, given)


def test_absent_and_empty_are_the_same() -> None:
    assert compare({"a": None, "b": "", "c": [], "d": {}}, {"e": None}) == []


def test_what_was_missed_what_was_invented_and_what_is_nearly_right() -> None:
    found = {
        str(one.path): one
        for one in compare(
            {"a": 1, "name": "Northern Lights Trading"}, {"b": 2, "name": "Northern Light Trading"}
        )
    }
    assert (found["a"].truth, found["a"].given, found["a"].given_path) == (1, None, None)
    assert (found["b"].truth, found["b"].given) == (None, 2)
    assert (found["name"].right, found["name"].near) == (False, True)


def test_one_missing_row_makes_no_other_row_wrong() -> None:
    truth = {"lines": [{"item": "a", "price": 1}, {"item": "b", "price": 2}, {"item": "c", "price": 3}]}
    given = {"lines": [{"item": "c", "price": 3}, {"item": "b", "price": 9}]}
    found = compare(truth, given)
    assert by_path(found) == {
        "lines.0.item": False,
        "lines.0.price": False,
        "lines.1.item": True,
        "lines.1.price": False,
        "lines.2.item": True,
        "lines.2.price": True,
    }
    assert {str(one.path): str(one.given_path) for one in found}["lines.2.item"] == "lines.0.item"
    assert {one.field for one in found} == {"lines.item", "lines.price"}


def test_a_row_that_is_too_many_counts_as_given_without_being_true() -> None:
    extra = [one for one in compare({"lines": [{"a": 1}]}, {"lines": [{"a": 5}, {"a": 1}]}) if not one.right]
    assert [(str(one.path), one.truth, one.given) for one in extra] == [("lines.0.a", None, 5)]


def test_values_of_a_list_are_paired_in_any_order() -> None:
    assert by_path(compare({"p": ["x", "y"]}, {"p": ["y", "z"]})) == {"p.0": False, "p.1": True}


def test_the_best_assignment_is_best() -> None:
    dice = random.Random(3)
    for _ in range(30):
        rows, columns = dice.randint(1, 5), dice.randint(1, 5)
        worth = [[dice.choice([0, 0, 1, 2, 3.5]) for _ in range(columns)] for _ in range(rows)]
        pairs = best_pairs(worth, rows, columns)
        size = max(rows, columns)
        padded = [[worth[r][c] if r < rows and c < columns else 0 for c in range(size)] for r in range(size)]
        best = max(sum(padded[r][c] for r, c in enumerate(order)) for order in permutations(range(size)))
        assert sum(worth[r][c] for r, c in pairs) == pytest.approx(best)
        assert len({r for r, _ in pairs}) == len({c for _, c in pairs}) == len(pairs)


def test_very_long_tables_are_paired_in_their_order() -> None:
    rows = [{"n": number} for number in range(MOST_ROWS + 5)]
    assert all(one.right for one in compare({"lines": rows}, {"lines": rows}))
