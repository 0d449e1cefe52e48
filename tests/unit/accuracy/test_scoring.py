"""Counts of compared values, and the figures that are made of them."""

from __future__ import annotations

import pytest

from docagent.evidence.accuracy import Mark, Score, compare, mark_of, scores_of, total_of

TRUTH = {"name": "Acme Timber Company", "total": 90, "date": "2026-11-16", "rows": [{"a": 1}, {"a": 2}]}
GIVEN = {"name": "Acme Timber Compony", "total": 91, "date": None, "extra": "x", "rows": [{"a": 2}, {"a": 3}]}


def test_every_value_has_one_mark() -> None:
    marks = [(one.field, mark_of(one)) for one in compare(TRUTH, GIVEN)]
    assert marks == [
        ("name", Mark.NEAR),
        ("total", Mark.WRONG),
        ("date", Mark.MISSED),
        ("rows.a", Mark.MISSED),
        ("rows.a", Mark.RIGHT),
        ("rows.a", Mark.EXTRA),
        ("extra", Mark.EXTRA),
    ]
    scores = scores_of(marks)
    assert scores["rows.a"] == Score(right=1, missed=1, extra=1)
    assert total_of(scores.values()).compared == 7


def test_figures_come_from_counts() -> None:
    score = Score(right=6, near=1, wrong=1, missed=2, extra=1)
    assert score.precision == pytest.approx(6 / 9)
    assert score.recall == pytest.approx(6 / 10)
    assert score.f1 == pytest.approx(2 * (6 / 9) * (6 / 10) / (6 / 9 + 6 / 10))
    assert (Score().precision, Score().recall, Score().f1) == (None, None, None)
    assert (Score(missed=1).precision, Score(missed=1).recall, Score(missed=1).f1) == (None, 0.0, 0.0)
