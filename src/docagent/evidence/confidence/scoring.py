"""Makes one score of a value's signals: a weighted sum, squeezed between 0 and 1."""

from __future__ import annotations

import math
from collections.abc import Mapping

from docagent.domain.extraction.voices import Voices
from docagent.evidence.confidence.signals import Learnt, Signals

_MANY_RIVALS = 6
_MANY_WORDS = 8


def features(signals: Signals) -> dict[str, float]:
    """Return what is weighed, by name; what is not named is 0."""
    found = {
        "always": 1.0,
        f"match {signals.match}": 1.0,
        f"kind {signals.kind}": 1.0,
    }
    if signals.match == "unproven":
        found[f"reason {signals.reason}"] = 1.0
    else:
        found["label"] = signals.label
        found[f"label of a {signals.kind}"] = signals.label
        found["rivals"] = min(signals.rivals, _MANY_RIVALS) / _MANY_RIVALS
        found["words"] = min(signals.words, _MANY_WORDS) / _MANY_WORDS
    if signals.recognition is not None:
        found["recognised"] = 1.0
        found["unsure recognition"] = 1.0 - signals.recognition
    if signals.in_list:
        found["in a list"] = 1.0
    if signals.problem:
        found["problem"] = 1.0
    if signals.adds_up is not None:
        found["adds up" if signals.adds_up else "does not add up"] = 1.0
    found |= {f"voices {signals.voices}": 1.0} if signals.voices else {}
    return found | ({f"learnt {signals.learnt}": 1.0} if signals.learnt else {})


PRIOR_WEIGHTS = {
    "always": 2.5,
    "match unproven": -2.5,
    "match fuzzy": -1.0,
    "match several_candidates": -0.5,
    "label": 1.5,
    "unsure recognition": -1.0,
    "adds up": 1.0,
    f"voices {Voices.AGREE}": 1.5,
    f"voices {Voices.DIFFER}": -1.5,
    f"learnt {Learnt.AGREES}": 2.0,
    f"learnt {Learnt.DIFFERS}": -2.5,
    "problem": -2.0,
    "does not add up": -1.0,
}
"""What sense says. Fitting starts from these and is drawn back to them, as labelled data show few wrong values."""


def score(signals: Signals, weights: Mapping[str, float]) -> float:
    total = sum(weights.get(name, 0.0) * value for name, value in features(signals).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
