from __future__ import annotations

from docagent.builtin_model.describing import describe
from docagent.builtin_model.filling import fill
from docagent.builtin_model.propose import propose_schema
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
        "date",
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
    assert schema["properties"]["vessel_name"] == {"type": "string", "description": "Vessel name"}
    assert schema["properties"]["dues"] == {"type": "number", "description": "Dues"}


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
    assert list(schema["properties"]["rows"]["items"]["properties"]) == ["country", "population", "area"]


def test_a_document_that_shows_nothing_still_gets_a_schema() -> None:
    proposed = propose_schema([])
    assert check_strict(proposed).errors == []
    assert list(proposed["json_schema"]["schema"]["properties"]) == ["title"]
