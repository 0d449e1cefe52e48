"""The fit of evidence and confidences: it finds what tells, heeds sense, and does not see what is left out."""

from __future__ import annotations

import random

import numpy as np
import pytest
from evals.calibrate import Fit, group_of, newton, with_evidence
from evals.lessons import Given, Lesson, Taught, pages_of_lines

from docagent.domain.extraction.voices import Voices
from docagent.evidence.confidence import Signals


def paper(family: str, *, label_lies: bool = False, tuned: bool = False, seed: int = 1) -> Taught:
    """Forty fields with a right and a wrong candidate; a caption beside the right one, or the wrong one."""
    dice = random.Random(f"{family} {seed}")
    lessons, given = [], []
    for number in range(40):
        for right in (True, False):
            labelled = (right != label_lies) if dice.random() < 0.9 else right == label_lies
            told = {"label": float(labelled), "rivals better": float(dice.random() < 0.5)}
            lessons.append(Lesson(f"f{number}", "as it is", told, right, right, open=False, absent=False))
            signals = Signals("exact", voices=Voices.ONLY_ONE)
            given.append(Given((f"f{number}",), signals, told, told, right))
    return Taught(family, f"{family} {seed}", tuned, lessons, given)


def test_the_fit_finds_what_tells() -> None:
    weights = Fit([paper("one"), paper("two")]).weights()
    assert weights["label"] > 1
    assert weights["rivals better"] <= 0


def test_sense_is_stronger_than_a_few_papers() -> None:
    """A caption never speaks against a value, whatever some papers say."""
    assert Fit([paper("one", label_lies=True)]).weights()["label"] == 0


def test_what_is_left_out_is_not_seen() -> None:
    others = [paper("one"), paper("two")]
    with_liar = Fit([*others, paper("liar", label_lies=True)])
    assert with_liar.weights({"liar"}) == pytest.approx(Fit(others).weights())
    assert with_liar.weights()["label"] < with_liar.weights({"liar"})["label"]
    assert with_liar.calibration({"liar"}).weights == pytest.approx(Fit(others).calibration().weights)


def test_confidence_is_what_such_values_were_worth_outside() -> None:
    papers = [paper(f"family {number}") for number in range(8)]
    fit = Fit(papers)
    calibration, weights = fit.calibration(), fit.weights()
    sure, unsure = (
        calibration.confidence(with_evidence(one, weights))
        for one in (papers[0].given[0], papers[0].given[1])
    )
    assert sure == pytest.approx(0.9, abs=0.08)
    assert unsure == pytest.approx(0.1, abs=0.08)
    assert max(calibration.caps.values()) <= 1


def test_families_of_one_kind_are_left_out_together() -> None:
    assert group_of("receipts_lines") == group_of("receipts_sroie")
    assert group_of("contracts_nda") == group_of("agreements")
    assert group_of("other_papers payslip") == group_of("other_papers payslip")
    assert group_of("zoo") != group_of("fara_forms")


def test_weights_of_what_nobody_saw_stay() -> None:
    matrix = np.array([[1.0, 0.0], [1.0, 0.0]])
    bounds = np.array([[-np.inf, np.inf]] * 2)
    found = newton(matrix, np.array([1.0, 1.0]), np.ones(2), np.array([0.0, 0.7]), bounds)
    assert found[1] == 0.7
    assert found[0] > 0


def test_lines_of_a_receipt_become_words() -> None:
    row = {
        "image_px": [400, 800],
        "lines": [{"quad": [40, 80, 240, 80, 240, 100, 40, 100], "text": "TOTAL 9.00"}],
    }
    (page,) = pages_of_lines(row)
    assert [word.text for word in page.words] == ["TOTAL", "9.00"]
    assert page.words[0].box.left == pytest.approx(0.1)
    assert page.words[1].box.right == pytest.approx(0.6)
