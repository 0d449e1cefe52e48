"""Invoices of many vendors. Some labels are constants that are not on the page."""

from __future__ import annotations

from evals.sets.labelled import LabelledSet

SET = LabelledSet(
    "invoices_invoice2data",
    {
        "issuer": ("name", "The name of the company that issued the invoice"),
        "invoice_number": ("code", "The number of the invoice"),
        "date": ("date", "The date of the invoice"),
        "date_due": ("date", "The date when payment is due"),
        "amount": ("amount", "The total with tax"),
        "amount_untaxed": ("amount", "The total without tax"),
        "amount_tax": ("amount", "The total of the tax"),
        "currency": ("code", "The currency of the invoice as an ISO code"),
        "iban": ("code", "The IBAN of the seller"),
        "bic": ("code", "The BIC of the seller's bank"),
        "vat": ("code", "The VAT number of the seller"),
        "telephone": ("code", "The telephone number of the seller"),
        "partner_email": ("name", "The email address of the seller"),
        "partner_website": ("name", "The website of the seller"),
    },
    only_printed=True,
    grouped_by=("issuer",),
)
