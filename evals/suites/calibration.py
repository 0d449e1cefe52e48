"""Scores confidences: are nine of ten values with 0.9 right, and how many may go on unseen?

Judged by the half of each labelled set that the default calibration never saw, and by the zoo's judging half.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from docagent.evidence.confidence import default_calibration, straight_through
from evals.calibrate import calibrate
from evals.groups import inside_and_outside
from evals.matching import share
from evals.suite import Results
from evals.suites.confidences import UNSEEN, Judged, of_sets, of_zoo
from evals.wordings import Half

NAME = "calibration"
FOLDER = "documents"

PRECISION = 0.99
ZOO_DOCUMENTS = 60
_MOST_BINS = 10
_LEAST_IN_BIN = 30
"""The error of a bin with fewer values is mostly chance."""

Confidences = Sequence[tuple[float, bool]]
"""Confidences, each with whether its value is right."""


def run(folder: Path) -> Results:
    """Return the figures of each set, and of all together."""
    sets: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    calibration = default_calibration()
    judged = [*of_sets(folder, UNSEEN), *of_zoo(Half.JUDGING, ZOO_DOCUMENTS)]
    for one in judged:
        for name in (one.set, "together"):
            sets[name].append((calibration.confidence(one.signals), one.right))
    return {"fitted": fitted(judged), **{name: figures(weighed) for name, weighed in sets.items()}}


def fitted(judged: Sequence[Judged]) -> dict[str, float]:
    """Return what calibrating is worth: on the sets that it was fitted on, and on each one that was left out."""
    inside, outside = inside_and_outside(
        judged,
        lambda one: one.set,
        calibrate,
        lambda calibration, one: (calibration.confidence(one.signals), one.right),
    )
    errors = calibration_error(inside), calibration_error(outside)
    return {
        "inside_calibration_error": errors[0],
        "outside_calibration_error": errors[1],
        "gap_calibration_error": errors[1] - errors[0],
        "inside_sharpness": sharpness(inside),
        "outside_sharpness": sharpness(outside),
    }


def figures(judged: Confidences) -> dict[str, float]:
    went_on, threshold = straight_through(judged, PRECISION)
    return {
        "calibration_error": calibration_error(judged),
        "sharpness": sharpness(judged),
        "straight_through": went_on,
        "straight_from": threshold,
        "right": share(sum(right for _, right in judged), len(judged)),
        "values": len(judged),
    }


def calibration_error(judged: Confidences) -> float:
    """Return how far confidences are from the shares of right values, on average over bins of about equal size."""
    ordered = sorted(judged, key=lambda one: one[0])
    bins = max(1, min(_MOST_BINS, len(ordered) // _LEAST_IN_BIN))
    error, start = 0.0, 0
    while start < len(ordered):
        end = min(start + -(-len(ordered) // bins), len(ordered))
        while end < len(ordered) and ordered[end][0] == ordered[end - 1][0]:
            end += 1
        part = ordered[start:end]
        error += abs(sum(confidence for confidence, _ in part) - sum(right for _, right in part))
        start = end
    return error / max(1, len(ordered))


def sharpness(judged: Confidences) -> float:
    """Return how often a right value has a higher confidence than a wrong one; 0.5 is as good as dice."""
    right = [confidence for confidence, is_right in judged if is_right]
    wrong = [confidence for confidence, is_right in judged if not is_right]
    if not right or not wrong:
        return 1.0
    above = sum((one > other) + 0.5 * (one == other) for one in right for other in wrong)
    return above / (len(right) * len(wrong))


def adversaries(judged: Confidences) -> dict[str, Confidences]:
    """Return confidences that know nothing. Each must lose: by its error, or by how little goes straight through."""
    rights = [right for _, right in judged]
    mean = share(sum(rights), len(rights))
    shuffled = [confidence for confidence, _ in judged]
    random.Random(1).shuffle(shuffled)
    return {
        "constant": [(mean, right) for right in rights],
        "always sure": [(1.0, right) for right in rights],
        "shuffled": list(zip(shuffled, rights, strict=True)),
    }
