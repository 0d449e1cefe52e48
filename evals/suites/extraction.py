"""Fills schemas from labelled documents and counts right, wrong, missing and invented values for each set.

Any model behind the port can be scored; the built-in one is the default.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.domain.llm import DocumentPart, Message, Model, ModelReply, ModelRequest, OutputSchema, TextPart
from docagent.domain.text import Page
from docagent.printed import PrintedDate, Style, find_dates, find_numbers
from evals.matching import normalise, share, similarity
from evals.reading import read
from evals.suite import Results

NAME = "extraction"
FOLDER = "documents"
TAKES_MODEL = True

INSTRUCTION = "Fill the schema from the document. Use null for what the document does not say."
_ALIKE = 0.8


@dataclass(frozen=True)
class LabelledSet:
    """A folder of documents, the fields to ask for, and how dates are written."""

    folder: str
    properties: dict[str, tuple[str, str]]
    """Kind and description of each field. The table's columns are in `rows`."""
    day_first: bool = True
    rows: dict[str, tuple[str, str]] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    only_printed: bool = False
    """Whether labels that are not printed on the page are left out, because they came from elsewhere."""

    @property
    def schema(self) -> dict[str, Any]:
        properties = {name: self._part(name, *asked) for name, asked in self.properties.items()}
        if self.rows:
            rows = {name: self._part(name, *asked) for name, asked in self.rows.items()}
            properties["lines"] = {
                "type": "array",
                "description": "The invoice's line items",
                "items": {"type": "object", "properties": rows, "required": list(rows)},
            }
        return {"type": "object", "properties": properties, "required": list(properties)}

    def _part(self, name: str, kind: str, description: str) -> dict[str, Any]:
        part: dict[str, Any] = {"type": ["number" if kind == "amount" else "string", "null"]}
        if kind == "date":
            part["format"] = "date"
        if name in self.choices:
            part["enum"] = [*self.choices[name], None]
        return {**part, "description": description}


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
)  # fmt: skip


@dataclass(frozen=True)
class Comparison:
    """One field of one document: the value wanted beside the value given."""

    field: str
    wanted: Any
    given: Any
    right: bool
    invented: bool


@dataclass
class Tally:
    """Counts over several documents."""

    documents: int = 0
    right: int = 0
    given: int = 0
    wanted: int = 0
    invented: int = 0

    def add(self, compared: Comparison) -> None:
        self.right += compared.right
        self.given += compared.given is not None
        self.wanted += compared.wanted is not None
        self.invented += compared.invented

    @property
    def precision(self) -> float:
        return share(self.right, self.given)

    @property
    def recall(self) -> float:
        return share(self.right, self.wanted)

    @property
    def f1(self) -> float:
        return share(2 * self.right, self.given + self.wanted)

    @property
    def invented_share(self) -> float:
        return share(self.invented, self.given)


def run(folder: Path, model: Model | None = None) -> Results:
    """Return, for each set, micro-F1 over all fields, the share of invented values, and the documents."""
    results: Results = {}
    for labelled in SETS:
        if not (folder / labelled.folder).is_dir():
            continue
        tally = Tally()
        by_field: dict[str, Tally] = {}
        for row in labelled_rows(folder / labelled.folder):
            reading = read(folder / labelled.folder / row["file"])
            got = answer(reading.pages, row["file"], labelled.schema, model)
            tally.documents += 1
            for compared in compare(labelled, row["fields"], got, reading.text):
                tally.add(compared)
                by_field.setdefault(column_of(compared.field), Tally()).add(compared)
        results[labelled.folder] = {
            "f1": tally.f1,
            "invented": tally.invented_share,
            "documents": tally.documents,
            **{f"{name}_f1": counts.f1 for name, counts in by_field.items()},
        }
    return results


def labelled_rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "gt.jsonl").read_text().splitlines()]


def column_of(name: str) -> str:
    return re.sub(r"\[\d+\]", "", name)


def answer(
    pages: Sequence[Page], name: str, schema: dict[str, Any], model: Model | None = None
) -> dict[str, Any]:
    """Return the model's answer for one document. A reply that is not a JSON object counts as empty."""
    request = ModelRequest(
        "docagent-offline",
        (Message("user", (DocumentPart(name, pages), TextPart(INSTRUCTION))),),
        output=OutputSchema("extraction", schema),
    )
    text = asyncio.run(_ask(model or BuiltinModel(), request))
    try:
        given = json.loads(text)
    except json.JSONDecodeError:
        return {}
    return given if isinstance(given, dict) else {}


