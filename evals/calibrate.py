"""Fits what evidence is worth and how sure values are, from labelled papers, and writes both into the package.

    python -m evals.calibrate --data FOLDER              # writes evidence.json and confidence.json
    python -m evals.calibrate --data FOLDER --outside    # figures of families that the fit did not see, writes nothing

Two steps. Candidates of fields teach the worth of evidence (`builtin_model/values/evidence.json`). Values that were
given teach how that worth and the signals of their places make a chance (`evidence/confidence/confidence.json`); the
evidence of each is weighed by a fit that did not see its family, as it will be on the papers of users.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import docagent.builtin_model.values
import docagent.evidence.confidence
from docagent.domain.extraction.voices import Voices
from docagent.evidence.confidence import Calibration, Signals, fit_table
from docagent.evidence.confidence.scoring import PRIOR_WEIGHTS, SORTS, features, sort_and_voices
from evals.lessons import Given, Taught, taught

EVIDENCE = Path(docagent.builtin_model.values.__file__).with_name("evidence.json")
CONFIDENCE = Path(docagent.evidence.confidence.__file__).with_name("confidence.json")
_STRENGTH = 5.0
"""How strongly weights are drawn to those that they start from."""
_ROUNDS = 12
_ENOUGH = 1e-3
_OF_TUNED = 0.25
"""What a value counts for of papers that rules were written for: they are right there more often than elsewhere."""
_SURPRISES = 2.0
_UP = ("label", "network own", "network first", "network sure", "rules chose", "rules own", "type check")
_DOWN = ("network others", "network sure of another", "rules differ", "rivals want", "rivals better", "rivals twice",
         "rivals close", "place misread", "place none", "text is a label")  # fmt: skip
_DOUBTS = frozenset({"rivals", "unsure recognition", "problem", "does not add up"})

Array = NDArray[np.float64]
Weights = dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m evals.calibrate", description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, type=Path, help="folder with the labelled data")
    parser.add_argument("--outside", action="store_true", help="judge families by fits that did not see them")
    options = parser.parse_args()
    papers = list(taught(options.data))
    if options.outside:
        from evals.suites.calibration import print_outside  # noqa: PLC0415 - the suite fits as this command does

        print_outside(papers)
        return
    fit = Fit(papers)
    EVIDENCE.write_text(
        json.dumps({name: round(one, 3) for name, one in fit.weights().items()}, indent=1) + "\n"
    )
    CONFIDENCE.write_text(json.dumps(fit.calibration().as_json(), indent=1) + "\n")
    print(f"{len(papers)} papers, {len(fit.right)} candidates; wrote {EVIDENCE} and {CONFIDENCE}")


def group_of(family: str) -> str:
    """Return the group of families that are left out together, since they are of one kind."""
    first, *kind = family.split(" ", 1)
    if kind:
        return f"{first} {sum(map(ord, kind[0])) % 4}"
    if first.startswith(("receipts", "invoices")):
        return first.partition("_")[0]
    return "agreements" if first == "contracts_nda" else first


class Fit:
    """Fits with groups of families left out."""

    def __init__(self, papers: Sequence[Taught], *, without_features: str = "\0") -> None:
        self.papers = papers
        lessons = [(paper, lesson) for paper in papers for lesson in paper.lessons]
        rows = [
            {
                "always": 1.0,
                **{name: n for name, n in one.features.items() if not name.startswith(without_features)},
            }
            for _, one in lessons
        ]
        self.names = sorted({name for row in rows for name in row})
        self.matrix = _matrix(rows, self.names)
        self.right = np.array([float(one.right) for _, one in lessons])
        self._weight = np.array([one.weight for _, one in lessons])
        self._groups = np.array([group_of(paper.family) for paper, _ in lessons])
        self._families = np.array([paper.family for paper, _ in lessons])
        self._known: dict[frozenset[str], Weights] = {}

    def weights(self, without: Collection[str] = ()) -> Weights:
        """Return the worth of evidence, as fitted without some groups."""
        key = frozenset(without)
        if key not in self._known:
            kept = ~np.isin(self._groups, list(without))
            counts = self._weight[kept] * _balance(self._families[kept].tolist())
            bounds = np.array([_bounds_of_evidence(name) for name in self.names])
            start = np.zeros(len(self.names))
            found = newton(self.matrix[kept], self.right[kept], counts, start, bounds)
            self._known[key] = dict(zip(self.names, found.tolist(), strict=True))
        return self._known[key]

    def values(self, without: Collection[str] = ()) -> list[tuple[Taught, Given, Signals]]:
        """Return the given values with the evidence that a fit finds in which their own group is left out too."""
        found = []
        for paper in self.papers:
            group = group_of(paper.family)
            if group in without or not paper.given:
                continue
            weights = self.weights({*without, group})
            found += [(paper, one, with_evidence(one, weights)) for one in paper.given]
        return found

    def calibration(self, without: Collection[str] = ()) -> Calibration:
        """Fit weights of signals, then the table of chances, then what each voice may claim at most."""
        values = self.values(without)
        rows, rights, families, tuned = [], [], [], []
        for paper, one, signals in values:
            seen = (
                [signals] if one.features is None else [signals, replace(signals, evidence=None, voices=None)]
            )
            for each in seen:
                rows.append(features(each))
                rights.append(float(one.right))
                families.append(paper.family)
                tuned.append(_OF_TUNED if paper.tuned else 1.0)
        names = sorted({name for row in rows for name in row} | set(PRIOR_WEIGHTS))
        start = np.array([PRIOR_WEIGHTS.get(name, 0.0) for name in names])
        bounds = np.array([_bounds(name.split(" ", 1)[1]) for name in names])
        counts = np.array(tuned) * _balance(families)
        found = newton(_matrix(rows, names), np.array(rights), counts, start, bounds)
        fitted = Calibration(dict(zip(names, found.tolist(), strict=True)), ())
        honest = [(signals, one.right) for paper, one, signals in values if not paper.tuned]
        fitted = fitted.with_table(fit_table((fitted.score(signals), right) for signals, right in honest))
        return replace(fitted, caps=_caps(fitted, honest))


def with_evidence(one: Given, weights: Mapping[str, float], *, page_alone: bool = False) -> Signals:
    """Return a value's signals with the evidence as some weights have it."""
    told = one.page_features if page_alone else one.features
    if told is None:
        return one.signals
    worth = weights.get("always", 0.0) + sum(weights.get(name, 0.0) * number for name, number in told.items())
    return replace(one.signals, evidence=worth, voices=None if page_alone else one.signals.voices)


