from __future__ import annotations

from dataclasses import replace

import pytest

from docagent.domain.documents.text import Box, Line, Word, WordSource
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.locating import locate
from docagent.evidence.grounding.model import Grounding, MatchKind, Reason, as_json
from docagent.evidence.grounding.tree import ground_tree
from tests.support.tables import table
from tests.unit.grounding.made_documents import found, from_source, scanned, text_of, written
from tests.unit.layout.made_pages import PageMaker

EXACT, NORMALISED, FUZZY = MatchKind.EXACT, MatchKind.NORMALISED, MatchKind.FUZZY
SEVERAL, UNPROVEN = MatchKind.SEVERAL, MatchKind.UNPROVEN


@table(
    ("line", "value", "kind", "words"),
    [
        ("Sold to Yale University", "Yale University", EXACT, "Yale University"),
        ("Sold to YALE UNIVERSITY,", "Yale University", NORMALISED, "YALE UNIVERSITY,"),
        ("Caf\u00e9 Cr\u00e8me", "Cafe Creme", NORMALISED, "Caf\u00e9 Cr\u00e8me"),
        ("The o\ufb03ce \ufb01le", "office file", NORMALISED, "o\ufb03ce \ufb01le"),
        ("\uff21\uff22\uff23 \uff11\uff12\uff13", "ABC 123", NORMALISED, "\uff21\uff22\uff23 \uff11\uff12\uff13"),
        ("Payee Katharine Huffman here", "Huffman, Katharine", NORMALISED, "Katharine Huffman"),
        ("\u8acb\u6c42\u66f8 \u4f1a\u793e\u5c71\u7530\u5546\u4e8b", "\u5c71\u7530\u5546\u4e8b", NORMALISED,
         "\u4f1a\u793e\u5c71\u7530\u5546\u4e8b"),
        ("IBAN DE88 2008 0000 0970 3757 00", "DE88200800000970375700", EXACT, "DE88 2008 0000 0970 3757 00"),
        ("VAT 774-00-01-454 here", 7740001454, NORMALISED, "774-00-01-454"),
        ("Order no 26904084", "26904084", EXACT, "26904084"),
        ("SSN 1 2 3 4 5 6 7 8 9", "123-45-6789", NORMALISED, "1 2 3 4 5 6 7 8 9"),
        ("Zip 06511 there", "06511", EXACT, "06511"),
        ("Date 05 Mar 2018 at noon", "2018-03-05", NORMALISED, "05 Mar 2018"),
        ("Date 05.03.18 at noon", "2018-03-05", NORMALISED, "05.03.18"),
        ("Date 05/03/2018 at noon", "05/03/2018", EXACT, "05/03/2018"),
        ("Period 02/10/20-02/16/20 paid", "2020-02-16", NORMALISED, "02/10/20-02/16/20"),
        ("Issued March 2018", "2018-03", NORMALISED, "March 2018"),
        ("Sum 1.234,56 EUR", 1234.56, NORMALISED, "1.234,56"),
        ("Sum 1 234,56 EUR", "1234.56", NORMALISED, "1 234,56"),
        ("Sum \u20ac1,234.56 due", "1234.56 EUR", NORMALISED, "\u20ac1,234.56"),
        ("Sum $ 36,125.00 due", "$36,125.00", EXACT, "$ 36,125.00"),
        ("Loss (1,234.56) USD", -1234.56, NORMALISED, "(1,234.56)"),
        ("Credit 100.00- USD", -100, NORMALISED, "100.00-"),
        ("Credit - 100.00 USD", -100, NORMALISED, "100.00"),
        ("Rate 19 % MwSt", 0.19, NORMALISED, "19 %"),
        ("Rate 19.0% MwSt", "19%", NORMALISED, "19.0%"),
        ("Weight 5kg net", 5, NORMALISED, "5kg"),
        ("Total:8.20 thanks", "8.20", NORMALISED, "Total:8.20"),
        ("Paid in \u20ac only", "EUR", NORMALISED, "\u20ac"),
        ("Paid \u20ac5.00 only", "EUR", NORMALISED, "\u20ac5.00"),
        ("Age 80 + years", "80 +", NORMALISED, "80"),
        ("None * given", "*", EXACT, "*"),
    ],
)  # fmt: skip
def test_a_value_is_found_in_its_printed_form(
    line: str, value: str | float, kind: MatchKind, words: str
) -> None:
    grounding = found(written("Something else entirely", line), value)

    assert (grounding.match, text_of(grounding)) == (kind, words)


