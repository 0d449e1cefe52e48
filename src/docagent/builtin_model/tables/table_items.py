"""Gathers the rows below a table's heads into items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.meant import counted_in
from docagent.builtin_model.page.reading import Value, is_sentence, read_values
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.tables.by_product import rates_in
from docagent.builtin_model.tables.grid import FIGURES, Column, body, cells_of
from docagent.builtin_model.values.choosing import as_json

_CONTINUES = 0.7
"""In line heights."""
_LOT_NUMBER = re.compile(r"[^\W\d][^\d:]{2,20}[\s.:]+[A-Z]{1,3}-?\d{3,}")
"""What a line says of one piece and not of the article: `Batch YB3599`."""
_ARTICLE_NUMBER = re.compile(r"\d{8,14}")
_COUNTED = re.compile(r"(?P<count>\d{1,4})[.)]?\s+(?P<rest>.*[^\W\d].*)")


@dataclass
class Item:
    """One entry of a table: a row with figures, and the rows that continue it."""

    values: dict[str, Value]
    texts: dict[str, list[str]]
    page: int
    bottom: float
    rows: list[int] = field(default_factory=list)
    rates: list[Decimal] = field(default_factory=list)

    def add(self, values: dict[str, Value], texts: dict[str, str], row: list[Segment]) -> None:
        """Add another line to the item."""
        self.values = {**values, **self.values}
        for name, text in texts.items():
            if not _ARTICLE_NUMBER.fullmatch(text) and not _LOT_NUMBER.fullmatch(text):
                self.texts.setdefault(name, []).append(text)
        self.bottom = _foot(row)
        self.rows.append(row[0].row)

    def number(self, name: str) -> Decimal | None:
        found = self.values.get(name)
        return found.value if found is not None and isinstance(found.value, Decimal) else None

    def as_row(self, fields: Sequence[Field]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for asked in fields:
            row[asked.name] = None
            value = self.values.get(asked.name)
            if value is not None:
                row[asked.name] = as_json(value.value, value.text, asked)
            elif asked.name in self.texts:
                text = " ".join(self.texts[asked.name]).strip(" :,;")
                row[asked.name] = as_json(text, text, asked) or None
        return row


def items_below(sheet: Sheet, last_row: int, columns: list[Column]) -> list[Item]:
    """Return the items of the table whose heads end with a row. A row with figures begins one; others continue it."""
    enough = min(2, sum(column.field is not None and column.field.kind in FIGURES for column in columns))
    items: list[Item] = []
    for row, new_page in body(sheet, last_row):
        values, texts = _cells(sheet, row, columns)
        figures = list(values) if enough else list(texts)
        if (new_page and len(figures) < 2) or any(_is_running_text(segment, columns) for segment in row):
            continue
        item = items[-1] if items else None
        again = item is None or not enough or any(name in item.values for name in figures)
        if again and len(figures) >= max(enough, 1):
            named = {name: [text] for name, text in texts.items()}
            items.append(Item(values, named, row[0].page, _foot(row), [row[0].row], rates_in(row)))
        elif item is not None and _goes_on(item, row) and not values.keys() & item.values.keys():
            item.add(values, texts, row)
    return _without_counters(items)


def _is_running_text(segment: Segment, columns: Sequence[Column]) -> bool:
    """Return whether a sentence stands below several columns, as it does below the end of a table."""
    under = sum(segment.left < column.right and segment.right > column.left for column in columns)
    return under > 1 and is_sentence(segment.text)


def _foot(row: list[Segment]) -> float:
    return max(segment.bottom for segment in row)


def _goes_on(item: Item, row: list[Segment]) -> bool:
    """Return whether the row is close enough below the item to be its next line."""
    first = row[0]
    return first.page == item.page and first.top - item.bottom < _CONTINUES * first.height


def _cells(
    sheet: Sheet, row: list[Segment], columns: list[Column]
) -> tuple[dict[str, Value], dict[str, str]]:
    """Return what a row says for each field: first the figures, then the texts."""
    values: dict[str, Value] = {}
    texts: dict[str, str] = {}
    for number, text in cells_of(row, columns, sheet.height).items():
        asked = columns[number].field
        if asked is None:
            continue
        if asked.kind in FIGURES:
            kind = Kind.NUMBER if asked.kind is Kind.PERCENT and "%" not in text else asked.kind
            value = next(read_values(kind, text, sheet.style), None)
            if value is None and (counted := counted_in(text, sheet.style)):
                value = Value(counted.value, text, 1.0)
            if value is not None:
                values[asked.name] = value
            elif asked.takes_any_text:
                texts[asked.name] = text
        else:
            texts[asked.name] = text
    return values, texts


def _without_counters(items: list[Item]) -> list[Item]:
    """Take numbers that count the lines off the texts that they stand before."""
    for name in {name for item in items for name in item.texts}:
        begun = [_COUNTED.fullmatch(item.texts[name][0]) if name in item.texts else None for item in items]
        counts = [int(match["count"]) for match in begun if match]
        steps = {after - before for before, after in pairwise(counts)}
        if len(counts) == len(items) > 1 and len(steps) == 1 and steps <= {1, 10}:
            for item, match in zip(items, begun, strict=True):
                item.texts[name][0] = match["rest"] if match else ""
    return items
