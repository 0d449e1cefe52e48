"""What stands near a label but is of another sort: other papers' numbers, firms for persons, labels for answers."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.sheet import sheet_of
from docagent.printed import atoms_of
from tests.unit.layout.made_pages import PageMaker

TEXT: dict[str, Any] = {"type": ["string", "null"]}


def read(page: PageMaker, name: str, description: str | None = None) -> Any:
    field = TEXT if description is None else {**TEXT, "description": description}
    return fill_sheet(sheet_of([page.page()]), {"type": "object", "properties": {name: field}})[name]


@pytest.mark.parametrize(
    ("title", "number"), [("CONTRACT", "700439"), ("INVOICE", "F-9001"), ("QUOTATION", "8463")]
)
@pytest.mark.parametrize("name", ["document_number", "contractOrInvoiceNumber"])
def test_a_paper_s_own_number_is_not_that_of_another_paper(title: str, number: str, name: str) -> None:
    page = PageMaker().write(60, 40, title, size=14)
    page.row(70, {60: "Contract / Revision", 220: "Estimate #", 380: "Invoice"})
    page.row(84, {60: "700439 /", 220: "8463", 380: "F-9001"})
    assert read(page, name) == number


def test_what_a_description_mentions_beside_its_field_is_not_looked_for() -> None:
    page = PageMaker().write(60, 40, "ORDER", size=14)
    page.write(60, 80, "Supplier").write(60, 94, "Comerbe Inc.").write(60, 108, "12 Harbour Street")
    assert read(page, "clerk", "Who handles the matter at the issuer") is None


def test_a_firm_is_no_person_to_contact() -> None:
    assert read(PageMaker().row(40, {60: "Contact", 200: "Comerbe Inc."}), "contact_person") is None
    assert read(PageMaker().row(40, {60: "Contact", 200: "Ann Hill"}), "contact_person") == "Ann Hill"


def test_money_is_no_term_of_payment() -> None:
    page = PageMaker().row(40, {60: "Payment terms", 200: "286,53 EUR"})
    assert read(page, "payment_terms") is None
    page = PageMaker().row(40, {60: "Payment terms", 200: "30 days"})
    assert read(page, "payment_terms") == "30 days"


def test_the_next_label_of_a_form_and_its_answer_are_no_answer() -> None:
    page = PageMaker()
    for step, text in enumerate(["3. Place of birth", "4. Nationality", "Italian", "5. Occupation", "Baker"]):
        page.write(60, 60 + 14 * step, text)
    assert read(page, "birth_place", "Place of birth") is None
    assert read(page, "nationality") == "Italian"
    page = PageMaker().write(60, 60, "Nationality").row(74, {60: "Health insurance", 200: "[ ] yes [x] no"})
    assert read(page, "nationality") is None


@pytest.mark.parametrize("word", ["Transport", "Export", "Kreditkort", "Passwort"])
def test_a_word_that_ends_like_a_compound_is_none(word: str) -> None:
    assert [atom.meaning for atom in atoms_of(word)] == [word.lower()]


def test_a_compound_has_the_meaning_of_its_last_part() -> None:
    assert [atom.meaning for atom in atoms_of("Bestimmungsort")][-1] == "city"


@pytest.mark.parametrize(
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