@table(
    ("line", "value"),
    [
        ("Sold to Yale University", "Hale University"),
        ("Sum 15.00 EUR", "1500"),
        ("Sum 1,500.00 USD", 1500.5),
        ("Sum 7,000 units", 7),
        ("Sum 10 units", "$ 10.000"),
        ("Sum 1.2K units", 1200),
        ("Sum 1.2K units", 1.2),
        ("Sum -5.00 EUR", 5),
        ("Sum \u20ac5.00 only", "$5.00"),
        ("Growth Total: 9.5%", "Total: 5%"),
        ("Growth 8.22 Total", "Total: 8%"),
        ("Id 9926904084", "26904084"),
        ("Date 05 Mar 2018", "2018-03-06"),
        ("Date 17/03/2018 and 05/03/2018", "2018-05-03"),
        ("A cat and a dog", "CT"),
        ("Meet at 8:00 sharp", "0.00"),
        ("12, Jalan Tampoi 7/4, 81200 Johor", "12, Jalan Tampoi 7/2, 81200 Johor"),
        ("no marks", "***"),
        ("Sum 5 EUR", float("nan")),
        ("Key 1234567890123456789012345678901", 1234567890123456789012345678902),
    ],
)
def test_a_value_that_is_not_printed_is_unproven(line: str, value: str | float) -> None:
    grounding = found(written("Something else entirely", line), value)

    assert grounding.match is UNPROVEN
    assert (grounding.page, grounding.words, grounding.boxes, grounding.located) == (None, (), (), False)
    assert grounding.signals.reason is Reason.NOT_FOUND


@table("value", [None, "", "  "])
def test_nothing_to_show_has_no_grounding(value: str | None) -> None:
    assert locate(DocumentIndex.of([written("Anything")]), value) is None


def test_an_empty_document_proves_nothing() -> None:
    assert found(DocumentIndex.of([]), "Anything").match is UNPROVEN


def test_boxes_are_the_words_own_on_the_right_page() -> None:
    pages = [written("First page"), replace(written("Sold to Yale University"), number=2)]
    grounding = found(DocumentIndex.of(pages), "Yale University")

    assert grounding.page == 2
    assert grounding.boxes == tuple(word.box for word in pages[1].words[2:])


def test_a_word_broken_at_the_end_of_a_line_is_one_word() -> None:
    grounding = found(written("We sell insur-", "ance policies"), "insurance policies")

    assert text_of(grounding) == "insur- ance policies"


def test_an_address_is_followed_down_its_column() -> None:
    page = PageMaker()
    page.row(100, {72: "150 Murray Avenue", 300: "Invoice 17"})
    page.row(112, {72: "New Haven,", 300: "Due in March"})
    page.row(124, {72: "CT 06511", 300: "Net 30 days"})

    grounding = found(page.page(), "150 Murray Avenue New Haven, CT 06511")

    assert (grounding.match, text_of(grounding)) == (EXACT, "150 Murray Avenue New Haven, CT 06511")


def test_a_cell_is_followed_although_its_neighbour_stands_close() -> None:
    page = PageMaker()
    page.row(100, {72: "Number of", 122: "Share of"})
    page.row(112, {72: "financial", 122: "all"})
    page.row(124, {72: "companies", 122: "companies"})

    grounding = found(page.page(), "Share of all companies")

    assert [round(word.box.left * 612) for word in grounding.words] == [122, 150, 122, 122]


def test_fields_of_a_form_are_read_without_the_labels_between_them() -> None:
    page = written("150 Murray Avenue", "City or town, state and so on, in full", "New Haven 06511")
    fields = from_source(page, WordSource.WIDGET)
    page = replace(page, lines=(fields.lines[0], page.lines[1], fields.lines[2]))

    grounding = found(page, "150 Murray Avenue New Haven 06511")

    assert grounding.match is EXACT
    assert grounding.signals.sources == (WordSource.WIDGET,)


