"""Rows of tables by the network, where rules find none or leave a column empty. Printed forms and products may veto."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent import reader_model
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.values.network import AskedRows, same, value_of
from docagent.domain.documents.text import Page

_SURE = 0.9
_FEWEST_CELLS = 2
_MOST_COLUMNS = 24
_FACTORS = ("quantity", "unit_price", "line_amount")
_ROUNDED = 0.02
_SAME_TABLE = 0.8
"""The share of the rules' rows that the network must see too, to fill a column of theirs."""
_WHOLE = 2 / 3
_UNREAD = frozenset({Kind.BOOLEAN})
Cell = tuple[int, str, Any]
"""The number of a row, the name of a column, and a value."""


def network_rows(pages: Sequence[Page], sheet: Sheet, asked: AskedRows) -> list[dict[str, Any]]:
    """Return the rows that the network sees, or none if what they say does not hold together."""
    columns = [field for field in asked.columns if field.kind not in _UNREAD][:_MOST_COLUMNS]
    if len(columns) < _FEWEST_CELLS:
        return []
    questions = [
        question for question, field in zip(asked.questions, asked.columns, strict=True) if field in columns
    ]
    rows = []
    for found in reader_model.rows_of(pages, questions):
        row: dict[str, Any] = dict.fromkeys(field.name for field in asked.columns)
        for number, span in found.items():
            if span.chance >= _SURE:
                row[columns[number].name] = value_of(span, columns[number], sheet)
        if sum(value is not None for value in row.values()) >= _FEWEST_CELLS:
            rows.append(row)
    return rows if _products_hold(rows, {field.key: field.name for field in columns}) else []


def are_whole(rows: Sequence[dict[str, Any]]) -> bool:
    """Return whether each row has most of its cells. Rows of some other table have a few that happen to fit."""
    return all(sum(value is not None for value in row.values()) >= _WHOLE * len(row) for row in rows)


def empty_columns(asked: AskedRows) -> list[str]:
    """Return the columns of which rules found a table, but no cell."""
    names = [field.name for field in asked.columns if field.kind not in _UNREAD]
    return [name for name in names if asked.rows and all(row.get(name) is None for row in asked.rows)]


def cells_for(asked: AskedRows, rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> list[Cell]:
    """Return what the network's rows have for empty columns, if they are rows of the same table."""
    left = dict(enumerate(rows))
    pairs: list[tuple[int, dict[str, Any]]] = []
    for number, row in enumerate(asked.rows):
        alike = {
            other: sum(value is not None and same(value, there[name]) for name, value in row.items())
            for other, there in left.items()
        }
        best = max(alike, key=lambda other: alike[other], default=None)
        if best is not None and alike[best]:
            pairs.append((number, left.pop(best)))
    if len(pairs) < _SAME_TABLE * len(asked.rows):
        return []
    return [(number, name, row[name]) for number, row in pairs for name in columns if row[name] is not None]


def _products_hold(rows: Sequence[dict[str, Any]], names: dict[str, str]) -> bool:
    """Return whether quantity times price is the amount in most rows that have all three."""
    if not names.keys() >= set(_FACTORS):
        return True
    whole = [[row[names[key]] for key in _FACTORS] for row in rows]
    told = [three for three in whole if all(isinstance(one, int | float) for one in three)]
    right = sum(
        abs(quantity * price - amount) <= _ROUNDED * max(1.0, abs(amount)) for quantity, price, amount in told
    )
    return bool(2 * right >= len(told))
