"""Photographed receipts."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "receipts_sroie",
    {
        "company": ("name", "The name of the company that issued the receipt"),
        "date": ("date", "The date of the receipt"),
        "address": ("name", "The address of the company"),
        "total": ("amount", "The total amount"),
    },
    grouped_by=("company",),
)