def test_what_stands_in_a_field_goes_before_what_is_printed() -> None:
    page = written("C Corporation", "Class C applies")
    page = replace(page, lines=(page.lines[0], from_source(written("x", "C"), WordSource.WIDGET).lines[1]))

    assert found(page, "C").signals.sources == (WordSource.WIDGET,)


def test_words_apart_on_a_part_of_the_page_are_a_fuzzy_match() -> None:
    page = written("Turkish Republic of Northern", "office of the Representative", "in Cyprus")

    grounding = found(page, "Representative of the Turkish Republic of Northern Cyprus")

    assert grounding.match is FUZZY


def test_equal_numbers_without_a_label_are_several_candidates() -> None:
    grounding = found(written("Net 50.00", "Gross 50.00", "Paid 50.00"), "50.00")

    assert grounding.match is SEVERAL
    assert (grounding.candidates, len(grounding.alternatives)) == (3, 2)
    assert grounding.signals.form is EXACT
    assert grounding.signals.reason is Reason.EQUAL_CANDIDATES
    assert grounding.alternatives[0].text == "50.00"


@table(("label", "line"), [("gross_amount", 1), ("amountPaid", 2), ("Nettobetrag", 0)])
def test_the_label_tells_equal_numbers_apart(label: str, line: int) -> None:
    page = written("Net 50.00", "Gross 50.00", "Paid 50.00")
    grounding = found(page, "50.00", label)

    assert grounding.match is EXACT
    assert grounding.boxes == (page.lines[line].words[1].box,)
    assert grounding.signals.label_agreement > 0.3


def test_the_head_of_a_column_is_a_label_too() -> None:
    page = PageMaker()
    page.row(80, {72: "Item", 200: "Price", 300: "Weight"})
    for row in range(6):
        page.row(100 + 15 * row, {72: f"Pipe{row}", 200: f"{row}.25", 300: f"{row}.25"})

    grounding = found(page.page(), "5.25", "weight")

    assert round(grounding.boxes[0].left * 612) == 300


def test_a_long_text_proves_itself_wherever_it_is_repeated() -> None:
    grounding = found(written("Acme Industries", "report of", "Acme Industries"), "Acme Industries")

    assert (grounding.match, grounding.candidates) == (EXACT, 2)


def test_a_statement_that_every_page_repeats_is_one_statement() -> None:
    pages = [written("Contract # 566900", "one"), replace(written("Contract # 566900", "two"), number=2)]

    assert found(DocumentIndex.of(pages), "566900").match is EXACT


def test_a_short_word_in_another_case_needs_a_label() -> None:
    page = written("Class: n", "and more text")

    assert found(page, "N").match is UNPROVEN
    assert found(page, "N", "class").match is NORMALISED


def test_very_many_places_are_weighed_near_the_label() -> None:
    rows = [f"Row number {number} of list 1" for number in range(80)]
    pages = [replace(written(*rows[start : start + 40]), number=start) for start in (0, 40)]
    last = replace(written("Copies: 1"), number=99)

    grounding = found(DocumentIndex.of([*pages, last]), 1, "copies")

    assert grounding.page == 99
    assert grounding.candidates == 82


@table(
    ("line", "value", "words"),
    [
        ("UNIHAKKA INTERNATIONAL SON BHD", "UNIHAKKA INTERNATIONAL SDN BHD", "UNIHAKKA INTERNATIONAL SON BHD"),
        ("Total 8.2O thanks", "8.20", "8.2O"),
        ("Total S8.20 thanks", "8.20", "S8.20"),
        ("Total 88.1 7 thanks", "88.17", "88.1 7"),
        ("Total 65. 20 thanks", "65.20", "65. 20"),
        ("Number INV-0O17 there", "INV-0017", "INV-0O17"),
        ("Issued 0S/03/2018 there", "05/03/2018", "0S/03/2018"),
        ("12, JALAN TAMP0I 7/4, 81200 JOHOR BAHRV", "12, JALAN TAMPOI 7/4, 81200 JOHOR BAHRU",
         "12, JALAN TAMP0I 7/4, 81200 JOHOR BAHRV"),
        ("RESTAURANTJIAWEI HOUSE", "JIAWEI HOUSE", "RESTAURANTJIAWEI HOUSE"),
    ],
)  # fmt: skip
def test_slips_of_recognition_are_forgiven(line: str, value: str, words: str) -> None:
    grounding = found(scanned("Something else", line), value)

    assert text_of(grounding) == words
    assert grounding.located
    assert grounding.signals.confidence == pytest.approx(0.8)


