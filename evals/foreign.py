"""Fields of other sets' schemas that no document of a set has. Whatever is given for one is made up."""

from __future__ import annotations

from typing import Any

from evals.sets import schema_part

COUNT = 20
_INVOICES = ("invoices_zugferd", "invoices_invoice2data")
_TRADE = (*_INVOICES, "adbuy_deepform", "receipts_sroie")
_PROSE = ("contracts_nda", "extract_bench")
_FIELDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "diluted_eps": ("amount", "Diluted earnings per share", ("extract_bench",)),
    "goodwill": ("amount", "Goodwill on the balance sheet", ("extract_bench",)),
    "retained_earnings": ("amount", "Retained earnings on the balance sheet", ("extract_bench",)),
    "restructuring_charge": ("amount", "Restructuring charges of the period", ("extract_bench",)),
    "operating_cash_flow": ("amount", "Net cash from operating activities", ("extract_bench",)),
    "administrative_agent": ("name", "The bank that administers the credit facilities", ("extract_bench",)),
    "lead_arranger": ("name", "The bank that arranged the credit", ("extract_bench",)),
    "maturity_date": ("date", "The date by which all principal must be repaid", _PROSE),
    "venue": ("name", "The conference or journal that published the paper", ("extract_bench",)),
    "abstract": ("name", "The summary of the research paper", ("extract_bench",)),
    "institution": ("name", "The university at which the applicant studied", ("extract_bench",)),
    "qualification_title": ("name", "The degree that the applicant earned", ("extract_bench",)),
    "athlete": ("name", "The name of the swimmer", ("extract_bench",)),
    "year_of_birth": ("amount", "The year in which the athlete was born", ("extract_bench", "fara_forms")),
    "swimming_stroke": ("name", "The swimming style of the race", ("extract_bench",)),
    "royalties": ("amount", "Royalties paid to the recipient of the tax form", _PROSE),
    "federal_income_tax_withheld": ("amount", "Federal income tax withheld", _PROSE),
    "excess_golden_parachute_payments": ("amount", "Excess golden parachute payments", _PROSE),
    "recipient_tin": ("code", "The tax number of the recipient", (*_INVOICES, "extract_bench")),
    "registrant_name": ("name", "The name of the registrant", ("fara_forms", "extract_bench")),
    "flight_from": ("date", "The first day of the flight dates", ("adbuy_deepform",)),
    "flight_to": ("date", "The last day of the flight dates", ("adbuy_deepform",)),
    "advertiser": ("name", "The name of the advertiser", ("adbuy_deepform",)),
    "iban": ("code", "The IBAN of the seller's bank account", _TRADE),
    "bic": ("code", "The BIC of the seller's bank", _TRADE),
    "vat_number": ("code", "The VAT number of the seller", _TRADE),
    "line_total": ("amount", "The sum of the line items, before charges and tax", _TRADE),
    "unit_price": ("amount", "The net price of one", _TRADE),
    "date_due": ("date", "The date when payment of the invoice is due", _TRADE),
    "receipt_total": ("amount", "The total amount of the receipt", _TRADE),
    "cashier": ("name", "The cashier who printed the receipt", _TRADE),
    "booking_id": ("code", "The hotel's number of the booking", _TRADE),
    "delivery_note_number": ("code", "The number of the delivery note", _TRADE),
    "siren": ("code", "The French company number of the supplier", _TRADE),
    "buyer_reference": ("code", "The buyer's order number on the invoice", _TRADE),
    "incoterm": ("code", "The Incoterm of the delivery", _TRADE),
    "gstin": ("code", "The Indian tax number of the supplier", _TRADE),
    "mandate_id": ("code", "The SEPA mandate of the direct debit", _TRADE),
    "date_check_in": ("date", "The day on which the guest arrives at the hotel", _TRADE),
    "date_check_out": ("date", "The day on which the guest leaves the hotel", _TRADE),
}
"""Kind and description of each field, and the sets whose documents may have it."""


def foreign_fields(name: str) -> list[str]:
    """Return the fields to ask of every document of a set."""
    return [field for field, (_, _, sets) in _FIELDS.items() if name not in sets][:COUNT]


def foreign_schema(name: str) -> dict[str, Any]:
    properties = {field: schema_part(*_FIELDS[field][:2]) for field in foreign_fields(name)}
    return {"type": "object", "properties": properties, "required": list(properties)}