async def _ask(model: Model, request: ModelRequest) -> str:
    async with aclosing(model.stream(request)) as events:
        async for event in events:
            if isinstance(event, ModelReply):
                return event.text
    return ""


def compare(
    labelled: LabelledSet, wanted: dict[str, Any], given: dict[str, Any], text: str
) -> Iterator[Comparison]:
    """Compare every labelled field with the value given. Fields without a label are left out."""
    page = Printed(text, labelled.day_first)
    for name, (kind, _) in labelled.properties.items():
        if name in wanted and not (labelled.only_printed and not page.has(wanted[name], kind)):
            yield _compared(name, kind, wanted[name], given.get(name), page)
    if labelled.rows and "lines" in wanted:
        yield from compare_rows(labelled, wanted["lines"], given.get("lines") or [], page)


def compare_rows(
    labelled: LabelledSet, wanted: list[dict[str, Any]], given: list[dict[str, Any]], page: Printed
) -> Iterator[Comparison]:
    """Compare rows in order. An extra row is wrong in every cell; a missing row misses every cell."""
    for index in range(max(len(wanted), len(given))):
        want = wanted[index] if index < len(wanted) else {}
        got = given[index] if index < len(given) else {}
        for name, (kind, _) in labelled.rows.items():
            yield _compared(f"lines[{index}].{name}", kind, want.get(name), got.get(name), page)


def _compared(name: str, kind: str, wanted: Any, given: Any, page: Printed) -> Comparison:
    right = wanted is not None and given is not None and page.same(wanted, given, kind)
    invented = given is not None and (wanted is None or not page.has(given, kind))
    return Comparison(name, wanted, given, right, invented)


class Printed:
    """What is printed in a document, and whether two values of a kind are the same."""

    def __init__(self, text: str, day_first: bool) -> None:
        self._day_first = day_first
        self._letters = _letters(text)
        self._text = text
        self._dates = {found.day for found in _dates(text.replace("\n", " "), day_first)}
        self._amounts = {
            abs(found.value)
            for comma in (True, False)
            for found in find_numbers(text.replace("\n", "  "), Style(decimal_comma=comma))
            if not found.percent
        }

    def has(self, value: Any, kind: str) -> bool:
        """Return whether the value is printed, as it is or in another form. None always counts as printed."""
        if value is None:
            return True
        if kind == "amount":
            amount = _amount(value)
            return amount is not None and abs(amount) in self._amounts
        if kind == "date":
            day = _date(value, self._day_first)
            return day is not None and day in self._dates
        if kind == "code" and str(value) in _CURRENCY_SIGNS:
            return any(sign in self._text for sign in _CURRENCY_SIGNS[str(value)])
        words = [word for word in re.split(r"[\s,]+", str(value)) if _letters(word)]
        return _letters(str(value)) in self._letters or all(_letters(word) in self._letters for word in words)

    def same(self, wanted: Any, given: Any, kind: str) -> bool:
        if kind == "amount":
            return _amount(wanted) is not None and _amount(wanted) == _amount(given)
        if kind == "date":
            return _date(wanted, self._day_first) == _date(given, self._day_first)
        left, right = _letters(str(wanted)), _letters(str(given))
        if kind == "code":
            return left == right
        return similarity(left, right) >= _ALIKE


_CURRENCY_SIGNS = {
    "EUR": ("€", "EUR"),
    "USD": ("$", "USD", "US Dollar"),
    "INR": ("₹", "Rs", "INR"),
    "PLN": ("PLN", "zł"),
    "GBP": ("£", "GBP"),
    "MYR": ("RM", "MYR"),
    "JPY": ("¥", "JPY"),
}


def _letters(text: str) -> str:
    return "".join(character for character in normalise(text) if character.isalnum())


def _amount(value: Any) -> Decimal | None:
    digits = re.sub(r"[^\d.,-]", "", str(value))
    digits = (
        digits.replace(",", "")
        if "." in digits or not re.search(r",\d\d$", digits)
        else digits.replace(",", ".")
    )
    try:
        return Decimal(digits).normalize()
    except InvalidOperation:
        return None


def _date(value: Any, day_first: bool) -> date | None:
    return next((found.day for found in _dates(str(value), day_first)), None)


def _dates(text: str, day_first: bool) -> list[PrintedDate]:
    return [found for found in find_dates(text, Style(day_first=day_first)) if found.certain and found.day]
