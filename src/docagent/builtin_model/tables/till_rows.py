"""Reads what was sold from a till's receipt, whose rows have no heads: names on the left, amounts on the right.

The rows count only if their amounts add up to the one below them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docagent.builtin_model.page.reading import Scalar
from docagent.builtin_model.page.sheet import Segment, Sheet, text_of
from docagent.reading.printed import PrintedNumber, parse_number

_TIMES = r"\s*[xX\u00d7*@]\s*"
_NUMBER = r"\d{1,4}(?:[.,]\d{1,3})?"
_PIECES = r"\s+(?:pcs?|pz|szt|stk|st|ks|uds?|un|stuks?|pi\u00e8ces?)\.?\s+"
_COUNTED = re.compile(rf"(?P<count>{_NUMBER})(?:{_TIMES}|{_PIECES})(?P<rest>.*)")
_COUNTED_LAST = re.compile(
    r"(?P<rest>(?:[^\w\n]|\d)*+[^\W\d].*?)(?<!\s)\s*(?:[xX\u00d7*]\s?(?P<count>\d{1,3})|\((?P<inside>\d{1,3})\))"
)
_COUNTED_AFTER = re.compile(rf"(?P<rest>.*?)(?<!\s)\s+(?P<count>{_NUMBER}){_TIMES}(?P<price>\S*\d\S*)")
_MOST_ROWS = 120
_MOST_STARTS = 4
_SUMS = frozenset({"total", "subtotal", "gross", "payable", "due", "net", "balance"})
_OF_PAYING = _SUMS | {"tax", "cash", "change", "discount", "deposit"}
_FEWEST_LETTERS = 2


@dataclass(frozen=True)
class TillItem:
    """One row: what was sold, and what is printed of its count and price."""

    name: str
    amount: PrintedNumber
    count: PrintedNumber | None = None
    price: PrintedNumber | None = None

    def value(self, key: str) -> tuple[Scalar, str] | None:
        """Return the value for a concept of a table's row, and how it is printed."""
        if key in ("item_name", "booking_text"):
            return (self.name, self.name) if self.name else None
        number = {"quantity": self.count, "unit_price": self.price, "line_amount": self.amount}.get(key)
        return (number.value, str(number.value)) if number else None


KEYS = frozenset({"item_name", "booking_text", "quantity", "unit_price", "line_amount"})


def till_items(sheet: Sheet) -> list[TillItem]:
    """Return the rows of a receipt whose amounts add up; none where they do not."""
    if len(sheet.page_sizes) > 1 or len(sheet.rows) > _MOST_ROWS:
        return []
    priced = [number for number, row in enumerate(sheet.rows) if _amount_of(row) is not None]
    for start in priced[:_MOST_STARTS]:
        items = _added_up(sheet, start)
        if items:
            return items
    return []


def _added_up(sheet: Sheet, start: int) -> list[TillItem]:
    items: list[TillItem] = []
    name = text_of(sheet.rows[start - 1]) if start else ""
    for row in sheet.rows[start:]:
        amount = _amount_of(row)
        if amount is None:
            name = text_of(row)
            continue
        if _closes(row, amount, items):
            return items if sum(item.amount.value for item in items) == amount.value else []
        if row[0].meanings & _OF_PAYING and row[0].atoms[0].is_known:
            return []
        items.append(_item(row, amount, name))
        name = ""
    return []


def _closes(row: Sequence[Segment], amount: PrintedNumber, items: Sequence[TillItem]) -> bool:
    """Return whether the row has the sum of all above it: its label says so, or several rows add up to it."""
    if not items:
        return False
    named = bool(row[0].meanings & _SUMS)
    return named or (len(items) > 1 and sum(item.amount.value for item in items) == amount.value)


def _item(row: Sequence[Segment], amount: PrintedNumber, above: str) -> TillItem:
    text = " ".join([*(one.text for one in row[:-1]), row[-1].text[: amount.start]]).strip(" .:-")
    item = _in_columns(row, amount) or _counted(text, amount, row[0])
    return item if _is_name(item.name) else replace(item, name=above if _is_name(above) else "")


def _in_columns(row: Sequence[Segment], amount: PrintedNumber) -> TillItem | None:
    """Read a row in which count and price stand apart from the name."""
    numbers = [(one, parse_number(one.text, one.style)) for one in row[:-1]]
    names = [one.text for one, number in numbers if number is None]
    figures = [number for _, number in numbers if number is not None]
    if len(names) != 1 or not figures or len(figures) > 2:
        return None
    if len(figures) == 1:
        return TillItem(names[0], amount, figures[0]) if not figures[0].decimals else None
    count, price = sorted(figures, key=lambda number: number.decimals)
    return TillItem(names[0], amount, count, price) if count.value * price.value == amount.value else None


def _counted(text: str, amount: PrintedNumber, segment: Segment) -> TillItem:
    match = _COUNTED_AFTER.fullmatch(text) or _COUNTED.fullmatch(text) or _COUNTED_LAST.fullmatch(text)
    if match is None:
        return TillItem(text, amount)
    parts = match.groupdict()
    count = parse_number(parts["count"] or parts["inside"], segment.style)
    price = parse_number(parts.get("price") or parts["rest"], segment.style)
    name = "" if price is not None and not parts.get("price") else parts["rest"]
    return TillItem(name, amount, count, price)


def _amount_of(row: Sequence[Segment]) -> PrintedNumber | None:
    """Return the amount at the end of a row, if the row is more than a count and a price."""
    last = (
        row[-2]
        if len(row) > 1 and len(row[-1].text) <= _FEWEST_LETTERS and row[-1].text.isalpha()
        else row[-1]
    )
    amount = last.amounts[-1] if last.amounts else None
    if amount is None or not amount.looks_like_money or amount.decimals != 2:
        return None
    at_end = len(last.text) - amount.end <= _FEWEST_LETTERS
    detail = len(row) == 1 and _COUNTED.fullmatch(last.text) is not None
    return amount if at_end and not detail and not any(one.dates for one in row) else None


def _is_name(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= _FEWEST_LETTERS