@table(
    ("line", "value"),
    [
        ("JANE SMITH AND PARTNERS", "JOHN SMITH AND PARTNERS"),
        ("17, JALAN TAMPOI 7/4, 81200 JOHOR BAHRU", "12, JALAN TAMPOI 7/4, 81200 JOHOR BAHRV"),
        ("TOTAL 60.39 RM", "60.30"),
        ("WHOLLY UNLIKE THE OTHER", "ENTIRELY DIFFERENT THING THE OTHER"),
    ],
)
def test_another_word_or_digit_is_no_slip(line: str, value: str) -> None:
    assert found(scanned("Something else", line), value).match is UNPROVEN


def test_a_text_layer_is_not_forgiven_slips() -> None:
    assert (
        found(written("UNIHAKKA INTERNATIONAL SON BHD"), "UNIHAKKA INTERNATIONAL SDN BHD").match is UNPROVEN
    )


def test_a_time_must_stand_beside_its_date() -> None:
    both = found(written("Printed 03.08.2014 12:30 by hand"), "2014-08-03T12:30:00Z")
    date_only = found(written("Printed 03.08.2014 by hand"), "2014-08-03T12:30:00Z")
    midnight = found(written("Printed 03.08.2014 by hand"), "2014-08-03T00:00:00")

    assert (both.match, text_of(both)) == (NORMALISED, "03.08.2014 12:30")
    assert date_only.match is FUZZY
    assert midnight.match is NORMALISED


def test_a_grounding_is_stored_as_plain_data() -> None:
    grounding = found(scanned("Net 50.00", "Gross 50.00"), "50.00")
    stored = as_json({"sum": grounding, "list": [None]})

    assert stored["list"] == [None]
    assert stored["sum"]["match"] == "several_candidates"
    assert stored["sum"]["page"] == 1
    assert stored["sum"]["words"][0]["text"] == "50.00"
    assert len(stored["sum"]["words"][0]["box"]) == 4
    assert stored["sum"]["alternatives"][0]["page"] == 1
    assert stored["sum"]["signals"]["sources"] == ["ocr"]
    assert stored["sum"]["signals"]["reason"] == "equal_candidates"
    assert as_json(found(written("x"), "absent"))["page"] is None


def test_a_line_without_words_does_no_harm() -> None:
    page = written("Sold to Yale University")
    page = replace(page, lines=(Line(()), *page.lines, Line(())))

    assert found(page, "Yale University").match is EXACT


@table(("text", "value"), [("$_/0,000", "$ 10,000"), ("/50", 150)])
def test_strokes_of_a_pen_may_be_read_as_slashes(text: str, value: str | float) -> None:
    assert found(scanned(f"Royalties {text} here"), value).match is FUZZY


def test_very_long_lists_of_equal_values_keep_their_rows() -> None:
    maker = PageMaker()
    for row in range(45):
        maker.row(60 + 15 * row, {72: f"Row{row}", 200: "0", 300: "1"})
    index = DocumentIndex.of([maker.page()])

    tree = ground_tree(index, [{"name": f"Row{row}", "count": 0} for row in range(45)])

    assert isinstance(tree, list)
    counts = [item["count"] for item in tree if isinstance(item, dict)]
    tops = [round(count.boxes[0].top * 792) for count in counts if isinstance(count, Grounding)]
    assert tops == [60 + 15 * row for row in range(45)]


def test_text_that_stands_on_end_is_found_as_it_is_read() -> None:
    words = tuple(
        Word(text, Box(0.05, top, 0.07, top + 0.1)) for text, top in (("Archive", 0.6), ("copy", 0.5))
    )
    page = replace(written("Sold to Yale University"), lines=(Line(words),))

    assert found(page, "archive copy").boxes == tuple(word.box for word in words)


def test_a_very_long_text_is_found_or_given_up_quickly() -> None:
    long = " ".join(f"word{number}" for number in range(400))

    assert (
        found(scanned(*(" ".join(long.split()[start : start + 8]) for start in range(0, 400, 8))), long).match
        is EXACT
    )
    assert found(scanned("word1 word2"), long).match is UNPROVEN
