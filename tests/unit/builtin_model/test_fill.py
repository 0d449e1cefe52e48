from __future__ import annotations

from typing import Any

from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Page
from tests.support.tables import table
from tests.unit.builtin_model import documents
from tests.unit.layout.made_pages import PageMaker

TEXT, NUMBER, DATE = {"type": "string"}, {"type": "number"}, {"type": "string", "format": "date"}
LINES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": TEXT, "quantity": NUMBER, "unit_price": NUMBER, "line_total": NUMBER},
    },
}


def schema(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_an_invoice_is_read_by_labels_layout_and_arithmetic() -> None:
    filled = fill(
        documents.invoice(),
        schema(
            invoice_number=TEXT,
            invoice_date=DATE,
            due_date=DATE,
            order_number=TEXT,
            supplier_name=TEXT,
            supplier_address=TEXT,
            customer_name=TEXT,
            net_total=NUMBER,
            tax=NUMBER,
            total=NUMBER,
            currency=TEXT,
            iban=TEXT,
            email=TEXT,
            phone=TEXT,
        ),
    )
    assert filled == {
        "invoice_number": "NW-2024-0042",
        "invoice_date": "2024-03-05",
        "due_date": "2024-04-04",
        "order_number": "PO-7788",
        "supplier_name": "Northwind Traders Ltd.",
        "supplier_address": "12 Harbour Street London SW1A 2AA",
        "customer_name": "Contoso Retail Inc.",
        "net_total": 108.0,
        "tax": 21.6,
        "total": 129.6,
        "currency": "USD",
        "iban": "GB82 WEST 1234 5698 7654 32",
        "email": "sales@northwind.example",
        "phone": None,
    }


def test_line_items_follow_the_headings_of_their_table() -> None:
    lines = fill(documents.invoice(), schema(lines=LINES))["lines"]
    assert lines == [
        {"name": "Blue folders A4", "quantity": 10, "unit_price": 2.5, "line_total": 25.0},
        {"name": "Desk lamp with warm light", "quantity": 2, "unit_price": 40.0, "line_total": 80.0},
        {"name": "Paper clips", "quantity": 3, "unit_price": 1.0, "line_total": 3.0},
    ]


def test_a_german_invoice_answers_english_names() -> None:
    filled = fill(
        documents.rechnung(),
        schema(
            invoice_number=TEXT,
            issue_date=DATE,
            seller_name=TEXT,
            buyer_name=TEXT,
            currency=TEXT,
            line_total=NUMBER,
            tax_basis=NUMBER,
            tax_total=NUMBER,
            grand_total=NUMBER,
            due_payable=NUMBER,
        ),
    )
    assert filled == {
        "invoice_number": "471102",
        "issue_date": "2018-03-05",
        "seller_name": "Muster Lieferant GmbH",
        "buyer_name": "Kunden AG Mitte",
        "currency": "EUR",
        "line_total": 473.0,
        "tax_basis": 473.0,
        "tax_total": 56.87,
        "grand_total": 529.87,
        "due_payable": 529.87,
    }


def test_a_table_goes_on_over_the_page() -> None:
    lines = fill(documents.rechnung(), schema(lines=LINES))["lines"]
    assert [(line["name"], line["quantity"], line["line_total"]) for line in lines] == [
        ("Trennblätter A4", 20, 198.0),
        ("Joghurt Banane", 50, 275.0),
    ]


def test_a_receipts_total_is_neither_cash_nor_change_nor_unrounded() -> None:
    filled = fill(documents.receipt(), schema(company=TEXT, address=TEXT, date=DATE, total=NUMBER))
    assert filled == {
        "company": "SUNNY CORNER TRADING SDN BHD",
        "address": "12, Jalan Tampoi 7/4, Kawasan Perindustrian 81200 Johor Bahru, Johor",
        "date": "2018-03-18",
        "total": 8.2,
    }


def test_the_words_of_a_plain_german_invoice() -> None:
    page = PageMaker()
    for top, label, amount in (
        (60, "Gesamtbetrag netto", "1.000,00 €"),
        (74, "zzgl. 19% MwSt.", "190,00 €"),
        (88, "Rechnungsbetrag", "1.190,00 €"),
    ):
        page.row(top, {60: label, 300: amount})
    filled = fill(
        [page.page()], schema(net_amount=NUMBER, vat_amount=NUMBER, grand_total=NUMBER, due_payable=NUMBER)
    )
    assert filled == {"net_amount": 1000.0, "vat_amount": 190.0, "grand_total": 1190.0, "due_payable": 1190.0}


def test_values_below_their_labels_spans_and_rows_of_totals() -> None:
    filled = fill(
        documents.contract(),
        schema(
            contract_num=TEXT,
            advertiser={"type": "string", "description": "The name of the advertiser"},
            flight_from=DATE,
            flight_to=DATE,
            gross_amount=NUMBER,
        ),
    )
    assert filled == {
        "contract_num": "2016819",
        "advertiser": "Citizens for Clean Rivers",
        "flight_from": "2020-06-02",
        "flight_to": "2020-06-28",
        "gross_amount": 1025.0,
    }


def test_the_ends_of_a_span_with_labels_of_their_own() -> None:
    page = PageMaker().row(
        60, {60: "Flight start:", 160: "05/19/2020", 300: "Flight end:", 400: "05/22/2020"}
    )
    filled = fill([page.page()], schema(flight_from=DATE, flight_to=DATE))
    assert filled == {"flight_from": "2020-05-19", "flight_to": "2020-05-22"}


def test_objects_inside_objects_and_nullable_types() -> None:
    party = {"type": "object", "properties": {"name": {"type": ["string", "null"]}}}
    filled = fill(
        documents.rechnung(),
        schema(seller=party, buyer=party, totals=schema(gross_total={"type": ["number", "null"]})),
    )
    assert filled == {
        "seller": {"name": "Muster Lieferant GmbH"},
        "buyer": {"name": "Kunden AG Mitte"},
        "totals": {"gross_total": 529.87},
    }


def test_amounts_stay_as_printed_when_text_is_asked_for() -> None:
    assert fill(documents.invoice(), schema(total=TEXT)) == {"total": "$129.60"}


@table(
    ("text", "expected"), [("Amendment to the Registration Statement", "Amendment"), ("Something else", None)]
)
def test_a_choice_is_taken_from_the_headings(text: str, expected: str | None) -> None:
    pages = [PageMaker().write(60, 40, text, size=14).page()]
    choices = {"type": "string", "enum": ["Registration Statement", "Amendment"]}
    assert fill(pages, schema(form_type=choices)) == {"form_type": expected}


def test_yes_and_no_beside_a_label() -> None:
    pages = [PageMaker().write(60, 40, "Taxable: yes").write(60, 60, "Exported: no").page()]
    flag = {"type": "boolean"}
    assert fill(pages, schema(taxable=flag, exported=flag, insured=flag)) == {
        "taxable": True,
        "exported": False,
        "insured": None,
    }


def test_boxes_are_ticked_or_not() -> None:
    page = PageMaker().box(40, 60, checked=True, label="Corrected").box(60, 60, checked=False, label="Void")
    flag = {"type": "boolean"}
    assert fill([page.page()], schema(corrected=flag, void=flag)) == {"corrected": True, "void": False}


def test_a_field_of_any_name_is_found_by_its_own_words() -> None:
    pages = [
        PageMaker()
        .row(60, {60: "Vessel name:", 200: "Sea Breeze"})
        .write(60, 80, "Hull colour: navy blue")
        .page()
    ]
    filled = fill(pages, schema(vessel_name=TEXT, hull_colour=TEXT, port_of_registry=TEXT))
    assert filled == {"vessel_name": "Sea Breeze", "hull_colour": "navy blue", "port_of_registry": None}


@table(
    "pages", [[], [PageMaker().page()], [PageMaker().write(60, 60, "It rained all day by the sea.").page()]]
)
def test_nothing_is_invented(pages: list[Page]) -> None:
    asked = schema(
        invoice_number=TEXT,
        date=DATE,
        due_date=DATE,
        supplier_name=TEXT,
        customer_name=TEXT,
        total=NUMBER,
        tax=NUMBER,
        currency=TEXT,
        iban=TEXT,
        address=TEXT,
        lines=LINES,
    )
    assert fill(pages, asked) == dict.fromkeys(asked["properties"]) | {"lines": []}


def test_the_same_document_gives_the_same_answer() -> None:
    asked = schema(invoice_number=TEXT, total=NUMBER, supplier_name=TEXT, lines=LINES)
    assert fill(documents.invoice(), asked) == fill(documents.invoice(), asked)


def test_schemas_that_contain_themselves_come_to_an_end() -> None:
    node = {
        "type": "object",
        "properties": {name: {"$ref": "#/definitions/node"} for name in "abcde"} | {"total": NUMBER},
    }
    asked = {"definitions": {"node": node}, **schema(first={"$ref": "#/definitions/node"})}
    assert fill(documents.invoice(), asked)["first"]["total"] == 129.6


def test_parts_of_a_schema_are_taken_together() -> None:
    asked = {
        "allOf": [schema(total=NUMBER), {"$ref": "#/definitions/dated"}],
        "definitions": {"dated": schema(date=DATE)},
    }
    assert fill(documents.invoice(), asked) == {"total": 129.6, "date": "2024-03-05"}


@table("word", ["a" * 50_000, "1" * 50_000, "A1" * 25_000, "a." * 25_000, "(" + "12-" * 20_000])
def test_endless_words_are_read_at_ease(word: str) -> None:
    pages = [PageMaker().write(60, 40, f"Total: {word}").write(60, 60, f"{word} IBAN {word}").page()]
    asked = schema(
        total=NUMBER, iban=TEXT, email=TEXT, website=TEXT, supplier_name=TEXT, address=TEXT, vat_id=TEXT
    )
    assert set(fill(pages, asked)) == set(asked["properties"])


@table("label", ["Vendor", "Supplier", "Seller", "Verkäufer"])
@table("firm", ["ACME GmbH", "Acme Ltd", "Contoso AG"])
@table("name", ["vendor", "vendor_name", "supplier"])
def test_a_short_firm_right_after_its_label(label: str, firm: str, name: str) -> None:
    page = PageMaker()
    page.write(60, 60, "Invoice 4711")
    page.write(60, 80, f"{label}: {firm}")
    page.write(60, 100, "Total: 99.50 EUR")
    assert fill([page.page()], schema(**{name: TEXT})) == {name: firm}


def test_a_word_of_a_firms_name_is_no_label() -> None:
    page = PageMaker()
    page.write(60, 60, "Notes")
    page.write(60, 80, "Supplier GmbH")
    assert fill([page.page()], schema(vendor=TEXT))["vendor"] != "GmbH"
