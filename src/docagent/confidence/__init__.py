"""How sure a value is, as a number: signals make a score, and a table measured on labelled values makes it a chance.

Pure functions over stored results. `confidence.json` is the default calibration; `python -m evals.calibrate` makes it.
"""

from docagent.confidence.calibration import (
    Calibration,
    Knot,
    default_calibration,
    fit_table,
    straight_through,
)
from docagent.confidence.signals import Learnt, Signals, signals_of
from docagent.confidence.weighing import Known, Weighed, weighed, weighed_values

__all__ = [
    "Calibration",
    "Knot",
    "Known",
    "Learnt",
    "Signals",
    "Weighed",
    "default_calibration",
    "fit_table",
    "signals_of",
    "straight_through",
    "weighed",
    "weighed_values",
]
