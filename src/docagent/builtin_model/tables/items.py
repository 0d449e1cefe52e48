"""Reads the rows of a table, such as line items: several readings of it are proposed, and arithmetic chooses.

Proposed are the rows below the best heading, those of the columns that multiply, of each only the lines whose product
holds, and the rows of a till. What heads say only breaks ties.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.tables import till_rows
from docagent.builtin_model.tables.by_product import CENT, holds
from docagent.builtin_model.tables.heads import (
    PRODUCT,
    Heading,
    best_heading,
    heading_by_product,
    needed_of,
    role_of,
)
from docagent.builtin_model.tables.table_items import Item, items_below
from docagent.builtin_model.values.choosing import as_json
from docagent.jsonschema import resolved, types_of

_BY_HEADING = 0.05
_FROM_TILL = 0.06
"""A till's rows add up or are none, and their names have counts before them that a heading does not tell."""
_NARROW = 3
"""A table with no more columns may be a receipt."""
_OF_CELLS = 0.75
"""What it is worth to fill as many cells as the fullest reading: a sum that comes out is worth more."""

Path = tuple[str, ...]


@dataclass(frozen=True)
class _Reading:
    """Rows that a table may have, and how much speaks for them."""

    rows: list[dict[str, Any]]
    adds_up: bool
    """Whether the sum of the amounts stands elsewhere on the paper."""
    products: float
    """The share of the rows in which quantity times price is the amount."""
    bonus: float = 0.0

    @property
    def cells(self) -> int:
        return sum(value is not None for row in self.rows for value in row.values())

    def worth(self, most: int) -> float:
        return self.adds_up + self.products + _OF_CELLS * self.cells / max(most, 1) + self.bonus


def fill_tables(sheet: Sheet, lists: Mapping[Path, Schema], root: Schema) -> dict[Path, list[dict[str, Any]]]:
    """Return the rows of each list. A table belongs to the one list that its heading answers best; where it answers
    several alike, it cannot tell which is meant, and none gets it.
    """
    asked = {path: row_fields(schema, root) for path, schema in lists.items()}
    found = {path: heading for path, fields in asked.items() if (heading := best_heading(sheet, fields))}
    of_goods = {path: sum(one.key in till_rows.KEYS for one in fields) for path, fields in asked.items()}
    wanting = [path for path, fields in asked.items() if of_goods[path] >= needed_of(fields)]
    filled = {}
    for path, fields in asked.items():
        heading = found.get(path)
        rivals = [one for other, one in found.items() if other != path]
        readings: list[_Reading] = []
        if heading and all(heading.score > one.score for one in rivals if one.last_row == heading.last_row):
            readings += _readings(sheet, heading, fields, _BY_HEADING)
        if wanting == [path]:
            multiplied = heading_by_product(sheet, fields)
            if multiplied and all(one.last_row != multiplied.last_row for one in rivals):
                readings += _readings(sheet, multiplied, fields)
            if heading is None or len(heading.columns) <= _NARROW:
                readings += _from_till(sheet, fields)
        if readings:
            most = max(one.cells for one in readings)
            worths = [one.worth(most) for one in readings]
            filled[path] = readings[worths.index(max(worths))].rows
    return filled


def _readings(
    sheet: Sheet, heading: Heading, fields: Sequence[Field], bonus: float = 0.0
) -> Iterator[_Reading]:
    """Yield the rows below a heading, and only those whose product holds."""
    items = items_below(sheet, heading.last_row, heading.columns)
    names = {role_of(column.field): column.field.name for column in heading.columns if column.field}
    sound = [item for item in items if _is_product(item, names)]
    yield _reading(sheet, items, len(sound), names, fields, bonus)
    if sound:
        yield _reading(sheet, sound, len(sound), names, fields)


def _reading(
    sheet: Sheet,
    items: Sequence[Item],
    sound: int,
    names: Mapping[str, str],
    fields: Sequence[Field],
    bonus: float = 0.0,
) -> _Reading:
    amounts = [amount for item in items if (amount := item.number(names.get("line_amount", ""))) is not None]
    inside = {row for item in items for row in item.rows}
    adds_up = bool(amounts) and any(
        abs(printed.value - sum(amounts)) <= CENT
        for row in sheet.rows
        if row[0].row not in inside
        for segment in row
        for printed in segment.amounts
    )
    rows = [item.as_row(fields) for item in items]
    return _Reading(rows, adds_up, sound / len(items) if items else 0.0, bonus)


def _is_product(item: Item, names: Mapping[str, str]) -> bool:
    """Return whether quantity times price, less a printed percentage, is the amount."""
    if not names.keys() >= PRODUCT:
        return False
    quantity, price, amount = (item.number(names[key]) for key in ("quantity", "unit_price", "line_amount"))
    if quantity is None or price is None or amount is None:
        return False
    return holds(quantity, price, amount, item.rates)


def _from_till(sheet: Sheet, fields: Sequence[Field]) -> Iterator[_Reading]:
    """Yield the rows of a receipt, whose amounts add up."""
    rows = []
    for item in till_rows.till_items(sheet):
        found = [(one, item.value(one.key)) for one in fields]
        rows.append({one.name: as_json(*value, one) if value else None for one, value in found})
    if rows:
        yield _Reading(rows, adds_up=True, products=0.0, bonus=_FROM_TILL)


def row_fields(schema: Schema, root: Schema) -> list[Field]:
    parts = {name: resolved(part, root) for name, part in (schema.get("properties") or {}).items()}
    return [
        field_of(name, part, in_row=True)
        for name, part in parts.items()
        if not types_of(part) & {"object", "array"}
    ]
