"""Scores confidences: are nine of ten values with 0.9 right, and how many may go on unseen?

Families of papers are judged by a fit that did not see them (outside) and by that in the package, which did (inside).
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from docagent.domain.extraction.doubts import USUAL_THRESHOLD
from docagent.evidence.confidence import default_calibration, straight_through
from evals.calibrate import EVIDENCE, Fit, group_of, with_evidence
from evals.lessons import Taught, taught
from evals.matching import share
from evals.suite import Results

NAME = "calibration"
FOLDER = "documents"

PRECISION = 0.99
_SURE = 0.95
_MOST_BINS = 10
_LEAST_IN_BIN = 30
"""The error of a bin with fewer values is mostly chance."""

Confidences = Sequence[tuple[float, bool]]
"""Confidences, each with whether its value is right."""


def run(folder: Path) -> Results:
    """Return the figures of each set outside, of all together, and the error inside."""
    return outside(list(taught(folder.parent)))


def outside(papers: Sequence[Taught]) -> Results:
    fit = Fit(papers)
    sets: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    known: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    shipped = default_calibration()
    evidence = json.loads(EVIDENCE.read_text())
    for group in sorted({group_of(paper.family) for paper in papers}):
        calibration, weights = fit.calibration({group}), fit.weights({group})
        for paper in papers:
            if group_of(paper.family) != group:
                continue
            name = paper.family.split()[0]
            for one in paper.given:
                judged = calibration.confidence(with_evidence(one, weights)), one.right
                sets[name].append(judged)
                sets[f"{name} single" if one.features is not None else f"{name} rows"].append(judged)
                sets["together"].append(judged)
                known[name].append((shipped.confidence(with_evidence(one, evidence)), one.right))
    results: Results = {name: figures(found) for name, found in sorted(sets.items())}
    results |= {f"{name} inside": figures(found) for name, found in known.items()}
    return results


def print_outside(papers: Sequence[Taught]) -> None:
    for name, found in outside(papers).items():
        if isinstance(found, dict):
            print(f"{name:32}", *(f"{metric} {figure:.3f}" for metric, figure in found.items()))


def figures(judged: Confidences) -> dict[str, float]:
    went_on, threshold = straight_through(judged, PRECISION)
    sure = [right for confidence, right in judged if confidence >= _SURE]
    wrong = [confidence for confidence, right in judged if not right]
    return {
        "calibration_error": calibration_error(judged),
        "sharpness": sharpness(judged),
        "straight_through": went_on,
        "straight_from": threshold,
        "sure": share(len(sure), len(judged)),
        "sure_right": share(sum(sure), len(sure)),
        "wrong_shown": share(sum(confidence < USUAL_THRESHOLD for confidence in wrong), len(wrong)),
        "shown": share(sum(confidence < USUAL_THRESHOLD for confidence, _ in judged), len(judged)),
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
