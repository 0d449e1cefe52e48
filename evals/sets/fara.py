"""Old scans of government forms."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "fara_forms",
    {
        "registrant_name": ("name", "The name of the registrant"),
        "form_type": ("name", "The type of the form"),
    },
    day_first=False,
    choices={
        "form_type": [
            "Amendment",
            "Dissemination Report",
            "Short-Form",
            "Registration Statement",
            "Exhibit AB",
            "Supplemental Statement",
        ]
    },
    only_printed=True,
    grouped_by=("form_type",),
)
