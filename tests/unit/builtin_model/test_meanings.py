"""What fields mean, whatever they are called."""

from __future__ import annotations

from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from tests.support.tables import table

TEXT: dict[str, Any] = {"type": ["string", "null"]}
NUMBER: dict[str, Any] = {"type": ["number", "null"]}
DAY: dict[str, Any] = {"type": ["string", "null"], "format": "date"}


@table(
    ("name", "schema", "key"),
    [
        ("stillToPay", NUMBER, "due_payable"),
        ("waehrung", TEXT, "currency"),
        ("date_echeance", DAY, "due_date"),
        ("importe_sin_iva", NUMBER, "net"),
        ("totale_ivato", NUMBER, "total"),
        ("morada_fornecedor", TEXT, "address"),
        ("factuurnummer", TEXT, "invoice_number"),
        ("stawka", {**NUMBER, "description": "Stawka VAT"}, ""),
        ("odberatel", TEXT, "buyer"),
        ("förfallodag", DAY, "due_date"),
        ("supplierEmail", TEXT, "email"),
        ("opzegtermijn", TEXT, "notice_period"),
    ],
)
def test_names_of_ten_languages_have_one_meaning(name: str, schema: dict[str, Any], key: str) -> None:
    assert field_of(name, schema).key == key


@table(
    ("description", "schema", "key"),
    [
        ("what the customer still has to pay", NUMBER, "due_payable"),
        ("Betrag ohne Mehrwertsteuer", NUMBER, "net"),
        ("Data di emissione della fattura", DAY, "invoice_date"),
        ("IBAN du bénéficiaire", TEXT, "iban"),
        ("Date printed on the receipt", DAY, "invoice_date"),
        ("State whose laws apply to the contract", TEXT, "governing_law"),
        ("the place whose legislation governs the deal", TEXT, "governing_law"),
        ("Staat, dessen Gesetze für den Vertrag gelten", TEXT, "governing_law"),
        ("the day on which the agreement enters into force", DAY, "effective_date"),
        ("Giorno da cui decorre il contratto", DAY, "effective_date"),
        ("time for which secrecy must be kept", TEXT, "duration"),
        ("Nomi delle parti del contratto", TEXT, "parties"),
    ],
)
def test_a_name_that_says_nothing_leaves_it_to_the_description(
    description: str, schema: dict[str, Any], key: str
) -> None:
    assert field_of("field_7", {**schema, "description": description}).key == key


@table(
    ("name", "schema", "key"),
    [
        ("due_date", {**DAY, "description": "When the contract price must be paid"}, "due_date"),
        ("law_firm", {**TEXT, "description": "The law firm of the state"}, ""),
        ("platne_do", {**DAY, "description": "Płatne do"}, "due_date"),
    ],
)
def test_words_of_contracts_do_not_take_what_is_about_something_else(
    name: str, schema: dict[str, Any], key: str
) -> None:
    assert field_of(name, schema).key == key


def test_the_type_decides_between_a_date_and_an_amount() -> None:
    assert field_of("due", DAY).key == "due_date"
    assert field_of("due", NUMBER).key == "due_payable"


def test_a_description_is_about_its_first_noun() -> None:
    asked = field_of("siren", {**TEXT, "description": "The French company number of the supplier"})
    assert asked.key == ""


def test_a_word_for_something_that_lasts_asks_for_no_date() -> None:
    assert field_of("flight", {**TEXT, "description": "Which flight is booked"}).kind is not Kind.DATE


def test_a_name_may_ask_for_the_number_of_whatever_paper_it_is() -> None:
    labels = field_of("contractOrInvoiceNumber", TEXT).labels
    assert frozenset({"contract", "number"}) in labels
    assert frozenset({"invoice", "number"}) in labels


def test_terms_and_places_have_kinds_of_their_own() -> None:
    assert field_of("duration_of_contract", TEXT).kind is Kind.DURATION
    assert field_of("applicable_law", TEXT).kind is Kind.PLACE
    assert field_of("elapsed", {**TEXT, "format": "duration"}).kind is Kind.DURATION
