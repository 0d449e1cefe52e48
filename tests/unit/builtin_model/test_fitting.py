"""Whether a schema fits a document: by its content, whatever it is called."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from docagent.builtin_model import Fit, fit, fits, propose_schema, shared
from docagent.domain.documents.text import Page
from tests.unit.builtin_model import documents
from tests.unit.layout.made_pages import PageMaker

Pages = list[Page]
TEXT, NUMBER = {"type": "string"}, {"type": "number"}
BY_HAND = {"invoice_no": TEXT, "supplier": TEXT, "date": TEXT, "amount_due": NUMBER}


def schema(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def rows(**columns: Any) -> dict[str, Any]:
    return {"type": "array", "items": schema(columns)}


def proposed(pages: Pages) -> dict[str, Any]:
    return dict(propose_schema(pages)["json_schema"]["schema"])


def statement() -> Pages:
    page = PageMaker()
    page.write(60, 40, "Bank statement", size=14)
    page.row(80, {60: "Account holder:", 200: "Ada Byron"})
    page.row(94, {60: "Account number:", 200: "DE12 3456 7890"})
    page.row(108, {60: "Date:", 200: "31.01.2024"})
    page.row(122, {60: "Opening balance:", 200: "100,00 EUR"})
    page.row(136, {60: "Closing balance:", 200: "75,50 EUR"})
    page.row(160, {60: "Date", 160: "Description", 400: "Amount"})
    page.row(174, {60: "02.01.2024", 160: "Rent", 400: "-30,00"})
    page.row(188, {60: "05.01.2024", 160: "Books", 400: "5,50"})
    return [page.page()]


def form() -> Pages:
    page = PageMaker()
    for line, (label, value) in enumerate(
        (("Vessel name", "Sea Breeze"), ("Flag", "Norway"), ("Port of call", "Bergen"), ("Dues", "1,250.00"))
    ):
        page.row(60 + 14 * line, {60: f"{label}:", 200: value})
    return [page.page()]


def delivery_note() -> Pages:
    page = PageMaker()
    page.write(60, 40, "Lieferschein", size=14)
    page.write(60, 58, "Nord Handel GmbH")
    page.row(90, {60: "Lieferschein-Nr.: L-889", 340: "Lieferdatum: 07.05.2024"})
    page.row(104, {60: "Bestellnummer: B-77", 340: "Kundennummer: 991"})
    page.row(130, {60: "Artikel", 300: "Menge"})
    page.row(144, {60: "Schrauben M6", 300: "200"})
    return [page.page()]


KINDS: dict[str, list[Callable[[], Pages]]] = {
    "invoice": [documents.invoice, documents.rechnung, documents.facture],
    "receipt": [documents.receipt, documents.till_invoice],
    "order": [documents.contract],
    "agreement": [documents.agreement],
    "statement": [statement],
    "delivery note": [delivery_note],
    "form": [form],
}
OTHERS = [
    pytest.param(made, other, id=f"{made.__name__} on {other.__name__}")
    for one, another in permutations(KINDS, 2)
    for made in KINDS[one]
    for other in KINDS[another]
]
SAME = [
    pytest.param(made, other, id=f"{made.__name__} on {other.__name__}")
    for makers in KINDS.values()
    for made in makers
    for other in makers
]


@pytest.mark.parametrize(("made", "other"), SAME)
def test_a_schema_fits_documents_of_its_kind(made: Callable[[], Pages], other: Callable[[], Pages]) -> None:
    found = fit(other(), proposed(made()))
    assert found.fits
    assert 0 < found.filled <= found.fields
    assert found.alike > 0.5


@pytest.mark.parametrize(("made", "other"), OTHERS)
def test_a_schema_fits_no_document_of_another_kind(
    made: Callable[[], Pages], other: Callable[[], Pages]
) -> None:
    assert not fit(other(), proposed(made())).fits


@pytest.mark.parametrize("made", KINDS["invoice"])
def test_other_names_for_the_same_things_fit(made: Callable[[], Pages]) -> None:
    assert fit(made(), schema(BY_HAND)).fits
    nested = {
        "rechnungsnummer": TEXT,
        "rechnungsdatum": {"type": ["string", "null"], "format": "date"},
        "vendor": schema({"name": TEXT}),
        "net_total": NUMBER,
        "vat_amount": NUMBER,
        "grand_total": NUMBER,
        "items": rows(product=TEXT, qty=NUMBER, price=NUMBER, total=NUMBER),
    }
    assert fit(made(), schema(nested)).fits


@pytest.mark.parametrize("made", [documents.receipt, documents.till_invoice, documents.contract, statement])
def test_an_invoice_schema_made_by_hand_fits_nothing_else(made: Callable[[], Pages]) -> None:
    assert not fit(made(), schema(BY_HAND)).fits


@pytest.mark.parametrize("made", [one for makers in KINDS.values() for one in makers])
@pytest.mark.parametrize(
    "fields",
    [
        {"name": TEXT, "date": TEXT},
        {"title": TEXT, "date": TEXT},
        {"name": TEXT, "date": TEXT, "total": NUMBER},
        {"date": TEXT},
        {},
    ],
    ids=str,
)
def test_fields_that_everything_fills_fit_nothing(made: Callable[[], Pages], fields: dict[str, Any]) -> None:
    assert not fit(made(), schema(fields)).fits


def test_the_right_name_with_the_wrong_fields_does_not_fit() -> None:
    wrong = schema({"hull_number": TEXT, "captain": TEXT, "draught": NUMBER, "berth": TEXT}) | {
        "title": "Invoice"
    }
    assert not fit(documents.invoice(), wrong).fits


def test_the_right_fields_with_the_wrong_types_do_not_fit() -> None:
    swapped = {"string": NUMBER, "number": TEXT, "array": TEXT}
    right = proposed(documents.invoice())["properties"]
    wrong = {
        name: next(swapped[one] for one in ("array", "number", "string") if one in part["type"])
        for name, part in right.items()
    }
    found = fit(documents.invoice(), schema(wrong))
    assert not found.fits
    assert found.alike < 0.2
    assert not fit(documents.invoice(), schema({name: {"type": "boolean"} for name in right})).fits


def test_a_schema_that_asks_for_much_more_does_not_fit() -> None:
    more = {f"measure_{letter}": TEXT for letter in "abcdefghijklmnop"}
    assert not fit(documents.invoice(), schema(BY_HAND | more)).fits


def test_filled_and_fields_are_counted_with_a_list_as_one_field() -> None:
    own = proposed(documents.rechnung())
    found = fit(documents.rechnung(), own)
    assert (found.filled, found.fields, found.alike) == (12, 13, 1.0)


def test_several_schemas_are_judged_each_as_alone() -> None:
    candidates = [proposed(made()) for makers in KINDS.values() for made in makers]
    together = fits(documents.invoice(), candidates)
    assert together == [fit(documents.invoice(), one) for one in candidates]


def test_a_document_without_text_fits_nothing() -> None:
    assert fit([], proposed(documents.invoice())) == Fit(0, 12, 0.0, fits=False)


def test_a_schema_that_is_no_object_fits_nothing() -> None:
    for strange in ({}, {"type": "array", "items": TEXT}, {"properties": None}, {"$ref": "#"}):
        assert not fit(documents.invoice(), strange).fits


def test_a_title_and_a_date_alone_fit_no_other_paper() -> None:
    page = PageMaker().write(60, 40, "Notes of a walk", size=14).row(70, {60: "Date: 05.03.2024"})
    own = {
        "type": "object",
        "properties": {"title": {"type": "string"}, "document_date": {"type": "string", "format": "date"}},
    }
    assert not fit([page.page()], own).fits


def bill(number: int) -> Pages:
    """Invoices of three designs, with and without lines, due dates and captions of their own."""
    page = PageMaker()
    title, due, own = (("Invoice", "Due date:", "Project:"), ("Rechnung", "Fällig am:", "Objekt:"))[
        number % 2
    ]
    page.write(60, 40, title, size=14)
    page.write(60, 58, ("Northwind Ltd", "Nord Handel GmbH", "Acme Works Inc")[number % 3])
    labels = (("Invoice number:", "Invoice date:"), ("Rechnungsnummer:", "Rechnungsdatum:"))[number % 2]
    page.row(90, {60: labels[0], 200: f"R-{4000 + number}"})
    page.row(104, {60: labels[1], 200: f"{number + 1:02}.03.2024"})
    if number % 3:
        page.row(118, {60: due, 200: f"{number + 2:02}.04.2024"})
    if number % 4 == 0:
        page.row(132, {60: own, 200: f"Harbour wall {number}"})
    if number % 3 == 2:
        page.row(160, {60: ("Description", "Bezeichnung")[number % 2], 400: ("Amount", "Betrag")[number % 2]})
        page.row(174, {60: "Dredging", 400: f"{80 + number}.00"})
        page.row(188, {60: "Towing", 400: "20.00"})
    page.row(220, {60: ("Total:", "Gesamtbetrag:")[number % 2], 400: f"{100 + number}.00 EUR"})
    return [page.page()]


def test_alike_papers_come_to_the_same_groups_in_any_order() -> None:
    """As they are prepared one after the other: each joins a schema that fits, or brings its own."""
    bills = [bill(number) for number in range(18)]
    papers = {**dict(enumerate(bills)), 18: statement(), 19: form()}
    own = {number: proposed(pages) for number, pages in papers.items()}

    def groups(order: list[int]) -> set[frozenset[int]]:
        schemas: list[dict[str, Any]] = []
        members: list[set[int]] = []
        for number in order:
            judged = fits(papers[number], schemas)
            fitting = [place for place, one in enumerate(judged) if one.fits]
            if fitting:
                members[max(fitting, key=lambda place: (judged[place].alike, judged[place].filled))].add(
                    number
                )
            else:
                schemas.append(own[number])
                members.append({number})
        merged: list[tuple[dict[str, Any], set[int]]] = []
        for place in sorted(range(len(schemas)), key=lambda place: -len(members[place])):
            for head, inside in merged:
                if shared(head, schemas[place]).is_heart:
                    inside |= members[place]
                    break
            else:
                merged.append((schemas[place], members[place]))
        return {frozenset(inside) for _, inside in merged}

    every = list(papers)
    shuffled = sorted(every, key=lambda number: number * 7 % 20)
    found = groups(every)
    assert found == {frozenset(range(18)), frozenset({18}), frozenset({19})}
    assert groups(every[::-1]) == groups(shuffled) == found


def test_what_two_schemas_share_is_found_by_name_then_by_meaning() -> None:
    one = schema(
        {"invoice_number": TEXT, "total": NUMBER, "supplier": TEXT, "lines": rows(text=TEXT, amount=NUMBER)}
    )
    other = schema(
        {"invoice_no": TEXT, "total": NUMBER, "supplier": NUMBER, "positions": rows(line_total=NUMBER)}
    )
    found = shared(one, other)
    assert dict(found.names) == {"total": "total", "invoice_no": "invoice_number", "positions": "lines"}
    assert dict(found.columns["positions"]) == {"line_total": "amount"}
    assert found.is_heart
    assert not shared(one, proposed(statement())).is_heart
    assert not shared(proposed(documents.receipt()), proposed(documents.contract())).is_heart
