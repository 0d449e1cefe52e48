"""Makes the default calibration of confidences from labelled documents, and writes it into the package.

    python -m evals.calibrate --data FOLDER

It sees one half of each labelled set, and the building half of the zoo. The suite `calibration` judges by the other
half.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import docagent.evidence.confidence
from docagent.evidence.confidence import Calibration, fit_table
from docagent.evidence.confidence.scoring import PRIOR_WEIGHTS, features
from evals.suites.confidences import SEEN, ZOO, Judged, of_sets, of_zoo
from evals.wordings import Half

OUTPUT = Path(docagent.evidence.confidence.__file__).with_name("confidence.json")
ZOO_DOCUMENTS = 300
_STRENGTH = 10.0
"""How strongly weights are drawn to those that they start from."""
_ROUNDS = 30
_DOUBTS = frozenset({"rivals", "unsure recognition", "problem", "does not add up"})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.calibrate", description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the labelled data")
    folder = parser.parse_args().data / "documents"
    judged = [*of_sets(folder, SEEN, reworded=True), *of_zoo(Half.BUILDING, ZOO_DOCUMENTS)]
    OUTPUT.write_text(json.dumps(calibrate(judged).as_json(), indent=1) + "\n")
    print(f"{len(judged)} values; wrote {OUTPUT}")


def calibrate(judged: Sequence[Judged]) -> Calibration:
    """Fit weights, each set counting as much as any other, then the table, in which the zoo is no more than a set."""
    calibration = Calibration(fit_weights(judged), ())
    scores: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for one in judged:
        scores[one.set].append((calibration.score(one.signals), one.right))
    dice = random.Random(1)
    most = sum(len(values) for name, values in scores.items() if name != ZOO)
    made = scores.pop(ZOO, [])
    drawn = dice.sample(made, min(most // len(scores), len(made))) if scores else made
    return calibration.with_table(fit_table([*drawn, *(one for values in scores.values() for one in values)]))


def fit_weights(judged: Sequence[Judged]) -> dict[str, float]:
    """Fit by Newton's method. Weights of signals that nobody saw stay as they are to begin with."""
    rows = [features(one.signals) for one in judged]
    names = sorted({name for row in rows for name in row} | set(PRIOR_WEIGHTS))
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    right = np.array([float(one.right) for one in judged])
    sizes = Counter(one.set for one in judged)
    counts = np.array([len(judged) / len(sizes) / sizes[one.set] for one in judged])
    start = np.array([PRIOR_WEIGHTS.get(name, 0.0) for name in names])
    lowest, highest = np.array([_bounds(name) for name in names]).T
    weights = start.copy()
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (counts * (right - chance)) - _STRENGTH * (weights - start)
        curve = (matrix * (counts * chance * (1 - chance))[:, None]).T @ matrix + _STRENGTH * np.eye(
            len(names)
        )
        weights = np.clip(weights + np.linalg.solve(curve, slope), lowest, highest)
    return dict(zip(names, weights.tolist(), strict=True))


def _bounds(name: str) -> tuple[float, float]:
    """What sense allows a weight to be: the few wrong values of labelled data must not turn a doubt into a virtue."""
    if name == "match exact":
        return 0.0, 0.0
    if name.startswith(("match ", "reason ")) or name in _DOUBTS:
        return -np.inf, 0.0
    return (0.0, np.inf) if name.startswith("label") else (-np.inf, np.inf)


if __name__ == "__main__":
    main()
