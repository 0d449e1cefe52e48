"""What papers of trade may have and be asked for, and every decision about their layout."""

from __future__ import annotations

from dataclasses import dataclass

from evals.zoo.asking import Wish
from evals.zoo.halves import Dice
from evals.zoo.table import TableDesign
from evals.zoo.totals import SumsDesign

_PARTIES = ("seller_name", "seller_address", "buyer_name", "buyer_address", "ship_to_name", "ship_to_address")
_REACH = ("phone", "email", "website", "seller_vat", "iban", "bic", "bank")
_SUMS = ("subtotal", "discount", "shipping", "tax", "total", "prepaid", "amount_due", "currency")
_COLUMNS = ("description", "quantity", "unit_price", "amount", "sku", "tax_rate")
FURTHER = {
    "invoice": ("customer_number", "order_number", "delivery_note_number", "due_date", "delivery_date", "order_date",
                "contact", "payment_terms", "quote_number", "period"),
    "credit_note": ("customer_number", "invoice_number", "order_number", "contact", "delivery_date"),
    "order": ("quote_number", "customer_number", "delivery_date", "contact", "payment_terms", "period"),
    "delivery_note": ("order_number", "order_date", "customer_number", "invoice_number", "delivery_date", "contact",
                      "carrier"),
}  # fmt: skip
"""What may stand beside the number and the date."""

WISHES = {
    kind: Wish(
        (f"{kind}_number", "issue_date", "due_date", "period_from", "period_to")
        + tuple(concept for concept in further if concept not in ("period", "due_date"))
        + _PARTIES
        + _REACH
        + (("weight", "packages", "amount_due") if kind == "delivery_note" else _SUMS),
        "items",
        ("description", "quantity", "sku", "weight") if kind == "delivery_note" else _COLUMNS,
    )
    for kind, further in FURTHER.items()
}


@dataclass(frozen=True)
class TradeDesign:
    """Every decision about where things stand on a paper of trade."""

    frame: str
    sender: str
    title: str
    spaced_title: bool
    number_in_title: bool
    meta: str
    meta_columns: int
    other_label: bool
    issuer_label: bool
    reach: str
    footer: str
    terms: bool
    """Whether a sheet of terms follows, in two columns."""
    print_line: str
    """Where a line says when it was printed: a date that nobody asks for."""
    table: TableDesign
    sums: SumsDesign

    @classmethod
    def draw(cls, dice: Dice) -> TradeDesign:
        return cls(
            frame=dice.layout(
                (), ("window", "stacked", "cells", "lines"), ("columns", "mirrored", "sections", "wide")
            ),
            sender=dice.layout(("left", "right"), ("centre",), ("line",)),
            title=dice.layout(("below", "right"), ("top",), ("centre",)),
            spaced_title=dice.likely(0.15),
            number_in_title=dice.likely(0.2),
            meta=dice.layout(("tab", "right"), ("inline", "strip"), ("above", "two lines", "leaders")),
            meta_columns=dice.choice((2, 3, 4)),
            other_label=dice.likely(0.6),
            issuer_label=dice.likely(0.3),
            reach=dice.choice(("head", "footer")),
            footer=dice.layout(("columns", "rows"), ("line",), ("centre",)),
            terms=dice.likely(0.08),
            print_line=dice.layout(("none", "none", "none"), ("foot",), ("head",)),
            table=TableDesign.draw(dice),
            sums=SumsDesign.draw(dice),
        )
