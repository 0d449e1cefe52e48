"""Papers that were scanned turned, forms in boxes, values in pieces, and what only looks like a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.proposals.propose import propose_schema
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from tests.support.tables import table
from tests.unit.builtin_model import documents
from tests.unit.layout.made_pages import PageMaker

TEXT: dict[str, Any] = {"type": ["string", "null"]}
NUMBER: dict[str, Any] = {"type": ["number", "null"]}
DAY: dict[str, Any] = {"type": ["string", "null"], "format": "date"}


def read(pages: list[Page], **properties: dict[str, Any]) -> dict[str, Any]:
    return fill_sheet(sheet_of(pages), {"type": "object", "properties": properties})


def moved(page: Page, move: Callable[[Box], Box], *, sideways: bool = False) -> Page:
    """The page as a scanner gives it that got the sheet in another way."""
    lines = tuple(
        Line(tuple(replace(word, box=move(word.box), source=WordSource.OCR) for word in words))
        for line in page.lines
        for words in parted(line)
    )
    width, height = (page.height, page.width) if sideways else (page.width, page.height)
    return replace(page, lines=lines, width=width, height=height)


def parted(line: Line) -> list[list[Word]]:
    """The words of a line as recognition finds them: columns are lines of their own."""
    parts = [[line.words[0]]]
    for before, word in pairwise(line.words):
        if word.box.left - before.box.right > 0.08:
            parts.append([])
        parts[-1].append(word)
    return parts


def falling(box: Box) -> Box:
    by = 0.06 * (box.left + box.right) / 2
    return Box(box.left, box.top + by, box.right, box.bottom + by)


@table(
    ("move", "sideways"),
    [
        (lambda box: Box(1 - box.bottom, box.left, 1 - box.top, box.right), True),
        (lambda box: Box(box.top, 1 - box.right, box.bottom, 1 - box.left), True),
        (lambda box: Box(1 - box.right, 1 - box.bottom, 1 - box.left, 1 - box.top), False),
        (falling, False),
    ],
)
def test_a_scan_is_read_however_the_sheet_lay(move: Callable[[Box], Box], sideways: bool) -> None:
    remarks = PageMaker()
    for number in range(6):
        remarks.write(
            60, 500 + 14 * number, "Goods remain our property until they are paid in full by the buyer."
        )
    pages = [
        moved(replace(page, lines=page.lines + remarks.page().lines), move, sideways=sideways)
        for page in documents.invoice()
    ]
    asked = {"invoice_number": TEXT, "due_date": DAY, "total": NUMBER, "customer_name": TEXT}
    assert read(pages, **asked) == read(documents.invoice(), **asked)


def test_a_script_from_right_to_left_is_not_upside_down() -> None:
    page = PageMaker()
    for number in range(6):
        page.write(60, 60 + 20 * number, "one two three four")
    plain = page.page()
    mirrored = replace(plain, lines=tuple(Line(line.words[::-1]) for line in plain.lines))
    assert [row[0].top for row in sheet_of([mirrored]).rows] == [row[0].top for row in sheet_of([plain]).rows]


def receipt(*head: str) -> list[Page]:
    page = PageMaker()
    for number, line in enumerate(head):
        page.write(60, 40 + 14 * number, line)
    page.row(160, {60: "Tea", 300: "4.00"})
    page.row(174, {60: "Cake", 300: "6.00"})
    page.row(188, {60: "TOTAL", 300: "10.00"})
    return [page.page()]


def test_the_page_begins_with_its_sender_though_only_the_recipient_has_a_legal_form() -> None:
    page = PageMaker()
    for top, line in (
        (40, "Lehmann Garten"),
        (54, "Hauptstraße 12"),
        (68, "04109 Leipzig"),
        (82, "Telefon: 0341 123456"),
        (104, "Kranbau Nord GmbH"),
        (118, "Hafenstraße 3"),
        (132, "20457 Hamburg"),
        (180, "Rechnung 12"),
    ):
        page.write(60, top, line)
    page.row(200, {60: "Summe", 300: "20,00"}).row(214, {60: "Steuer", 300: "5,00"})
    assert read([page.page()], supplier_name=TEXT) == {"supplier_name": "Lehmann Garten"}


def test_an_account_number_is_not_the_number_of_anything_else() -> None:
    page = PageMaker().write(60, 60, "Customer no. ES91 2100 0418 4502 0005 1332")
    assert read([page.page()], customer_number=TEXT) == {"customer_number": None}


def test_a_choice_is_ticked_in_parentheses_that_are_two_words_when_empty() -> None:
    page = PageMaker().write(60, 60, "Status: ( ) single ( ) married (x) widowed")
    asked = {**TEXT, "enum": ["single", "married", "widowed", None]}
    assert read([page.page()], marital_status=asked) == {"marital_status": "widowed"}


def test_an_empty_numbered_box_does_not_take_the_next_ones_label() -> None:
    page = PageMaker()
    page.write(60, 60, "7. Nationality").write(60, 74, "8. E-mail").write(60, 88, "9. Occupation")
    assert read([page.page()], nationality=TEXT) == {"nationality": None}


def test_terms_on_the_back_are_no_rows_of_the_table() -> None:
    front = PageMaker()
    front.row(60, {60: "Qty", 140: "Code", 240: "Article", 420: "Weight"})
    front.row(80, {60: "2", 140: "JT-721", 240: "Garden hose", 420: "4.5"})
    front.row(96, {60: "5", 140: "IL-793", 240: "Adhesive tape", 420: "34.1"})
    back = PageMaker(2)
    for number, (left, right) in enumerate(
        (
            ("goods stay ours until they are paid", "claims must be made within eight days"),
            ("nobody is liable for acts of nature", "the court of the seller shall decide"),
        )
    ):
        back.row(60 + 16 * number, {60: f"{number + 1}. {left}", 330: f"{number + 1}. {right}"})
    rows = {"type": "object", "properties": {"quantity": NUMBER, "item_code": TEXT, "article": TEXT}}
    found = read([front.page(), back.page()], items={"type": "array", "items": rows})
    assert [row["item_code"] for row in found["items"]] == ["JT-721", "IL-793"]


def test_heads_that_stand_close_part_the_cells_below_them() -> None:
    page = PageMaker()
    page.row(60, {60: "Qty Code", 200: "Service", 360: "Price", 480: "Total"})
    page.row(80, {60: "1 6775-51", 200: "Installation", 360: "54.22", 480: "54.22"})
    page.row(96, {60: "3 4968-89", 200: "White paint", 360: "49.11", 480: "147.33"})
    rows = {"type": "object", "properties": {"code": TEXT, "service": TEXT, "total": NUMBER}}
    found = read([page.page()], items={"type": "array", "items": rows})
    assert [row["code"] for row in found["items"]] == ["6775-51", "4968-89"]


def test_a_sentence_may_begin_with_the_documents_total() -> None:
    page = PageMaker().write(60, 60, "Total 534.72 payable within thirty days from the date of this bill.")
    assert read([page.page()], total={**NUMBER, "description": "The total with tax"}) == {"total": 534.72}


def test_where_decimals_have_commas_days_stand_before_months() -> None:
    page = PageMaker()
    page.write(60, 60, "Facture du 09/08/2013").write(60, 80, "Tel. (889) 641-1887")
    page.row(120, {60: "Total", 300: "77,74"}).row(134, {60: "TVA", 300: "12,95"})
    assert read([page.page()], invoice_date=DAY) == {"invoice_date": "2013-08-09"}


def test_the_title_names_the_kind_and_is_neither_a_stamp_nor_a_labelled_value() -> None:
    page = PageMaker()
    page.write(60, 40, "Received by Unit 7 02/20/2018", size=15)
    page.write(60, 62, "STATUS=OPEN", size=15)
    page.row(84, {60: "Ministry of Fisheries", 320: "Annual Report"}, size=14)
    for number in range(6):
        page.write(60, 120 + 14 * number, "Plain words of the text go on here.")
    assert read([page.page()], title=TEXT) == {"title": "Annual Report"}


def test_a_lost_space_in_a_label_does_not_change_the_proposed_name() -> None:
    page = PageMaker()
    page.write(60, 40, "Registration of boats", size=14)
    page.row(80, {60: "1. Name ofOwner", 320: "2. Berth No."})
    page.row(94, {60: "Harbour Club", 320: "4471"})
    names = propose_schema([page.page()])["json_schema"]["schema"]["properties"]
    assert "name_of_owner" in names
