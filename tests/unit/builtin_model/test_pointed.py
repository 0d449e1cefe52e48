"""What a person points at on a page, read as the type that the field holds."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.builtin_model.pointed import Pointed, read_pointed, words_in
from docagent.builtin_model.pointed_rows import read_rows
from docagent.domain.documents.text import Box, Page
from docagent.domain.plain_schema import field_schema
from docagent.reading.printed import Style, likely_style
from tests.unit.layout.made_pages import HEIGHT, WIDTH, PageMaker, words_at

ITEM = {
    "type": "object",
    "properties": {
        "description": {"type": "string"},
        "quantity": {"type": ["integer", "null"]},
        "unit_price": {"type": "number"},
        "amount": {"type": "number"},
    },
}


def box(left: float, top: float, right: float, bottom: float) -> Box:
    return Box(left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT)


def read(text: str, schema: dict[str, Any], name: str = "field", style: Style | None = None) -> Pointed:
    return read_pointed(words_at(72, 72, text), name, schema, style or likely_style(text), stores_iso=True)


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("1.617,30 €", {"type": "number"}, 1617.3),
        ("EUR 1,617.30", {"type": ["number", "null"]}, 1617.3),
        ("(45.00)", {"type": "number"}, -45.0),
        ("Qty: 12", {"type": "integer"}, 12),
        ("14 March 2026", {"type": "string", "format": "date"}, "2026-03-14"),
        ("Date: 14.03.2026", {"type": "string", "format": "date"}, "2026-03-14"),
        ("INVOICE", {"enum": ["receipt", "invoice"]}, "invoice"),
        ("[x]", {"type": "boolean"}, True),
        ("No", {"type": "boolean"}, False),
        ("ACME GmbH:", {"type": "string"}, "ACME GmbH"),
    ],
)
def test_words_become_what_the_field_stores(text: str, schema: dict[str, Any], value: object) -> None:
    taken = read(text, schema)
    assert (taken.value, taken.remark) == (value, None)
    assert " ".join(word.text for word in taken.words) == text


def test_a_text_field_for_dates_stores_them_in_the_form_that_it_has() -> None:
    assert read("14 March 2026", {"type": "string"}, "invoice_date").value == "2026-03-14"
    words = words_at(72, 72, "14 March 2026")
    kept = read_pointed(words, "invoice_date", {"type": "string"}, Style(), stores_iso=False)
    assert (kept.value, kept.remark) == ("14 March 2026", None)


@pytest.mark.parametrize(
    ("text", "schema", "remark"),
    [
        ("12 of 30", {"type": "number"}, "“12 of 30” is not a number."),
        ("2.5", {"type": "integer"}, "“2.5” is not a whole number."),
        ("soon", {"type": "string", "format": "date"}, "“soon” is not a date."),
        ("maybe", {"type": "boolean"}, "“maybe” says neither yes nor no."),
        ("order", {"enum": ["receipt", "invoice"]}, "“order” is none of the choices."),
    ],
)
def test_what_cannot_be_read_is_text_with_a_remark(text: str, schema: dict[str, Any], remark: str) -> None:
    taken = read(text, schema)
    assert (taken.value, taken.remark) == (text, remark)


def test_a_box_means_the_words_that_it_covers_and_a_click_the_word_under_it() -> None:
    page = PageMaker().write(72, 60, "Invoice number INV-2041").write(72, 80, "Total 1,617.30").page()

    def texts(at: Box) -> str:
        return " | ".join(line.text for line in words_in(page, at))

    assert texts(box(74, 64, 150, 66)) == "Invoice number", "a thin line drawn through the words"
    assert texts(box(60, 55, 300, 95)) == "Invoice number INV-2041 | Total 1,617.30"
    assert texts(box(80, 65, 80, 65)) == "Invoice"
    assert texts(box(500, 600, 500, 600)) == ""


def test_the_schema_of_a_field_is_found_through_lists_and_references() -> None:
    root = {
        "properties": {"lines": {"type": "array", "items": {"$ref": "#/$defs/line"}}},
        "$defs": {"line": ITEM},
    }
    assert field_schema(root, ["lines", 0, "amount"]) == {"type": "number"}
    assert field_schema(root, ["nowhere", 1]) == {}


def table(*rows: tuple[str, ...]) -> Page:
    maker = PageMaker().write(72, 60, "ACME GmbH")
    for number, row in enumerate(rows):
        maker.row(100 + 15 * number, {72.0 + 120 * place: text for place, text in enumerate(row) if text})
    return maker.page()


HEADED = table(
    ("Qty", "Item", "Price", "Amount"),
    ("2", "Copper pipe", "5.00", "10.00"),
    ("3", "Elbow", "1.00", "3.00"),
    ("1", "Labour", "20.00", "20.00"),
    ("", "Total", "", "33.00"),
)
ROWS = [
    {"description": "Copper pipe", "quantity": 2, "unit_price": 5.0, "amount": 10.0},
    {"description": "Elbow", "quantity": 3, "unit_price": 1.0, "amount": 3.0},
    {"description": "Labour", "quantity": 1, "unit_price": 20.0, "amount": 20.0},
]


def values(page: Page, at: Box) -> list[dict[str, object]]:
    rows = read_rows(page, at, ITEM, {}, likely_style(page.text))
    return [{name: cell.value for name, cell in row.items()} for row in rows]


def test_columns_belong_to_the_fields_that_their_headings_name() -> None:
    assert values(HEADED, box(60, 95, 600, 157)) == ROWS
    assert values(HEADED, box(60, 112, 600, 157)) == ROWS, "the heading need not be dragged over"
    assert values(HEADED, box(60, 127, 600, 142)) == ROWS[1:2]


def test_without_headings_columns_follow_the_order_of_the_fields() -> None:
    page = table(("Copper pipe", "2", "5.00", "10.00"), ("Elbow", "3", "1.00", "3.00"))
    assert values(page, box(60, 95, 600, 130)) == ROWS[:2]
    one = table(("Copper pipe", "2", "5.00", "10.00"))
    assert values(one, box(60, 95, 600, 130)) == ROWS[:1]


def test_nothing_is_read_where_nothing_stands() -> None:
    assert values(HEADED, box(60, 400, 600, 500)) == []
