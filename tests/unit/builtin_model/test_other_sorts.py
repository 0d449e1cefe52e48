"""What stands near a label but is of another sort: other papers' numbers, firms for persons, labels for answers."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.reading.printed import atoms_of
from tests.support.tables import table
from tests.unit.layout.made_pages import PageMaker

TEXT: dict[str, Any] = {"type": ["string", "null"]}
NUMBER: dict[str, Any] = {"type": ["number", "null"]}
DATE: dict[str, Any] = {"type": ["string", "null"], "format": "date"}


def read(page: PageMaker, name: str, description: str | None = None, kind: dict[str, Any] = TEXT) -> Any:
    field = kind if description is None else {**kind, "description": description}
    return fill_sheet(sheet_of([page.page()]), {"type": "object", "properties": {name: field}})[name]


@table(("title", "number"), [("CONTRACT", "700439"), ("INVOICE", "F-9001"), ("QUOTATION", "8463")])
@table("name", ["document_number", "contractOrInvoiceNumber"])
def test_a_paper_s_own_number_is_not_that_of_another_paper(title: str, number: str, name: str) -> None:
    page = PageMaker().write(60, 40, title, size=14)
    page.row(70, {60: "Contract / Revision", 220: "Estimate #", 380: "Invoice"})
    page.row(84, {60: "700439 /", 220: "8463", 380: "F-9001"})
    assert read(page, name) == number


def test_what_a_description_mentions_beside_its_field_is_not_looked_for() -> None:
    page = PageMaker().write(60, 40, "ORDER", size=14)
    page.write(60, 80, "Supplier").write(60, 94, "Comerbe Inc.").write(60, 108, "12 Harbour Street")
    assert read(page, "clerk", "Who handles the matter at the issuer") is None


@table("line", ["Total amount payable $218,000.00", "Total $218,000.00 payable in a month"])
def test_a_line_with_a_total_may_say_more(line: str) -> None:
    assert read(PageMaker().write(60, 40, line), "total", kind=NUMBER) == 218000.0


def test_what_answers_a_label_with_a_colon_answers_no_heading_above_it() -> None:
    page = PageMaker().row(40, {60: "Qty", 120: "Item", 300: "Weight"})
    page.row(54, {60: "3", 120: "Chair", 300: "34.3"}).row(68, {60: "1", 120: "Desk", 300: "25.9"})
    page.row(82, {200: "Packages:", 300: "11"})
    assert read(page, "total_weight", "The weight of the whole shipment in kg", NUMBER) is None


@table("word", ["Transport", "Export", "Kreditkort", "Passwort"])
def test_a_word_that_ends_like_a_compound_is_none(word: str) -> None:
    assert [atom.meaning for atom in atoms_of(word)] == [word.lower()]


def test_a_compound_has_the_meaning_of_its_last_part() -> None:
    assert [atom.meaning for atom in atoms_of("Bestimmungsort")][-1] == "city"


@table(
    ("name", "label", "value"),
    [
        ("recapito_telefonico", "Recapito telefonico", "051 555 0134"),
        ("phone", "Recapito telefonico", "051 555 0134"),
        ("email", "Posta elettronica", "info@luca.it"),
        ("receipt_number", "Scontrino n.", "4471"),
        ("receipt_number", "Recibo n.º", "4471"),
        ("emergency_contact", "Im Notfall zu verständigen", "Jana Bauer"),
        ("account_holder", "Titolare del conto", "Luca Esposito"),
    ],
)
def test_labels_as_other_countries_print_them(name: str, label: str, value: str) -> None:
    assert read(PageMaker().row(40, {60: f"{label}:", 260: value}), name) == value


def test_an_initial_is_no_number() -> None:
    assert [atom.meaning for atom in atoms_of("Cliente N. Rossi")] == ["customer", "n", "rossi"]
    assert [atom.meaning for atom in atoms_of("Fattura n. 17")] == ["invoice", "number", "17"]
    assert [atom.meaning for atom in atoms_of("Recibo N.º: 9")] == ["receipt", "number", "9"]


def test_a_discount_without_a_condition_is_one() -> None:
    page = PageMaker().row(40, {60: "Subtotal:", 200: "100.00"}).row(54, {60: "Discount 3 %:", 200: "3.00"})
    assert read(page, "discount", kind=NUMBER) == 3.0
