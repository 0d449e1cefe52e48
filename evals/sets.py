"""The sets of labelled documents: what is asked of each, and how its labels are compared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.judging import Kind, Labels

Asked = tuple[str, str]
"""Kind and description of a field."""


@dataclass(frozen=True)
class LabelledSet:
    """A folder of documents, the fields to ask for, and how dates are written."""

    folder: str
    properties: dict[str, Asked]
    """The fields. The table's columns are in `rows`."""
    day_first: bool = True
    rows: dict[str, Asked] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    several: frozenset[str] = frozenset()
    """Fields that have a list of values."""
    only_printed: bool = False
    """Whether labels that are not printed on the page are left out, because they came from elsewhere."""
    complete: bool = False
    """Whether a document does not have what it has no label for."""

    @property
    def schema(self) -> dict[str, Any]:
        properties = {name: self._part(name, *asked) for name, asked in self.properties.items()}
        if self.rows:
            rows = {name: schema_part(*asked) for name, asked in self.rows.items()}
            properties["lines"] = {
                "type": "array",
                "description": "The invoice's line items",
                "items": {"type": "object", "properties": rows, "required": list(rows)},
            }
        return {"type": "object", "properties": properties, "required": list(properties)}

    def labels(self, fields: Mapping[str, Any]) -> Labels:
        """Return the labels of one document that are asked for."""
        kinds = {name: kind for name, (kind, _) in self.properties.items()}
        kinds |= {f"lines.{name}": kind for name, (kind, _) in self.rows.items()}
        asked = {*self.properties, *(["lines"] if self.rows else [])}
        return Labels(
            {name: value for name, value in fields.items() if name in asked},
            complete=self.complete,
            kinds={path: Kind(kind) for path, kind in kinds.items()},
            day_first=self.day_first,
            only_printed=self.only_printed,
        )

    def _part(self, name: str, kind: str, description: str) -> dict[str, Any]:
        part = schema_part(kind, description)
        if name in self.choices:
            part["enum"] = [*self.choices[name], None]
        if name in self.several:
            return {"type": "array", "description": part.pop("description"), "items": {"type": "string"}}
        return part


def schema_part(kind: str, description: str) -> dict[str, Any]:
    """Return the part of a schema that asks for one value."""
    part: dict[str, Any] = {"type": ["number" if kind == Kind.AMOUNT else "string", "null"]}
    if kind == Kind.DATE:
        part["format"] = "date"
    return {**part, "description": description}


def labelled_rows(folder: Path) -> list[dict[str, Any]]:
    """Return what is known of each document of a folder."""
    return [json.loads(line) for line in (folder / "gt.jsonl").read_text().splitlines()]


SETS = (
    LabelledSet(
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
    ),
    LabelledSet(
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
    ),
    LabelledSet(
        "receipts_sroie",
        {
            "company": ("name", "The name of the company that issued the receipt"),
            "date": ("date", "The date of the receipt"),
            "address": ("name", "The address of the company"),
            "total": ("amount", "The total amount"),
        },
    ),
    LabelledSet(
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
    ),
    LabelledSet(
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
    ),
    LabelledSet(
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
    ),
)  # fmt: skip
