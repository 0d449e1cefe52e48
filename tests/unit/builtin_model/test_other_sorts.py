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


def test_a_firm_is_no_person_to_contact() -> None:
    assert read(PageMaker().row(40, {60: "Contact", 200: "Comerbe Inc."}), "contact_person") is None
    assert read(PageMaker().row(40, {60: "Contact", 200: "Ann Hill"}), "contact_person") == "Ann Hill"


def test_money_is_no_term_of_payment() -> None:
    page = PageMaker().row(40, {60: "Payment terms", 200: "286,53 EUR"})
    assert read(page, "payment_terms") is None
    page = PageMaker().row(40, {60: "Payment terms", 200: "30 days"})
    assert read(page, "payment_terms") == "30 days"


@table("beginning", ["shall pay the employee", "pay the employee", "Acme will pay"])
def test_a_sum_inside_a_sentence_is_no_total_of_the_paper(beginning: str) -> None:
    page = PageMaker().write(
        60, 40, f"{beginning} a total of $218,000.00, payable as salary for a period of twelve months"
    )
    assert read(page, "receipt_total", kind=NUMBER) is None


@table("line", ["Total amount payable $218,000.00", "Total $218,000.00 payable in a month"])
def test_a_line_with_a_total_may_say_more(line: str) -> None:
    assert read(PageMaker().write(60, 40, line), "total", kind=NUMBER) == 218000.0


def test_what_answers_a_label_with_a_colon_answers_no_heading_above_it() -> None:
    page = PageMaker().row(40, {60: "Qty", 120: "Item", 300: "Weight"})
    page.row(54, {60: "3", 120: "Chair", 300: "34.3"}).row(68, {60: "1", 120: "Desk", 300: "25.9"})
    page.row(82, {200: "Packages:", 300: "11"})
    assert read(page, "total_weight", "The weight of the whole shipment in kg", NUMBER) is None


def test_a_label_that_money_answers_is_not_looked_below_for_a_day() -> None:
    page = PageMaker().row(40, {60: "Due:", 120: "120.00 EUR"}).write(60, 54, "14 March 2024")
    assert read(page, "due_date", kind=DATE) is None
    page = PageMaker().write(60, 40, "Due:").write(60, 54, "14 March 2024")
    assert read(page, "due_date", kind=DATE) == "2024-03-14"


def test_what_was_booked_on_an_account_names_nobody_to_contact() -> None:
    page = PageMaker().write(60, 40, "Extracto de cuenta", size=14)
    page.row(70, {60: "01/08/2024", 160: "Recibo Comercial Martínez", 400: "-176,22"})
    page.row(84, {60: "02/08/2024", 160: "Devolución Comercial Pérez", 400: "355,44"})
    assert read(page, "contact", "Who handles the matter") is None


@table(
    ("title", "number"),
    [
        ("INVOICE", "K387"),
        ("I N V O I C E", "K387"),
        ("Přihláška", None),
        ("W Y C I Ą G B A N K O W Y", None),
    ],
)
def test_the_number_of_a_document_is_that_of_its_kind(title: str, number: str | None) -> None:
    page = PageMaker().write(60, 40, title, size=14).row(70, {60: "Document number:", 200: "K387"})
    assert read(page, "invoice_number") == number


def test_the_next_label_of_a_form_and_its_answer_are_no_answer() -> None:
    page = PageMaker()
    for step, text in enumerate(["3. Place of birth", "4. Nationality", "Italian", "5. Occupation", "Baker"]):
        page.write(60, 60 + 14 * step, text)
    assert read(page, "birth_place", "Place of birth") is None
    assert read(page, "nationality") == "Italian"
    page = PageMaker().write(60, 60, "Nationality").row(74, {60: "Health insurance", 200: "[ ] yes [x] no"})
    assert read(page, "nationality") is None


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


@table(
    "offer",
    [
        "Paiement avant le 14-06-2019, 3 % d'escompte : €10.870,82.",
        "If paid by 14/06/2019, 3 % discount: 10,870.82",
        "Bei Zahlung bis 14.06.2019 3 % Skonto: 10.870,82 EUR",
    ],
)
def test_what_may_be_taken_off_by_who_pays_early_is_an_offer(offer: str) -> None:
    page = PageMaker().row(40, {60: "Amount due:", 200: "11,207.03"}).write(60, 54, offer)
    assert read(page, "discount", kind=NUMBER) is None
    assert read(page, "due_date", kind=DATE) is None


def test_a_discount_without_a_condition_is_one() -> None:
    page = PageMaker().row(40, {60: "Subtotal:", 200: "100.00"}).row(54, {60: "Discount 3 %:", 200: "3.00"})
    assert read(page, "discount", kind=NUMBER) == 3.0


def test_a_bank_account_is_no_number_of_a_customer() -> None:
    page = PageMaker().row(40, {60: "Account number", 200: "PL18774981889572821899911323"})
    assert read(page, "client_id", "Identifier that the seller gave the client") is None
    assert read(page, "account_number") == "PL18774981889572821899911323"


def test_the_next_question_of_a_form_is_no_answer() -> None:
    page = PageMaker().write(60, 40, "In case of emergency:")
    page.row(54, {60: "Do you have health insurance?", 260: "( ) Yes", 320: "( ) No"})
    page.row(68, {60: "Family status", 260: "( ) single", 320: "( ) married"})
    assert read(page, "emergency_contact", "Whom to call in an emergency") is None
    page = PageMaker().write(60, 40, "In case of emergency:").write(60, 54, "Ann Hill")
    assert read(page, "emergency_contact", "Whom to call in an emergency") == "Ann Hill"
