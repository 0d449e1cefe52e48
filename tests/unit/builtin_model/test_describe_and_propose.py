from __future__ import annotations

from typing import Any

from docagent.builtin_model.filling import fill
from docagent.builtin_model.proposals.describing import describe
from docagent.builtin_model.proposals.propose import propose_schema
from docagent.domain.documents.text import Page
from docagent.jsonschema.strict import check_strict
from tests.unit.builtin_model import documents
from tests.unit.layout.made_pages import PageMaker


def test_a_trade_document_is_described_by_what_it_says() -> None:
    described = describe(documents.rechnung())
    assert described["document_type"] == "invoice"
    assert described["document_date"] == "2018-03-05"
    assert described["summary"] == (
        "Invoice: number 471102, from Muster Lieferant GmbH, to Kunden AG Mitte, dated 2018-03-05, "
        "total 529.87 EUR, 2 line items. 2 pages."
    )


def test_other_documents_are_described_by_their_headings() -> None:
    page = PageMaker()
    page.write(60, 40, "Annual report", size=18)
    for line in range(4):
        page.write(60, 70 + 12 * line, "The year went well for everyone who worked at the harbour.")
    page.write(60, 140, "Outlook", size=18)
    for line in range(4):
        page.write(60, 170 + 12 * line, "Next year will bring more ships and a longer quay.")
    described = describe([page.page()])
    assert described["document_type"] == "report"
    assert described["document_date"] is None
    assert described["summary"] == "Outline: Annual report; Outlook. 1 page."


def test_an_empty_document_has_no_kind_and_no_date() -> None:
    assert describe([]) == {"document_type": None, "document_date": None, "summary": "0 pages."}


def test_a_proposed_schema_is_strict_and_fits_its_document() -> None:
    proposed = propose_schema(documents.invoice())
    assert check_strict(proposed).errors == []
    inner = proposed["json_schema"]
    properties = inner["schema"]["properties"]
    assert inner["name"] == "invoice"
    assert {
        "invoice_number",
        "invoice_date",
        "due_date",
        "supplier_name",
        "total_amount",
        "line_items",
    } <= properties.keys()
    assert set(properties["line_items"]["items"]["properties"]) == {
        "description",
        "quantity",
        "unit_price",
        "amount",
    }
    assert all(part["description"] for part in properties.values())
    filled = fill(documents.invoice(), inner["schema"])
    assert filled["total_amount"] == 129.6
    assert len(filled["line_items"]) == 3


def test_labels_of_any_kind_become_fields() -> None:
    pages = [
        PageMaker().row(60, {60: "Vessel name:", 200: "Sea Breeze"}).write(60, 80, "Dues: 1,250.00").page()
    ]
    schema = propose_schema(pages)["json_schema"]["schema"]
    assert schema["properties"]["vessel_name"]["type"] == ["string", "null"]
    assert schema["properties"]["dues"]["type"] == ["number", "null"]
    assert "Vessel name" in schema["properties"]["vessel_name"]["description"]


def test_a_table_without_items_becomes_rows() -> None:
    page = PageMaker()
    page.row(60, {60: "Country", 200: "Population", 330: "Area"})
    for line, (country, people, area) in enumerate(
        [
            ("Norway", "5,400", "385"),
            ("Sweden", "10,400", "450"),
            ("Denmark", "5,800", "43"),
            ("Finland", "5,500", "338"),
        ]
    ):
        page.row(76 + 14 * line, {60: country, 200: people, 330: area})
    schema = propose_schema([page.page()])["json_schema"]["schema"]
    columns = schema["properties"]["rows"]["items"]["properties"]
    assert {name: part["type"][0] for name, part in columns.items()} == {
        "country": "string",
        "population": "number",
        "area": "number",
    }


def test_a_document_that_shows_nothing_still_gets_a_schema() -> None:
    proposed = propose_schema([])
    assert check_strict(proposed).errors == []
    assert list(proposed["json_schema"]["schema"]["properties"]) == ["title"]


