"""The suite that judges confidences: whoever knows nothing must lose."""

from __future__ import annotations

import random

import pytest
from evals.suites.calibration import adversaries, calibration_error, figures, sharpness


@pytest.fixture
def honest() -> list[tuple[float, bool]]:
    dice = random.Random(5)
    confidences = [dice.choice([0.999, 0.999, 0.9, 0.6, 0.2]) for _ in range(2000)]
    return [(confidence, dice.random() < confidence) for confidence in confidences]


def test_honest_confidences_pass(honest: list[tuple[float, bool]]) -> None:
    scored = figures(honest)
    assert scored["calibration_error"] < 0.05
    assert scored["sharpness"] > 0.75
    assert scored["straight_through"] > 0.35


@pytest.mark.parametrize("name", ["constant", "always sure", "shuffled"])
def test_confidences_that_know_nothing_lose(name: str, honest: list[tuple[float, bool]]) -> None:
    liar = figures(adversaries(honest)[name])
    assert liar["sharpness"] < 0.55
    assert liar["straight_through"] < 0.05
    if name != "constant":
        assert liar["calibration_error"] > 0.1


def test_figures_of_no_values_and_of_one_kind() -> None:
    assert calibration_error([]) == 0
    assert sharpness([(0.9, True)]) == 1.0