def newton(matrix: Array, right: Array, counts: Array, start: Array, bounds: Array) -> Array:
    """Fit a logistic model by Newton's method. Weights of what nobody saw stay as they are to begin with."""
    weights = start.copy()
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        slope = matrix.T @ (counts * (right - chance)) - _STRENGTH * (weights - start)
        curve = (matrix * (counts * chance * (1 - chance))[:, None]).T @ matrix + _STRENGTH * np.eye(
            len(start)
        )
        moved = np.clip(weights + np.linalg.solve(curve, slope), bounds[:, 0], bounds[:, 1])
        step, weights = float(np.abs(moved - weights).max()), moved
        if step < _ENOUGH:
            break
    return weights


def _caps(fitted: Calibration, honest: Sequence[tuple[Signals, bool]]) -> dict[str, float]:
    """Return what the surest third of the values of each sort was worth, by what voices said of them.

    A model that was not heard here is one voice alone.
    """
    by_voices: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for signals, right in honest:
        by_voices[sort_and_voices(signals)].append((fitted.confidence(signals), right))
    caps = {}
    for voices, judged in by_voices.items():
        best = sorted(judged, key=lambda one: -one[0])[: max(1, len(judged) // 3)]
        caps[voices] = (sum(right for _, right in best) + _SURPRISES / 2) / (len(best) + _SURPRISES)
    alone = {sort: caps.get(f"{sort} {Voices.ONLY_ONE}", 1.0) for sort in SORTS}
    return caps | {f"{sort} unheard": most for sort, most in {**alone, "single": alone["judged"]}.items()}


def _matrix(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> Array:
    places = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for number, row in enumerate(rows):
        for name, value in row.items():
            if name in places:
                matrix[number, places[name]] = value
    return matrix


def _balance(families: Sequence[str]) -> Array:
    """Return weights by which large families count more than small ones, but not as much more as they are larger."""
    sizes = Counter(families)
    return np.array([(len(families) / len(sizes) / sizes[one]) ** 0.5 for one in families])


def _bounds_of_evidence(name: str) -> tuple[float, float]:
    """What sense allows a weight to be: wrong values of some papers must not turn a doubt into a virtue."""
    name = name.removeprefix("silent ")
    if name.startswith(_DOWN):
        return -np.inf, 0.0
    return (0.0, np.inf) if name.startswith(_UP) else (-np.inf, np.inf)


def _bounds(name: str) -> tuple[float, float]:
    if name == "match exact":
        return 0.0, 0.0
    if name.startswith(("match ", "reason ")) or name in _DOUBTS:
        return -np.inf, 0.0
    return (0.0, np.inf) if name in ("label", "evidence", "adds up") else (-np.inf, np.inf)


if __name__ == "__main__":
    main()
