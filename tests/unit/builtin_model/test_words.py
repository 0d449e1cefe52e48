from __future__ import annotations

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.asked.meaning import concept_for
from docagent.builtin_model.page.reading import clean_text, is_label, is_true
from docagent.jsonschema import resolved
from docagent.reading.printed import atoms_of, meanings_of
from tests.support.tables import table


@table(
    "name",
    [
        "invoice_number",
        "invoiceNumber",
        "Invoice No.",
        "Rechnungs-Nr.",
        "Rechnungsnummer",
        "Facture n°",
        "Factuurnummer",
    ],
)
def test_names_of_one_thing_mean_the_same(name: str) -> None:
    assert set(meanings_of(name)) == {"invoice", "number"}


def test_with_and_without_tax_are_one_meaning() -> None:
    assert meanings_of("Total excl. VAT") == ("total", "net")
    assert meanings_of("Gesamt inkl. MwSt.") == ("total", "gross")


def test_the_letters_of_a_code_are_no_label() -> None:
    assert [atom.meaning for atom in atoms_of("Invoice INV-2024-17")][:2] == ["invoice", "INV"]


def test_a_misread_letter_is_forgiven_only_when_asked() -> None:
    assert atoms_of("Totai", misread=True)[0].meaning == "total"
    assert atoms_of("Totai")[0].meaning == "totai"


@table(
    ("name", "schema", "kind"),
    [
        ("issue_date", {"type": "string"}, Kind.DATE),
        ("when", {"type": "string", "format": "date"}, Kind.DATE),
        ("grand_total", {"type": "number"}, Kind.AMOUNT),
        ("gross_amount", {"type": "string"}, Kind.AMOUNT),
        ("contract_num", {"type": "string"}, Kind.CODE),
        ("seller_name", {"type": "string"}, Kind.NAME),
        ("registrant", {"type": "string", "description": "The name of the registrant"}, Kind.NAME),
        ("vat", {"type": "string", "description": "The VAT number of the seller"}, Kind.VAT_ID),
        ("flight_from", {"type": "string"}, Kind.DATE),
        ("paid", {"type": "boolean"}, Kind.BOOLEAN),
        ("notes", {"type": "string"}, Kind.TEXT),
        ("headcount", {"type": "integer"}, Kind.NUMBER),
    ],
)
def test_the_kind_of_a_field_follows_its_name_type_and_description(
    name: str, schema: dict[str, str], kind: Kind
) -> None:
    assert field_of(name, schema).kind is kind


def test_the_object_around_a_field_says_whose_it_is() -> None:
    assert field_of("name", {"type": "string"}, ("seller",)).key == "supplier"
    assert field_of("name", {"type": "string"}, ("buyer",)).key == "buyer"


def test_a_description_adds_labels_but_not_what_it_denies() -> None:
    labels = field_of(
        "doc_ref", {"type": "string", "description": "Invoice number, not the order number"}
    ).labels
    assert frozenset({"invoice", "number"}) in labels
    assert frozenset({"order", "number"}) not in labels


def test_references_and_nullable_choices_are_resolved() -> None:
    root = {"definitions": {"money": {"type": "number"}}}
    assert resolved({"$ref": "#/definitions/money", "description": "net"}, root)["type"] == "number"
    assert resolved({"anyOf": [{"type": "null"}, {"type": "string"}]}, root)["type"] == "string"
    assert resolved({"$ref": "#/definitions/missing"}, root) == {}


def test_a_text_value_ends_where_the_next_label_begins() -> None:
    assert clean_text(": Ada Lovelace Phone number: 123") == "Ada Lovelace"
    assert clean_text("Northwind Inc. (20447)") == "Northwind Inc."


def test_labels_are_known_by_their_words() -> None:
    assert is_label("Invoice Date")
    assert is_label("Anything:")
    assert not is_label("Ada Lovelace")


def test_yes_and_no() -> None:
    assert is_true("Yes, by transfer") is True
    assert is_true("nein") is False
    assert is_true("perhaps") is None


@table(
    ("name", "in_row", "key"),
    [
        ("amount_untaxed", False, "net"),
        ("line_total", False, "line_sum"),
        ("line_total", True, "line_amount"),
        ("tax_rate", True, "tax_rate"),
        ("dueDate", False, "due_date"),
        ("agreement_date", False, None),
        ("vessel", False, None),
    ],
)
def test_names_lead_to_concepts(name: str, in_row: bool, key: str | None) -> None:
    concept = concept_for(frozenset(meanings_of(name)), in_row=in_row)
    assert (concept.key if concept else None) == key
