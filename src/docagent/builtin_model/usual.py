"""What documents of a kind carry: the fields that a schema for them has, whoever made the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Properties = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Usual:
    """The fields of a kind of document."""

    kind: str
    core: Properties
    """Fields that every schema of the kind has, even if this document leaves one of them empty."""
    found: Properties
    """Fields that a schema has only if the document fills them."""
    rows: str = ""
    """What the list of the main table is called; empty if documents of this kind have none worth reading."""
    columns: Properties = field(default_factory=lambda: ITEM)
    rows_are_core: bool = False
    extras: int = 2
    """How many other labelled values a schema may have."""


def text(description: str) -> dict[str, Any]:
    return {"type": ["string", "null"], "description": description}


def number(description: str) -> dict[str, Any]:
    return {"type": ["number", "null"], "description": description}


def day(description: str) -> dict[str, Any]:
    return {
        "type": ["string", "null"],
        "format": "date",
        "description": f"{description}, as YYYY-MM-DD",
    }


_SUPPLIER = text("Name of the supplier who sends the document")
_CUSTOMER = text("Name of the customer whom the document is for")
_MONEY: Properties = {
    "net_amount": number("Total without tax, as a plain number"),
    "tax_amount": number("Total of the tax, as a plain number"),
    "total_amount": number("Total with tax, as a plain number"),
}
_CURRENCY: Properties = {"currency": text("Currency of the amounts as an ISO code, such as EUR")}
_NUMBERS: Properties = {
    "order_number": text("Number of the order that the document refers to, as printed"),
    "customer_number": text("Number that the supplier gave the customer, as printed"),
    "contract_number": text("Number of the contract that the document refers to, as printed"),
}
_PERIOD: Properties = {
    "period_start": day("First day of the period that the document is about"),
    "period_end": day("Last day of the period that the document is about"),
}
_ADVERTISING: Properties = {
    "advertiser": text("Name of the advertiser"),
    "flight_start": day("First day of the flight dates"),
    "flight_end": day("Last day of the flight dates"),
}
ITEM: Properties = {
    "description": text("What the line is for, as printed"),
    "quantity": number("How many or how much"),
    "unit_price": number("Price of one"),
    "amount": number("Amount of the whole line"),
}
_TRANSACTION: Properties = {
    "date": day("Date of the transaction"),
    "description": text("What the transaction was for, as printed"),
    "amount": number("Amount of the transaction, negative if it was paid out"),
}
ITEM_FOUND: Properties = {
    "item_number": text("Number of the article, as printed"),
    "tax_rate": number("Tax rate in percent"),
}

_INVOICE = Usual(
    "invoice",
    core={
        "invoice_number": text("Number of the invoice, as printed"),
        "invoice_date": day("Date of the invoice"),
        "due_date": day("Date when the payment is due"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
        **_MONEY,
        **_CURRENCY,
    },
    found={
        **_NUMBERS,
        "delivery_date": day("Date of the delivery or service"),
        **_PERIOD,
        **_ADVERTISING,
        "iban": text("IBAN of the account to pay to"),
        "supplier_vat_id": text("VAT number of the supplier"),
    },
    rows="line_items",
    rows_are_core=True,
)
_CREDIT_NOTE = Usual(
    "credit note",
    core={
        "credit_note_number": text("Number of the credit note, as printed"),
        "credit_note_date": day("Date of the credit note, its document date"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
        **_MONEY,
        **_CURRENCY,
    },
    found={
        "invoice_number": text("Number of the invoice that is credited, as printed"),
        **_NUMBERS,
        "supplier_vat_id": text("VAT number of the supplier"),
    },
    rows="line_items",
    rows_are_core=True,
)
_RECEIPT = Usual(
    "receipt",
    core={
        "merchant_name": text("Name of the company that issued the receipt"),
        "merchant_address": text("Address of the company that issued the receipt"),
        "receipt_date": day("Date of the receipt"),
        "total_amount": number("Total that was paid, with tax, as a plain number"),
    },
    found={
        "receipt_number": text("Number of the receipt, as printed"),
        "tax_amount": number("Total of the tax, as a plain number"),
        **_CURRENCY,
    },
    rows="line_items",
    extras=0,
)
_ORDER = Usual(
    "order",
    core={
        "order_number": text("Number of the order, as printed"),
        "order_date": day("Date of the order, its document date"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
        "total_amount": number("Total of the order, as a plain number"),
        **_CURRENCY,
    },
    found={
        "delivery_date": day("Date of the delivery"),
        "customer_number": _NUMBERS["customer_number"],
        "net_amount": _MONEY["net_amount"],
        "tax_amount": _MONEY["tax_amount"],
    },
    rows="line_items",
    rows_are_core=True,
)
_ADVERTISING_ORDER = Usual(
    "advertising order",
    core={
        "contract_number": text("Number of the contract or order number, as printed"),
        **_ADVERTISING,
        "gross_amount": number("Gross total of the order, as a plain number"),
    },
    found={
        "net_amount": number("Net total of the order, as a plain number"),
        "agency": text("Name of the agency"),
        "product": text("Name of the product that is advertised"),
    },
    extras=0,
)
_QUOTE = Usual(
    "quote",
    core={
        "quote_number": text("Number of the quote, as printed"),
        "quote_date": day("Date of the quote, its document date"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
        **_MONEY,
        **_CURRENCY,
    },
    found={
        "valid_until": day("Last day on which the quote is valid"),
        "customer_number": _NUMBERS["customer_number"],
        "delivery_date": day("Date of the delivery"),
    },
    rows="line_items",
    rows_are_core=True,
)
_DELIVERY_NOTE = Usual(
    "delivery note",
    core={
        "delivery_note_number": text("Number of the delivery note, as printed"),
        "delivery_date": day("Date of the delivery"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
    },
    found=_NUMBERS,
    rows="line_items",
    rows_are_core=True,
)
_REMINDER = Usual(
    "reminder",
    core={
        "reminder_date": day("Date of the reminder, its document date"),
        "invoice_number": text("Number of the invoice that is not paid, as printed"),
        "due_date": day("Date when the payment is due"),
        "supplier_name": _SUPPLIER,
        "customer_name": _CUSTOMER,
        "amount_due": number("Amount that is to be paid, as a plain number"),
        **_CURRENCY,
    },
    found={"customer_number": _NUMBERS["customer_number"], "iban": text("IBAN of the account to pay to")},
)
_CONTRACT = Usual(
    "contract",
    core={
        "effective_date": day("Date from which the contract is in effect"),
        "first_party": text("Name of the party that the contract names first"),
        "second_party": text("Name of the party that the contract names second"),
        "governing_law": text("State or country whose law governs the contract"),
        "duration": text("How long the contract lasts, such as 2 years"),
    },
    found={"contract_number": text("Number of the contract, as printed")},
)
_BANK_STATEMENT = Usual(
    "bank statement",
    core={
        "account_holder": text("Name of the account holder"),
        "account_number": text("Number of the account, as printed"),
        "statement_date": day("Date of the statement, its document date"),
        "opening_balance": number("Balance at the beginning, as a plain number"),
        "closing_balance": number("Balance at the end, as a plain number"),
        **_CURRENCY,
    },
    found={"iban": text("IBAN of the account"), **_PERIOD},
    rows="transactions",
    columns=_TRANSACTION,
    rows_are_core=True,
    extras=0,
)
_PAYSLIP = Usual(
    "payslip",
    core={
        "employee_name": text("Name of the employee"),
        "employer_name": text("Name of the employer"),
        "pay_date": day("Date of the payment"),
        "gross_pay": number("Pay before deductions, as a plain number"),
        "net_pay": number("Pay after deductions, as a plain number"),
    },
    found={"employee_number": text("Number of the employee, as printed"), **_PERIOD, **_CURRENCY},
)
_BY_KIND = {
    "invoice": _INVOICE,
    "proforma invoice": _INVOICE,
    "credit note": _CREDIT_NOTE,
    "receipt": _RECEIPT,
    "order": _ORDER,
    "purchase order": _ORDER,
    "order confirmation": _ORDER,
    "advertising order": _ADVERTISING_ORDER,
    "quote": _QUOTE,
    "delivery note": _DELIVERY_NOTE,
    "reminder": _REMINDER,
    "contract": _CONTRACT,
    "bank statement": _BANK_STATEMENT,
    "payslip": _PAYSLIP,
}
_OTHER_FOUND: Properties = {
    "title": text("Title of the document"),
    "document_date": day("Date of the document"),
    "document_number": text("Number of the document, as printed"),
}
_MOST_EXTRAS = 12


def usual_for(kind: str | None) -> Usual:
    """Return what documents of a kind usually carry: of an unknown kind a title, a date, a number, and any labels."""
    known = _BY_KIND.get(kind or "")
    return known or Usual(kind or "document", core={}, found=_OTHER_FOUND, extras=_MOST_EXTRAS)
