"""Non-disclosure agreements, in prose."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "contracts_nda",
    {
        "effective_date": ("date", "The date on which the agreement takes effect"),
        "jurisdiction": ("name", "The state or country whose law governs the agreement"),
        "party": ("name", "The names of the parties to the agreement"),
        "term": ("duration", "How long the agreement lasts, as a number and a unit"),
    },
    day_first=False,
    several=frozenset({"party"}),
    only_printed=True,
    complete=True,
)