def fields_of(pages: list[Page]) -> dict[str, Any]:
    proposed = propose_schema(pages)
    assert check_strict(proposed).errors == []
    return dict(proposed["json_schema"]["schema"]["properties"])


def test_invoices_of_all_makers_and_languages_get_the_same_core() -> None:
    core = set.intersection(
        *(set(fields_of(made())) for made in (documents.invoice, documents.rechnung, documents.facture))
    )
    assert core >= {
        "invoice_number",
        "invoice_date",
        "due_date",
        "supplier_name",
        "customer_name",
        "net_amount",
        "tax_amount",
        "total_amount",
        "currency",
        "line_items",
    }


def test_a_letterhead_gives_no_fields() -> None:
    names = " ".join(fields_of(documents.facture()))
    for word in (
        "tel",
        "fax",
        "mail",
        "site",
        "siret",
        "capital",
        "page",
        "contact",
        "adresse",
        "address",
        "note",
    ):
        assert word not in names.split("_")
    assert "email" not in fields_of(documents.invoice())


def test_what_an_invoice_labels_in_known_words_is_a_field_too() -> None:
    names = fields_of(documents.facture())
    assert "order_number" in names
    assert "customer_number" in names


def test_types_fit_dates_are_dates_and_amounts_are_numbers() -> None:
    fields = fields_of(documents.facture())
    for name in ("invoice_date", "due_date"):
        assert fields[name]["format"] == "date"
        assert fields[name]["type"] == ["string", "null"]
    for name in ("net_amount", "tax_amount", "total_amount"):
        assert fields[name]["type"] == ["number", "null"]
    assert fields["line_items"]["items"]["properties"]["amount"]["type"] == ["number", "null"]


def test_a_till_receipt_is_a_receipt_whatever_its_heading() -> None:
    assert list(fields_of(documents.receipt()))[:4] == list(fields_of(documents.till_invoice()))[:4]
    assert propose_schema(documents.till_invoice())["json_schema"]["name"] == "receipt"


def test_numbered_boxes_of_a_form_are_labels() -> None:
    page = PageMaker()
    page.row(60, {60: "1. Name of Registrant", 340: "2. Registration No."})
    page.row(74, {60: "The Gallagher Group, LLC", 340: "6277"})
    page.row(100, {60: "47. Legend Hills Drive"})
    pages = [page.page()]
    schema = propose_schema(pages)["json_schema"]["schema"]
    assert fill(pages, schema) == {
        "name_of_registrant": "The Gallagher Group, LLC",
        "registration_number": "6277",
    }


def test_what_a_field_holds_already_is_no_field_again() -> None:
    page = PageMaker()
    page.write(60, 40, "INVOICE", size=14)
    page.row(60, {60: "Invoice No: 17", 340: "Date: 05.03.2024"})
    page.row(74, {60: "Due: 04.04.2024"})
    page.row(88, {60: "Order date: 01.03.2024", 340: "Page: 1"})
    names = fields_of([page.page()])
    assert "order_date" in names
    assert not names.keys() & {"due", "page"}


def test_a_contract_is_read_from_its_sentences() -> None:
    pages = documents.agreement()
    proposed = propose_schema(pages)["json_schema"]
    assert proposed["name"] == "contract"
    assert fill(pages, proposed["schema"]) == {
        "effective_date": "2008-09-01",
        "first_party": "Northwind Traders, Inc.",
        "second_party": "Ada Byron",
        "governing_law": "Colorado",
        "duration": "two (2) years",
    }


def test_every_value_of_a_proposal_stands_in_the_document() -> None:
    for made in (documents.invoice, documents.rechnung, documents.receipt, documents.agreement):
        pages = made()
        printed = "".join("".join(page.text for page in pages).split())
        filled = fill(pages, propose_schema(pages)["json_schema"]["schema"])
        for name in ("invoice_number", "merchant_name", "first_party", "second_party", "governing_law"):
            value = filled.get(name)
            assert value is None or "".join(value.split()) in printed
