"""How sure a value is, as a number: signals make a score, and a table measured on labelled values makes it a chance.

Pure functions over stored results. `confidence.json` is the default calibration; `python -m evals.calibrate` makes it.
"""

from docagent.evidence.confidence.calibration import (
    Calibration,
    Knot,
    default_calibration,
    fit_table,
    straight_through,
)
from docagent.evidence.confidence.signals import Learnt, Signals, signals_of
from docagent.evidence.confidence.unseen import JudgedDocument, Share, Unseen, least_verified, measure_unseen
from docagent.evidence.confidence.weighing import Known, Weighed, weighed, weighed_values

__all__ = [
    "Calibration",
    "JudgedDocument",
    "Knot",
    "Known",
    "Learnt",
    "Share",
    "Signals",
    "Unseen",
    "Weighed",
    "default_calibration",
    "fit_table",
    "least_verified",
    "measure_unseen",
    "signals_of",
    "straight_through",
    "weighed",
    "weighed_values",
]
