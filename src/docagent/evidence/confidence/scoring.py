"""Makes one score of a value's signals: a weighted sum, squeezed between 0 and 1.

Values of four sorts are weighed apart: `judged` ones, of which the built-in model knows the evidence on the page, other
`single` ones, cells of tables (`cell`) and items of lists (`item`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from docagent.domain.extraction.voices import Voices
from docagent.evidence.confidence.signals import Learnt, Signals

SORTS = ("judged", "single", "cell", "item")
_MANY_RIVALS = 6
_MANY_WORDS = 8
_MOST_EVIDENCE = 6.0


def sort_of(signals: Signals) -> str:
    if signals.in_list:
        return "cell" if signals.is_cell else "item"
    return "single" if signals.evidence is None else "judged"


def sort_and_voices(signals: Signals) -> str:
    """Return by which name the most is known that such a value may claim."""
    return f"{sort_of(signals)} {signals.voices or 'unheard'}"


def features(signals: Signals) -> dict[str, float]:
    """Return what is weighed, by name, of which the first word is the sort; what is not named is 0."""
    found = {"always": 1.0, f"match {signals.match}": 1.0, f"kind {signals.kind}": 1.0}
    if signals.evidence is not None:
        found["evidence"] = max(-_MOST_EVIDENCE, min(_MOST_EVIDENCE, signals.evidence))
    if signals.match == "unproven":
        found[f"reason {signals.reason}"] = 1.0
    else:
        found["label"] = signals.label
        found["rivals"] = min(signals.rivals, _MANY_RIVALS) / _MANY_RIVALS
        found["words"] = min(signals.words, _MANY_WORDS) / _MANY_WORDS
    if signals.recognition is not None:
        found["recognised"] = 1.0
        found["unsure recognition"] = 1.0 - signals.recognition
    if signals.problem:
        found["problem"] = 1.0
    if signals.adds_up is not None:
        found["adds up" if signals.adds_up else "does not add up"] = 1.0
    found |= {f"voices {signals.voices}": 1.0} if signals.voices else {}
    found |= {f"learnt {signals.learnt}": 1.0} if signals.learnt else {}
    sort = sort_of(signals)
    return {f"{sort} {name}": value for name, value in found.items()}


_SENSE = {
    "match unproven": -2.5,
    "match fuzzy": -1.0,
    "match several_candidates": -0.5,
    "label": 1.5,
    "unsure recognition": -1.0,
    "adds up": 1.0,
    f"voices {Voices.AGREE}": 1.0,
    f"voices {Voices.DIFFER}": -1.5,
    f"learnt {Learnt.AGREES}": 2.0,
    f"learnt {Learnt.DIFFERS}": -2.5,
    "problem": -2.0,
    "does not add up": -1.0,
}
_SENSE_BESIDE_EVIDENCE = {
    "label": 0.3,
    f"voices {Voices.AGREE}": 0.3,
    f"voices {Voices.DIFFER}": -0.3,
    "evidence": 1.0,
}
PRIOR_WEIGHTS = {
    **{f"{sort} {name}": weight for sort in SORTS for name, weight in {"always": 1.0, **_SENSE}.items()},
    **{f"judged {name}": weight for name, weight in {"always": 0.0, **_SENSE_BESIDE_EVIDENCE}.items()},
}
"""What sense says. Fitting starts from these and is drawn back to them, as labelled data show few wrong values."""


def score(signals: Signals, weights: Mapping[str, float]) -> float:
    total = sum(weights.get(name, 0.0) * value for name, value in features(signals).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
