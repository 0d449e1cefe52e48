"""How sure a value is: signals, the rising table, sums, and the tree that keeps it."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from docagent.domain.extraction.voices import Voices
from docagent.domain.field_path import FieldPath
from docagent.evidence.confidence import (
    Calibration,
    Knot,
    Known,
    Learnt,
    Signals,
    default_calibration,
    fit_table,
    straight_through,
    weighed,
    weighed_values,
)
from docagent.evidence.confidence.sums import sums_of
from tests.support.tables import table

PROVEN = Signals(match="exact", label=0.8)


def place(match: str = "exact", **signals: Any) -> dict[str, Any]:
    words = [] if match == "unproven" else [{"text": "x", "page": 1, "box": [0, 0, 1, 1]}]
    return {
        "match": match,
        "page": 1,
        "words": words,
        "candidates": 1,
        "alternatives": [],
        "signals": signals,
    }


@table(
    "worse",
    [
        replace(PROVEN, match="unproven", reason="not_found", label=0.0),
        replace(PROVEN, label=0.0),
        replace(PROVEN, problem=True),
        replace(PROVEN, voices=Voices.DIFFER),
        replace(PROVEN, learnt=Learnt.DIFFERS),
        replace(PROVEN, kind="number", adds_up=False),
    ],
)
def test_what_speaks_against_a_value_makes_it_less_sure(worse: Signals) -> None:
    calibration = default_calibration()
    assert calibration.score(worse) < calibration.score(replace(PROVEN, kind=worse.kind))
    assert calibration.confidence(worse) <= calibration.confidence(replace(PROVEN, kind=worse.kind))


@table("better", [replace(PROVEN, voices=Voices.AGREE), replace(PROVEN, learnt=Learnt.AGREES)])
def test_agreement_makes_a_value_more_sure(better: Signals) -> None:
    assert default_calibration().score(better) > default_calibration().score(PROVEN)


def test_the_table_rises_and_says_what_was_measured() -> None:
    dice = random.Random(1)
    scores = [dice.random() for _ in range(4000)]
    judged = [(score, dice.random() < score**2) for score in scores]
    table = fit_table(judged)
    assert all(low.score < high.score and low.right < high.right for low, high in pairwise(table))
    calibration = Calibration({}, table)
    for score in (0.2, 0.5, 0.9):
        assert calibration.chance(score) == pytest.approx(score**2, abs=0.08)


def test_nothing_is_ever_quite_sure() -> None:
    (knot,) = fit_table([(0.9, True)] * 30)
    assert 0.9 < knot.right < 1


def test_few_values_make_one_knot_and_none_make_no_table() -> None:
    assert len(fit_table([(number / 10, number % 2 == 0) for number in range(10)])) == 1
    assert fit_table([]) == ()
    assert Calibration({}, ()).chance(0.3) == 0.3


def test_beyond_the_table_its_ends_count() -> None:
    calibration = Calibration({}, (Knot(0.3, 0.2), Knot(0.7, 0.8)))
    assert [calibration.chance(score) for score in (0.0, 0.5, 1.0)] == [0.2, pytest.approx(0.5), 0.8]


def test_what_may_go_straight_through() -> None:
    judged = [(0.99, True)] * 60 + [(0.9, True)] * 39 + [(0.9, False)] + [(0.5, False)] * 100
    assert straight_through(judged, 0.99) == (0.5, 0.9)
    assert straight_through(judged, 1.0) == (0.3, 0.99)
    assert straight_through([(0.9, False)], 0.99) == (0.0, 1.0)
    assert straight_through([], 0.99) == (0.0, 1.0)


def test_sums_products_and_columns_come_out() -> None:
    data = {
        "net": 100.0,
        "tax": 19.0,
        "total": 119.0,
        "year": 2026,
        "lines": [
            {"quantity": 4, "price": 20.0, "amount": 80.0},
            {"quantity": 1, "price": 20.0, "amount": 20.0},
        ],
    }
    sums = {str(path): right for path, right in sums_of(data).items()}
    assert {name for name, right in sums.items() if right} >= {"net", "tax", "total", "lines.0.amount"}
    assert "lines.1.price" not in sums, "once a price is no check of the price"
    assert "year" not in sums
    assert sums_of({"total": 50.0, "lines": [{"amount": 20.0}, {"amount": 20.0}]}) == {
        FieldPath(("total",)): False,
        FieldPath(("lines", "amount")): False,
    }


@table("odd", [None, [], "text", {"a": True, "b": float("nan"), "c": 1, "d": 2}])
def test_what_has_no_sums_has_none(odd: Any) -> None:
    assert sums_of(odd) == {}


def test_every_value_of_a_tree_gets_a_confidence_and_keeps_its_place() -> None:
    data = {"number": "A-1", "empty": None, "lines": [{"price": 4.0}, {"price": None}]}
    tree: dict[str, Any] = {
        "number": place(label_agreement=0.9),
        "empty": None,
        "lines": [{"price": place("unproven", reason="not_found")}, {"price": None}],
    }
    known = Known(problems=[FieldPath(("lines", 0, "price"))], voices={FieldPath(("number",)): Voices.AGREE})
    full = weighed(tree, data, known, default_calibration())
    assert full["empty"] is None
    assert full["lines"][1] == {"price": None}
    assert 0 < full["lines"][0]["price"]["confidence"] < full["number"]["confidence"] < 1
    assert full["number"]["signals"] == {"label_agreement": 0.9, "voices": "agree"}
    assert full["lines"][0]["price"]["signals"]["problem"] is True
    assert "confidence" not in tree["number"], "what was given stays as it is"
    again = {str(one.path): one.signals for one in weighed_values(full, data)}
    assert again["number"].voices is Voices.AGREE
    assert again["lines.0.price"].problem


def test_a_result_of_an_older_version_can_be_weighed() -> None:
    old = {"total": {"match": "exact", "page": 1, "words": [], "candidates": 1}}
    assert 0 < weighed(old, {"total": 5}, Known(), default_calibration())["total"]["confidence"] < 1
    assert [one.signals.match for one in weighed_values(old, {"total": 5})] == ["exact"]
    assert list(weighed_values(old, {"total": {"now": "an object"}}))
    assert list(weighed_values(None, {})) == []
