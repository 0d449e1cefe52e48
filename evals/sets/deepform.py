"""Invoices, orders and contracts of television advertisements."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "adbuy_deepform",
    {
        "contract_num": (
            "code",
            "The document's own number: the invoice number on an invoice, else the contract or order number",
        ),
        "advertiser": ("name", "The name of the advertiser"),
        "gross_amount": ("amount", "The gross total"),
        "flight_from": ("date", "The first day of the flight dates"),
        "flight_to": ("date", "The last day of the flight dates"),
    },
    day_first=False,
)
