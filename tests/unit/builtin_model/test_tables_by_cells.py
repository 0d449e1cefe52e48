"""Tables whose heads nobody knows, and rows that have no heads at all."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Page
from docagent.reading.printed import meanings_of
from tests.support.tables import table
from tests.unit.layout.made_pages import PageMaker

TEXT, NUMBER, DATE = {"type": "string"}, {"type": "number"}, {"type": "string", "format": "date"}


def rows_of(page: Page, **columns: dict[str, Any]) -> Any:
    items = {"type": "object", "properties": columns}
    return fill([page], {"type": "object", "properties": {"lines": {"type": "array", "items": items}}})[
        "lines"
    ]


def written(rows: list[dict[float, str]]) -> Page:
    page = PageMaker()
    page.write(60, 40, "Northwind Traders Ltd.", size=14)
    for number, row in enumerate(rows):
        page.row(100 + 16 * number, row)
    return page.page()


def test_quantity_times_price_tells_columns_with_unknown_heads() -> None:
    page = written(
        [
            {60: "Foo", 250: "Bar", 320: "Baz", 400: "Qux"},
            {60: "Blue folders", 250: "10", 320: "2.50", 400: "25.00"},
            {60: "Desk lamp", 250: "2", 320: "40.00", 400: "80.00"},
        ]
    )
    asked = {"description": TEXT, "quantity": NUMBER, "unit_price": NUMBER, "amount": NUMBER}
    assert rows_of(page, **asked) == [
        {"description": "Blue folders", "quantity": 10, "unit_price": 2.5, "amount": 25},
        {"description": "Desk lamp", "quantity": 2, "unit_price": 40, "amount": 80},
    ]


def test_a_balance_tells_what_was_taken_off_and_paid_in() -> None:
    page = written(
        [
            {60: "Foo", 160: "Bar", 320: "Baz", 400: "Qux", 480: "Quux"},
            {60: "03/01/2024", 160: "Rent for January", 320: "400.00", 480: "600.00"},
            {60: "05/01/2024", 160: "Salary", 400: "900.00", 480: "1,500.00"},
            {60: "09/01/2024", 160: "Card payment", 320: "50.00", 480: "1,450.00"},
        ]
    )
    found = rows_of(page, date=DATE, debit=NUMBER, credit=NUMBER, balance=NUMBER)
    assert [(row["debit"], row["credit"], row["balance"]) for row in found] == [
        (400, None, 600),
        (None, 900, 1500),
        (50, None, 1450),
    ]


def test_columns_that_tell_nothing_stay_empty() -> None:
    page = written(
        [
            {60: "Foo", 250: "Bar", 320: "Baz"},
            {60: "AB-1", 250: "10", 320: "30"},
            {60: "AB-2", 250: "2", 320: "70"},
        ]
    )
    assert rows_of(page, quantity=NUMBER, unit_price=NUMBER) == []


RECEIPT: list[dict[float, str]] = [
    {60: "2 x Coffee", 300: "5.00"},
    {60: "Cake", 300: "3.20"},
    {60: "Orange juice"},
    {60: "3 x 1.10", 300: "3.30"},
]


def test_rows_of_a_receipt_count_if_they_add_up() -> None:
    asked = {"name": TEXT, "quantity": NUMBER, "unit_price": NUMBER, "amount": NUMBER}
    assert rows_of(written([*RECEIPT, {60: "Foo", 300: "11.50"}]), **asked) == [
        {"name": "Coffee", "quantity": 2, "unit_price": None, "amount": 5},
        {"name": "Cake", "quantity": None, "unit_price": None, "amount": 3.2},
        {"name": "Orange juice", "quantity": 3, "unit_price": 1.1, "amount": 3.3},
    ]
    assert rows_of(written([*RECEIPT, {60: "Foo", 300: "11.60"}]), **asked) == []


def test_a_table_goes_on_after_what_is_carried_forward() -> None:
    head: dict[float, str] = {60: "Description", 250: "Quantity", 320: "Unit price", 400: "Amount"}
    first, second = PageMaker(), PageMaker(2)
    first.row(100, head)
    first.row(116, {60: "Blue folders", 250: "10", 320: "2.50", 400: "25.00"})
    first.row(132, {60: "Total carried forward", 400: "25.00"})
    second.row(100, head)
    second.row(116, {60: "Desk lamp", 250: "2", 320: "40.00", 400: "80.00"})
    second.row(132, {60: "Total", 400: "105.00"})
    columns = {"description": TEXT, "amount": NUMBER}
    asked = {"type": "array", "items": {"type": "object", "properties": columns}}
    found = fill([first.page(), second.page()], {"type": "object", "properties": {"lines": asked}})
    assert [row["amount"] for row in found["lines"]] == [25, 80]


@table(
    ("label", "meanings"),
    [
        ("Payable avant le", ("due", "date")),
        ("Uiterste betaaldatum", ("due", "date")),
        ("Näherer Kontostand", None),
        ("Saldo di chiusura", ("closing", "balance")),
        ("Celkem s DPH", ("total", "gross")),
        ("Anställd hos", ("employer",)),
    ],
)
def test_several_words_mean_something_together(label: str, meanings: tuple[str, ...] | None) -> None:
    assert (meanings_of(label) == meanings) is (meanings is not None)


def test_a_phrase_does_not_go_across_a_colon() -> None:
    assert meanings_of("Pay: by") != ("due", "date")
