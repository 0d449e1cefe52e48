"""Lists: filled where something tells which is meant, else empty."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model import fill, unread_note
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.domain.documents.text import Page
from tests.unit.layout.made_pages import PageMaker

TEXT = {"type": ["string", "null"]}
NUMBER = {"type": ["number", "null"]}
ROW = {"type": "object", "properties": {"description": TEXT, "quantity": NUMBER, "amount": NUMBER}}


def rows_of(**columns: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": columns}}


def table() -> list[Page]:
    page = PageMaker()
    page.row(60, {60: "Description", 300: "Quantity", 420: "Amount"})
    page.row(80, {60: "Blue folders", 300: "10", 420: "25.00"})
    page.row(96, {60: "Desk lamp", 300: "2", 420: "80.00"})
    page.row(108, {60: "Batch QX4711"})
    return [page.page()]


def test_one_table_is_not_copied_into_every_list_that_could_hold_it() -> None:
    schema = {
        "properties": {name: {"type": "array", "items": ROW} for name in ("revenues", "expenses", "assets")}
    }
    assert fill(table(), schema) == {"revenues": [], "expenses": [], "assets": []}


def test_a_table_goes_to_the_list_that_its_heading_answers_best() -> None:
    schema = {
        "properties": {
            "lines": {"type": "array", "items": ROW},
            "metrics": rows_of(quantity=NUMBER, amount=NUMBER, period=TEXT, segment=TEXT),
        }
    }
    filled = fill(table(), schema)
    assert [row["description"] for row in filled["lines"]] == ["Blue folders", "Desk lamp"]
    assert filled["metrics"] == []


def test_a_list_stays_empty_if_the_heading_names_too_few_of_its_fields() -> None:
    many = rows_of(amount=NUMBER, quantity=NUMBER, **{f"segment_{letter}": TEXT for letter in "abcdefg"})
    assert fill(table(), {"properties": {"metrics": many}}) == {"metrics": []}


def test_bookings_are_dated_rows_whatever_their_text_begins_with() -> None:
    page = PageMaker()
    page.row(60, {60: "Wertstellung", 160: "Buchungstext", 400: "Belastung", 500: "Gutschrift"})
    page.row(80, {60: "03.05.2024", 160: "Zahlung Meier", 400: "12,50"})
    page.row(96, {60: "07.05.2024", 160: "Gehalt", 500: "900,00"})
    columns = rows_of(date={"type": "string", "format": "date"}, purpose=TEXT, debit=NUMBER, credit=NUMBER)
    assert fill([page.page()], {"properties": {"bookings": columns}})["bookings"] == [
        {"date": "2024-05-03", "purpose": "Zahlung Meier", "debit": 12.5, "credit": None},
        {"date": "2024-05-07", "purpose": "Gehalt", "debit": None, "credit": 900.0},
    ]


def test_a_row_with_all_its_cells_ends_no_table_whatever_its_text_begins_with() -> None:
    page = PageMaker()
    page.row(60, {60: "Date", 160: "Description", 330: "Amount", 450: "Balance"})
    page.row(80, {60: "03/05/2024", 160: "Salary", 330: "900.00", 450: "1,500.00"})
    page.row(96, {60: "07/05/2024", 160: "Payment Meier", 330: "-12.50", 450: "1,487.50"})
    page.row(112, {60: "09/05/2024", 160: "Rent", 330: "-400.00", 450: "1,087.50"})
    page.row(128, {160: "Balance", 450: "1,087.50"})
    columns = rows_of(date={"type": "string", "format": "date"}, purpose=TEXT, amount=NUMBER, balance=NUMBER)
    found = fill_sheet(sheet_of([page.page()]), {"properties": {"bookings": columns}})["bookings"]
    assert [row["purpose"] for row in found] == ["Salary", "Payment Meier", "Rent"]


def test_simple_lists_hold_all_mail_addresses_and_what_a_colon_announces() -> None:
    page = PageMaker()
    page.write(60, 60, "Write to ann@example.org or bob@example.org")
    page.write(60, 80, "Languages: Danish, Welsh")
    strings = {"type": "array", "items": {"type": "string"}}
    schema = {"properties": {"emails": strings, "languages": strings, "skills": strings}}
    assert fill([page.page()], schema) == {
        "emails": ["ann@example.org", "bob@example.org"],
        "languages": ["Danish", "Welsh"],
        "skills": [],
    }


def test_the_ticked_box_is_the_choice() -> None:
    page = PageMaker()
    page.row(60, {60: "Payment", 160: "\u2610 cash", 240: "\u2612 card", 320: "\u2610 transfer"})
    schema = {"properties": {"paid_with": {"type": "string", "enum": ["cash", "card", "transfer"]}}}
    assert fill([page.page()], schema) == {"paid_with": "card"}


def test_addresses_belong_to_their_parties() -> None:
    page = PageMaker()
    for number, line in enumerate(("Lipa Papier a.s.", "Dlouhá 12", "602 00 Brno")):
        page.write(60, 40 + 14 * number, line)
    for number, line in enumerate(("Odběratel", "Modrá Kniha s.r.o.", "Krátká 7/2", "110 00 Praha 1")):
        page.write(60, 140 + 14 * number, line)
    schema = {"properties": {"seller_address": TEXT, "buyer_address": TEXT}}
    assert fill([page.page()], schema) == {
        "seller_address": "Dlouhá 12 602 00 Brno",
        "buyer_address": "Krátká 7/2 110 00 Praha 1",
    }


def test_a_report_is_no_paper_of_trade() -> None:
    page = (
        PageMaker().write(60, 40, "QUARTERLY REPORT", size=16).row(80, {60: "Total", 300: "9,267.82"}).page()
    )
    assert fill([page], {"properties": {"receipt_total": NUMBER}}) == {"receipt_total": None}


def test_the_built_in_model_says_what_it_cannot_read() -> None:
    page = PageMaker().write(60, 40, "QUARTERLY REPORT", size=16).page()
    note = unread_note([page], {"goodwill": None, "segments": [], "company": {"name": None, "city": None}})
    assert note is not None
    assert "0 of 4 fields" in note
    assert "report" in note
    assert unread_note([page], {"total": 3.5, "rows": [{"a": 1}, {"a": 2}]}) is None


def test_a_period_has_a_label_of_its_own() -> None:
    schema = {"properties": {"period_from": {"type": "string", "format": "date"}}}
    invoice = PageMaker().write(60, 60, "Rechnung Nr. 4711 vom 05.03.2018").page()
    statement = PageMaker().row(60, {60: "Von:", 160: "01.03.2018"}).page()
    assert fill([invoice], schema) == {"period_from": None}
    assert fill([statement], schema) == {"period_from": "2018-03-01"}
