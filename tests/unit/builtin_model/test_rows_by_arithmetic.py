"""Tables in designs that mislead: arithmetic tells what their columns hold, whatever heads and places suggest."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.domain.documents.text import Page
from tests.support.tables import table
from tests.unit.layout.made_pages import PageMaker, right_aligned

TEXT, NUMBER = {"type": "string"}, {"type": "number"}
ASKED = {"description": TEXT, "quantity": NUMBER, "unit_price": NUMBER, "amount": NUMBER}
GOODS = [("Blue folders", 10, 2.5, 25.0), ("Desk lamp", 2, 40.0, 80.0), ("Oak shelf", 3, 12.2, 36.6)]
WANTED = [dict(zip(ASKED, row, strict=True)) for row in GOODS]

Row = dict[float, str]


def rows_of(*pages: Page, asked: dict[str, Any] = ASKED) -> Any:
    items = {"type": "object", "properties": asked}
    schema = {"type": "object", "properties": {"lines": {"type": "array", "items": items}}}
    return fill_sheet(sheet_of(pages), schema)["lines"]


def paper(table: list[Row], sums: list[Row], number: int = 1) -> Page:
    page = PageMaker(number)
    page.write(60, 40, "Northwind Traders Ltd.", size=14)
    for place, row in enumerate([*table, *sums]):
        page.row(120 + 18 * place + (30 if place >= len(table) else 0), row)
    return page.page()


def money(value: float, decimals: int = 2) -> str:
    return f"{value:,.{decimals}f}"


def cells(**columns: list[str]) -> list[Row]:
    """Set columns by their edges: `left60` begins there, `right300` ends there."""
    rows = []
    for texts in zip(*columns.values(), strict=True):
        row: Row = {}
        for edge, text in zip(columns, texts, strict=True):
            side, place = edge.rstrip("0123456789"), float("".join(filter(str.isdigit, edge)))
            if text:
                row[place if side == "left" else right_aligned(place, text)] = text
        rows.append(dict(sorted(row.items())))
    return rows


NAMES = [name for name, *_ in GOODS]
COUNTS = [str(count) for _, count, *_ in GOODS]
PRICES = [money(price) for _, _, price, _ in GOODS]
AMOUNTS = [money(amount) for *_, amount in GOODS]
SUM: list[Row] = [{360: "Net total", right_aligned(540, "141.60"): "141.60"}]
CODES = ["4012345001235", "4000050986428", "4000001234561"]

DESIGNS = {
    "an EAN left of the price": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        left270=["EAN", *CODES],
        right430=["Unit price", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
    "an EAN under the head of the price": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        left270=["Price", *CODES],
        right430=["", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
    "a tax rate last": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        right350=["Unit price", *PRICES],
        right450=["Amount", *AMOUNTS],
        right540=["VAT", "19.00", "7.00", "19.00"],
    ),
    "a tax rate last under the head of the total": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        right350=["Net", *PRICES],
        right450=["Value", *AMOUNTS],
        right540=["Total", "19.00", "7.00", "19.00"],
    ),
    "a line counter first": cells(
        left60=["No", "1", "2", "3"],
        left90=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        right430=["Unit price", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
    "a line counter that touches the name": cells(
        left60=["No Article", *(f"{place} {name}" for place, name in enumerate(NAMES, 1))],
        right250=["Qty", *COUNTS],
        right430=["Unit price", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
    "quantities with their units": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *(f"{count}pcs" for count in COUNTS)],
        right430=["Unit price", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
    "prices with four decimals": cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        right430=["Unit price", *(money(price, 4) for _, _, price, _ in GOODS)],
        right540=["Amount", *AMOUNTS],
    ),
    "the price before the quantity": cells(
        left60=["Article", *NAMES],
        right250=["Unit price", *PRICES],
        right430=["Qty", *COUNTS],
        right540=["Amount", *AMOUNTS],
    ),
    "no heads": cells(left60=NAMES, right250=COUNTS, right430=PRICES, right540=AMOUNTS),
    "heads that nobody knows": cells(
        left60=["Gaiak", *NAMES],
        right250=["Zenbat", *COUNTS],
        right430=["Balioa", *PRICES],
        right540=["Guztira", *AMOUNTS],
    ),
    "heads that are centred over their columns": cells(
        left140=["Article", "", "", ""],
        left60=["", *NAMES],
        left230=["Qty", *COUNTS],
        left330=["Unit price", "", "", ""],
        left310=["", *PRICES],
        right540=["Amount", *AMOUNTS],
    ),
}


@table("design", DESIGNS)
def test_the_rows_are_right_in_every_design(design: str) -> None:
    assert rows_of(paper(DESIGNS[design], SUM)) == WANTED


def test_a_printed_percentage_is_taken_off() -> None:
    table = cells(
        left60=["Article", *NAMES],
        right250=["Qty", *COUNTS],
        right350=["Unit price", *PRICES],
        right440=["Discount", "10 %", "5 %", "10 %"],
        right540=["Amount", "22.50", "76.00", "32.94"],
    )
    found = rows_of(paper(table, [{360: "Net total", right_aligned(540, "131.44"): "131.44"}]))
    assert [row["amount"] for row in found] == [22.5, 76, 32.94]
    assert [row["unit_price"] for row in found] == [2.5, 40, 12.2]


def test_what_is_carried_forward_is_no_row_and_no_part_of_one() -> None:
    head = cells(left60=["Gaiak"], right250=["Zenbat"], right430=["Balioa"], right540=["Guztira"])
    first, second = (
        cells(left60=NAMES[part], right250=COUNTS[part], right430=PRICES[part], right540=AMOUNTS[part])
        for part in (slice(2), slice(2, 3))
    )
    carried: Row = {60: "Aurrekotik", right_aligned(540, "105.00"): "105.00"}
    pages = paper([*head, *first, carried], []), paper([carried, *head, *second], SUM, 2)
    assert rows_of(*pages) == WANTED


def test_sums_in_a_row_under_their_heads_are_no_row() -> None:
    table = DESIGNS["heads that nobody knows"]
    sums = cells(right250=["Net", "141.60"], right350=["VAT", "26.90"], right540=["Due", "168.50"])
    assert rows_of(paper(table, sums)) == WANTED


def test_a_code_or_a_percentage_is_no_amount() -> None:
    table = cells(
        left60=["Article", *NAMES], left270=["Price", *CODES], right540=["Amount", "19 %", "7 %", "19 %"]
    )
    assert all(row["unit_price"] is None and row["amount"] is None for row in rows_of(paper(table, [])))


def test_a_line_that_does_not_multiply_stays_while_the_sum_comes_out() -> None:
    table = cells(
        left60=["Article", *NAMES, "Freight"],
        right250=["Qty", *COUNTS, "1"],
        right430=["Unit price", *PRICES, "10.00"],
        right540=["Amount", *AMOUNTS, "8.40"],
    )
    found = rows_of(paper(table, [{360: "Net total", right_aligned(540, "150.00"): "150.00"}]))
    assert [row["amount"] for row in found] == [25, 80, 36.6, 8.4]


READINGS = cells(
    left60=["Register", "Day", "Night"],
    right250=["Previous", "45,044", "19,454"],
    right350=["Foo", "45,669", "20,358"],
    right450=["Bar", "625", "904"],
    right540=["Amount", "75.00", "280.24"],
)


def test_fields_that_nothing_names_are_the_columns_between_those_that_are_told() -> None:
    asked = {"register": TEXT, "previous": NUMBER, "current": NUMBER, "used": NUMBER, "amount": NUMBER}
    assert [list(row.values()) for row in rows_of(paper(READINGS, []), asked=asked)] == [
        ["Day", 45044, 45669, 625, 75],
        ["Night", 19454, 20358, 904, 280.24],
    ]


def test_a_field_that_one_of_two_columns_could_be_stays_empty() -> None:
    asked = {"register": TEXT, "previous": NUMBER, "current": NUMBER, "amount": NUMBER}
    assert [row["current"] for row in rows_of(paper(READINGS, []), asked=asked)] == [None, None]


def test_a_counter_is_no_article_number() -> None:
    table = cells(
        left60=["Foo", "1", "2", "3"],
        left90=["Description", *NAMES],
        right250=["Qty", *COUNTS],
        right540=["Amount", *AMOUNTS],
    )
    found = rows_of(paper(table, SUM), asked={"item_code": TEXT, **ASKED})
    assert [row["item_code"] for row in found] == [None, None, None]


def test_a_head_that_seems_to_name_a_day_does_not_make_words_one() -> None:
    table = cells(
        left60=["Foo", "15/08/2025", "20/08/2025"],
        left160=["Bar", "1247", "4084"],
        left240=["Delivery date", "Bandage", "Blood test"],
        right540=["Baz", "59.52", "14.21"],
    )
    day = {"type": "string", "format": "date"}
    asked = {"delivery_date": day, "code": TEXT, "service": TEXT, "fee": NUMBER}
    assert rows_of(paper(table, []), asked=asked)[0] == {
        "delivery_date": "2025-08-15",
        "code": "1247",
        "service": "Bandage",
        "fee": 59.52,
    }


def test_running_text_below_a_table_is_no_row() -> None:
    hours = "desk that your firm will call upon opens 9 each week just like ours does from 5 till dark"
    footer: Row = {60: hours}
    table = cells(
        left60=["Article", *NAMES], right250=["Qty", *COUNTS], right430=["Weight", "1.2", "3.4", "5.6"]
    )
    asked = {"description": TEXT, "quantity": NUMBER, "weight": NUMBER}
    found = rows_of(paper([*table, footer], []), asked=asked)
    assert [row["description"] for row in found] == NAMES
