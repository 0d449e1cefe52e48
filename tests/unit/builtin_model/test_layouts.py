from __future__ import annotations

from dataclasses import replace
from typing import Any

from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from tests.unit.layout.made_pages import PageMaker

TEXT, NUMBER, DATE = {"type": "string"}, {"type": "number"}, {"type": "string", "format": "date"}


def schema(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def lines(**columns: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema(**columns)}


def recognised(page: Page, heights: dict[str, float]) -> Page:
    """The page as recognition gives it: some words with boxes far too high."""

    def misjudged(word: Word) -> Word:
        more = heights.get(word.text, 0.0)
        box = Box(word.box.left, word.box.top - more, word.box.right, word.box.bottom + more)
        return replace(word, box=box, source=WordSource.OCR, confidence=0.9)

    return replace(
        page, lines=tuple(Line(tuple(misjudged(word) for word in line.words)) for line in page.lines)
    )


def test_a_letter_without_labels_has_a_sender_and_a_recipient() -> None:
    page = PageMaker()
    page.row(40, {400: "Beispiel Werke GmbH"})
    page.row(54, {400: "Werkstraße 9"})
    page.row(68, {400: "12345 Stadthausen"})
    page.write(60, 100, "Beispiel Werke GmbH \u2022 Werkstraße 9 \u2022 12345 Stadthausen", size=7)
    page.write(60, 120, "Theodor Est")
    page.write(60, 134, "Bahnstr. 42")
    page.write(60, 148, "88802 Spielkreis")
    page.write(60, 200, "Rechnung Nr. 17 vom 01.02.2024")
    filled = fill([page.page()], schema(seller_name=TEXT, buyer_name=TEXT))
    assert filled == {"seller_name": "Beispiel Werke GmbH", "buyer_name": "Theodor Est"}


def test_a_section_names_its_party_with_salutation_and_legal_form() -> None:
    page = PageMaker()
    page.write(60, 60, "Verkäufer:")
    page.write(60, 74, "Nummer: 7")
    page.write(60, 88, "Erster Musterhafter")
    page.write(60, 102, "Verein Musterstadt a.G.")
    page.write(60, 116, "Musterstr. 12")
    page.write(60, 160, "Käufer:")
    page.write(60, 174, "Herrn")
    page.write(60, 188, "Max Mustermann")
    page.write(60, 202, "12346 Musterhausen")
    filled = fill([page.page()], schema(seller_name=TEXT, buyer_name=TEXT))
    assert filled == {
        "seller_name": "Erster Musterhafter Verein Musterstadt a.G.",
        "buyer_name": "Herrn Max Mustermann",
    }


def test_a_name_in_a_cell_of_several_lines_is_kept_whole() -> None:
    page = PageMaker()
    page.row(60, {60: "Advertiser:", 160: "Security Is Strength", 400: "Market:", 460: "Albany"})
    page.row(71, {160: "Committee"})
    page.row(95, {60: "Product:", 160: "Television"})
    filled = fill(
        [page.page()], schema(advertiser={"type": "string", "description": "Name of the advertiser"})
    )
    assert filled == {"advertiser": "Security Is Strength Committee"}


def test_an_empty_label_takes_nothing_from_the_label_below() -> None:
    page = PageMaker()
    page.row(60, {60: "Skipper"})
    page.row(74, {60: "Harbour", 130: "Port Ellen"})
    assert fill([page.page()], schema(skipper=TEXT, harbour=TEXT)) == {
        "skipper": None,
        "harbour": "Port Ellen",
    }


def test_a_sentence_with_the_word_of_a_label_is_no_value() -> None:
    page = PageMaker().write(60, 60, "the borrower shall repay all amounts when they fall due")
    assert fill([page.page()], schema(borrower=TEXT)) == {"borrower": None}


def test_misjudged_boxes_and_parted_decimals_of_recognition() -> None:
    page = PageMaker()
    page.write(60, 60, "Date: 12 Mar 2018")
    page.row(90, {60: "Totai Amount", 300: "65. 20"})
    filled = fill([recognised(page.page(), {"Mar": 0.02})], schema(date=DATE, total=NUMBER))
    assert filled == {"date": "2018-03-12", "total": 65.2}


def test_cash_less_change_decides_between_two_totals() -> None:
    page = PageMaker()
    for top, label, amount in (
        (60, "Total amount", "7.40"),
        (74, "Net total", "7.10"),
        (88, "Cash", "10.00"),
        (102, "Change", "2.90"),
    ):
        page.row(top, {60: label, 300: amount})
    assert fill([page.page()], schema(total=NUMBER)) == {"total": 7.1}


def test_a_column_without_a_readable_heading_is_known_by_multiplication() -> None:
    page = PageMaker()
    page.row(60, {60: "Description", 260: "Quantity", 340: "Unit price", 460: "Xyz"})
    page.row(76, {60: "Lamp", 270: "2", 350: "40.00", 460: "80.00"})
    page.row(92, {60: "Desk", 270: "3", 350: "99.50", 460: "298.50"})
    asked = lines(description=TEXT, quantity=NUMBER, unit_price=NUMBER, amount=NUMBER)
    rows = fill([page.page()], schema(lines=asked))["lines"]
    assert [row["amount"] for row in rows] == [80.0, 298.5]


def test_a_table_skips_subtotals_remarks_and_repeated_headings() -> None:
    first, second = PageMaker(), PageMaker(2)
    heading = {60.0: "Description", 260.0: "Quantity", 340.0: "Unit price", 460.0: "Amount"}
    first.row(60, heading)
    first.row(76, {60: "Lamp", 270: "2", 350: "40.00", 460: "80.00"})
    first.write(60, 92, "List price: 45.00")
    first.row(108, {380: "Subtotal", 460: "80.00"})
    second.write(60, 40, "Page two of the invoice")
    second.row(60, heading)
    second.row(76, {60: "Desk", 270: "3", 350: "99.50", 460: "298.50"})
    second.write(60, 88, "4012345001235")
    second.row(110, {380: "Total", 460: "378.50"})
    second.row(124, {60: "Shipping", 270: "1", 350: "5.00", 460: "5.00"})
    asked = lines(description=TEXT, quantity=NUMBER, amount=NUMBER)
    assert fill([first.page(), second.page()], schema(lines=asked))["lines"] == [
        {"description": "Lamp", "quantity": 2.0, "amount": 80.0},
        {"description": "Desk", "quantity": 3.0, "amount": 298.5},
    ]


def test_a_table_of_words_gives_a_row_for_each_line() -> None:
    page = PageMaker().row(60, {60: "Vessel", 260: "Harbour"})
    page.row(76, {60: "Sea Breeze", 260: "Port Ellen"}).row(92, {60: "Gull", 260: "Oban"})
    rows = fill([page.page()], schema(fleet=lines(vessel=TEXT, harbour=TEXT)))["fleet"]
    assert rows == [{"vessel": "Sea Breeze", "harbour": "Port Ellen"}, {"vessel": "Gull", "harbour": "Oban"}]


def test_the_title_is_the_largest_line() -> None:
    page = PageMaker().write(60, 40, "A study of tides", size=20)
    for line in range(5):
        page.write(60, 80 + 12 * line, "The sea comes in and goes out twice a day.")
    assert fill([page.page()], schema(title=TEXT)) == {"title": "A study of tides"}


def test_whole_numbers_and_codes_as_numbers() -> None:
    page = (
        PageMaker().write(60, 60, "Invoice No: 4711").write(60, 80, "Crew: 12").write(60, 100, "Masts: 2.5")
    )
    whole = {"type": "integer"}
    filled = fill([page.page()], schema(invoice_number=whole, crew=whole, masts=whole))
    assert filled == {"invoice_number": 4711, "crew": 12, "masts": None}
