"""Invoices whose values are also in the XML that was taken out of them."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "invoices_zugferd",
    {
        "invoice_number": ("code", "The number of the invoice"),
        "issue_date": ("date", "The date of the invoice"),
        "seller_name": ("name", "The name of the seller"),
        "buyer_name": ("name", "The name of the buyer"),
        "currency": ("code", "The currency of the invoice as an ISO code"),
        "line_total": ("amount", "The sum of the line items, before charges and tax"),
        "tax_basis": ("amount", "The total without tax"),
        "tax_total": ("amount", "The total of the tax"),
        "grand_total": ("amount", "The total with tax"),
        "due_payable": ("amount", "The amount that is due for payment"),
        "iban": ("code", "The IBAN of the seller's bank account"),
    },
    rows={
        "name": ("name", "What was sold"),
        "quantity": ("amount", "How many were sold"),
        "unit_price": ("amount", "The net price of one"),
        "line_total": ("amount", "The net amount of the line"),
    },
    grouped_by=("seller_name",),
)
