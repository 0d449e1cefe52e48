from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.reading.layout.tables import Table, find_tables
from tests.unit.layout.made_pages import HEIGHT, WIDTH, PageMaker, right_aligned

Texts = list[list[str]]


def _grid(table: Table) -> Texts:
    return [[cell.text for cell in row] for row in table.rows]


def _only_table(page: Page) -> Table:
    [table] = find_tables(page)
    return table


def _figures(rows: Texts, top: float = 100, pitch: float = 15) -> PageMaker:
    """A label on the left and right-aligned figures every 80 points."""
    maker = PageMaker()
    for index, (label, *figures) in enumerate(rows):
        texts = {72.0: label} if label else {}
        texts |= {right_aligned(280 + 80 * column, text): text for column, text in enumerate(figures) if text}
        maker.row(top + pitch * index, texts)
    return maker


INVOICE: Texts = [
    ["Item", "Quantity", "Price", "Amount"],
    ["Copper pipe, 15 mm", "12", "4.50", "54.00"],
    ["Elbow", "3", "1.20", "3.60"],
    ["Labour", "2", "60.00", "120.00"],
    ["Total", "", "", "177.60"],
]


def test_line_items_of_an_invoice_are_a_table() -> None:
    table = _only_table(_figures(INVOICE).page())

    assert _grid(table) == INVOICE
    assert [(cell.row, cell.column) for cell in table.rows[2]] == [(2, 0), (2, 1), (2, 2), (2, 3)]


def test_cells_know_their_words_and_their_place() -> None:
    page = _figures(INVOICE).page()
    table = _only_table(page)

    cell = table.rows[1][0]
    assert [word.text for word in cell.words] == ["Copper", "pipe,", "15", "mm"]
    assert all(any(word is other for other in page.words) for word in cell.words)
    assert cell.box.left * WIDTH == pytest.approx(72)
    assert (cell.box.top * HEIGHT, cell.box.bottom * HEIGHT) == pytest.approx((115, 125))
    assert table.box.right * WIDTH == pytest.approx(440)
    empty = table.rows[4][1]
    assert (empty.text, empty.words) == ("", ())
    assert empty.box.top == table.rows[4][0].box.top


def test_the_order_in_which_words_are_stored_does_not_matter() -> None:
    page = _figures(INVOICE).page()
    shuffled = Page(1, WIDTH, HEIGHT, tuple(reversed(page.lines)))

    assert _grid(_only_table(shuffled)) == INVOICE


def test_text_around_a_table_is_left_out() -> None:
    maker = _figures(INVOICE, top=200)
    maker.write(72, 150, "The following was delivered to you last week and is payable within thirty days.")
    maker.write(72, 320, "Please pay to the account below. Thank you for your order, and see you again soon.")

    assert _grid(_only_table(maker.page())) == INVOICE


def test_two_tables_on_a_page_come_from_the_top_down() -> None:
    maker = _figures(INVOICE, top=400)
    years = [["Year", "Births"], ["2001", "1,204"], ["2002", "998"], ["2003", "1,377"]]
    for index, (label, figure) in enumerate(years):
        maker.row(100 + 15 * index, {72: label, right_aligned(300, figure): figure})

    first, second = find_tables(maker.page())

    assert _grid(first) == years
    assert _grid(second) == INVOICE


def test_figures_that_stand_close_together_are_columns_of_their_own() -> None:
    rows = [["0.99", "960", "1,040", "1,120"], ["0.95", "192", "208", "224"], ["0.90", "96", "104", "112"]]
    maker = PageMaker()
    for index, (label, *figures) in enumerate(rows):
        texts = {72.0: label} | {right_aligned(200 + 30 * n, text): text for n, text in enumerate(figures)}
        maker.row(100 + 12 * index, texts)

    assert _grid(_only_table(maker.page())) == rows


def test_numbers_written_with_spaces_stay_whole() -> None:
    rows = [["Wheat", "12 345", "9 870"], ["Rye", "1 002", "12 456"], ["Oats", "845", "1 234 567"]]

    assert _grid(_only_table(_figures(rows).page())) == rows


def test_a_currency_sign_apart_from_its_figure_makes_no_column() -> None:
    maker = PageMaker()
    for index, (label, figure) in enumerate(
        [("Sales", "1,200"), ("Rent", "85"), ("Wages", "400"), ("Profit", "715")]
    ):
        maker.row(100 + 15 * index, {72: label, 240: "$", right_aligned(320, figure): figure})

    assert _grid(_only_table(maker.page()))[1] == ["Rent", "$ 85"]


def test_leaders_are_no_text() -> None:
    rows = [["Salmon", "12", "3"], ["Trout", "7", "1"], ["Perch", "30", "22"]]
    maker = PageMaker()
    for index, (label, one, two) in enumerate(rows):
        maker.row(
            100 + 15 * index,
            {72: f"{label} ............", right_aligned(280, one): one, right_aligned(360, two): two},
        )

    assert _grid(_only_table(maker.page())) == rows


def test_a_label_of_two_lines_is_one_cell() -> None:
    maker = PageMaker()
    maker.row(100, {72: "Region", 260: "1999", 340: "2000"})
    maker.row(120, {72: "North of the river", 260: "12", 340: "14"})
    maker.write(72, 131, "and its islands")
    maker.row(151, {72: "South of the river", 260: "30", 340: "31"})
    maker.write(72, 162, "and its suburbs")
    maker.row(182, {72: "East", 260: "7", 340: "9"})

    assert _grid(_only_table(maker.page())) == [
        ["Region", "1999", "2000"],
        ["North of the river and its islands", "12", "14"],
        ["South of the river and its suburbs", "30", "31"],
        ["East", "7", "9"],
    ]


def test_a_description_under_an_item_belongs_to_its_cell() -> None:
    maker = PageMaker()
    for index, name in enumerate(["Mailbox", "Archive", "Spam filter"]):
        top = 100 + 28 * index
        maker.row(top, {72: str(index + 1), 100: f"{name} standard", 320: "3.89", 400: "7.78"})
        maker.write(100, top + 14, "Monthly fee")

    assert _grid(_only_table(maker.page())) == [
        ["1", "Mailbox standard Monthly fee", "3.89", "7.78"],
        ["2", "Archive standard Monthly fee", "3.89", "7.78"],
        ["3", "Spam filter standard Monthly fee", "3.89", "7.78"],
    ]


def test_a_row_with_a_label_alone_stays_a_row() -> None:
    rows = [
        ["Loans", "2009", "2010"],
        ["Real estate", "", ""],
        ["Homes", "120", "130"],
        ["Shops", "45", "44"],
    ]

    assert _grid(_only_table(_figures(rows).page())) == rows


def test_a_heading_over_several_columns_spans_them() -> None:
    maker = PageMaker()
    maker.row(100, {228: "Female", 378: "Male"})
    maker.row(112, {72: "Age", 200: "Sample", 260: "All", 350: "Sample", 410: "All"})
    for index, age in enumerate(["20-29", "30-39", "40-49"]):
        maker.row(132 + 15 * index, {72: age, 210: "120", 260: "450", 360: "130", 410: "470"})

    table = _only_table(maker.page())

    assert [(cell.text, cell.column, cell.row_span, cell.column_span) for cell in table.rows[0]] == [
        ("Age", 0, 2, 1),
        ("Female", 1, 1, 2),
        ("Male", 3, 1, 2),
    ]
    assert _grid(table)[1:3] == [["Sample", "All", "Sample", "All"], ["20-29", "120", "450", "130", "470"]]
    assert table.column_count == 5


def test_a_heading_of_one_piece_above_the_table_belongs_to_it() -> None:
    maker = PageMaker().write(260, 100, "Year")
    maker.row(112, {72: "Measure", 200: "1997", 260: "1998", 320: "1999"})
    for index, label in enumerate(["Income", "Deaths", "Health"]):
        maker.row(132 + 15 * index, {72: label, 200: "0.45", 260: "0.46", 320: "0.48"})

    [measure, year] = _only_table(maker.page()).rows[0]
    assert (measure.text, measure.row_span, measure.column_span) == ("Measure", 2, 1)
    assert (year.text, year.row_span, year.column_span) == ("Year", 1, 3)


def test_a_caption_above_the_table_does_not_belong_to_it() -> None:
    maker = _figures(INVOICE, top=112).write(230, 100, "Table 3. What was sold")

    assert _grid(_only_table(maker.page())) == INVOICE


def test_cells_that_stand_close_together_are_parted() -> None:
    rows = [
        ["Name", "Land", "Time"],
        ["Gary", "JPN", "44.01"],
        ["Julio Penalozazo", "PER", "59.84"],
        ["Rebuck", "AUS", "53.18"],
    ]
    maker = PageMaker()
    for index, (name, land, time) in enumerate(rows):
        maker.row(100 + 15 * index, {72: name, 154: land, 240: time})

    assert _grid(_only_table(maker.page())) == rows


def test_a_long_label_close_to_its_figures_is_parted_from_them() -> None:
    rows = [
        ["Deaths before the age of 75", "7108.3", "6960.6"],
        ["Births", "12.5", "13.1"],
        ["Moves", "4.2", "4.0"],
    ]
    maker = PageMaker()
    for index, (label, one, two) in enumerate(rows):
        maker.row(100 + 15 * index, {72: label, right_aligned(237, one): one, right_aligned(300, two): two})

    assert _grid(_only_table(maker.page())) == rows


def test_gaps_of_justified_headings_make_no_columns() -> None:
    maker = PageMaker()
    maker.row(100, {200: "Number", 255: "of", 300: "Share", 350: "of"})
    maker.row(112, {200: "companies", 300: "companies"})
    for index, label in enumerate(["None", "One", "Two", "Three", "Four", "Five"]):
        maker.row(130 + 15 * index, {72: label, 200: "52", 300: "52%"})

    assert _grid(_only_table(maker.page()))[:2] == [
        ["", "Number of companies", "Share of companies"],
        ["None", "52", "52%"],
    ]


def test_a_column_with_few_entries_is_kept() -> None:
    rows = [
        ["Item", "1", "10.00", ""],
        ["Bolt", "2", "3.00", "sold out"],
        ["Nut", "3", "4.00", ""],
        ["Pin", "9", "5.00", ""],
    ]
    maker = PageMaker()
    for index, row in enumerate(rows):
        maker.row(100 + 15 * index, {72 + 90.0 * column: text for column, text in enumerate(row) if text})

    assert _grid(_only_table(maker.page())) == rows


def test_years_over_columns_are_a_heading_not_figures() -> None:
    maker = PageMaker()
    maker.row(100, {230: "2006", 380: "2007"})
    maker.row(112, {72: "Country", 210: "N", 265: "%", 360: "N", 415: "%"})
    for index, country in enumerate(["Austria", "Spain", "Italy"]):
        maker.row(132 + 15 * index, {72: country, 205: "109", 265: "0.9", 355: "93", 415: "1.1"})

    table = _only_table(maker.page())

    assert [(cell.text, cell.column_span) for cell in table.rows[0]] == [
        ("Country", 1),
        ("2006", 2),
        ("2007", 2),
    ]


def test_a_table_of_words_needs_three_columns() -> None:
    rows = [
        ["Maker", "Cheap", "Medium", "Dear"],
        ["Lever", "Skip", "Omo", "Persil"],
        ["Henkel", "Chat", "Croix", "Weisser"],
        ["Colgate", "Dash", "Axion", "Gama"],
    ]
    maker = PageMaker()
    two_columns = PageMaker()
    for index, row in enumerate(rows):
        maker.row(100 + 15 * index, {72 + 100.0 * column: text for column, text in enumerate(row)})
        two_columns.row(100 + 15 * index, {72.0: row[0], 300.0: row[1]})

    assert _grid(_only_table(maker.page())) == rows
    assert find_tables(two_columns.page()) == ()


PROSE = [
    "The number of visitors rose again in the",
    "second half of the year, although rain",
    "fell on most of the days in August and",
    "the old bridge was closed for repairs by",
    "order of the council. Nobody complained",
    "about it, which came as a surprise to us,",
    "and the ferry carried more people than it",
    "had done in any year since the war ended.",
]


def test_two_columns_of_prose_are_no_table() -> None:
    maker = PageMaker()
    for index, (left, right) in enumerate(zip(PROSE, reversed(PROSE), strict=True)):
        maker.row(100 + 12 * index, {60: left, 320: right})

    assert find_tables(maker.page()) == ()


def test_a_table_beside_prose_is_found_alone() -> None:
    maker = PageMaker()
    for index, line in enumerate(PROSE):
        maker.write(60, 100 + 12 * index, line)
    rows = [["Species", "Share"], ["Kingfisher", "29%"], ["Eagle", "34%"], ["Osprey", "20%"], ["Loon", "40%"]]
    for index, (name, share) in enumerate(rows):
        maker.row(104 + 17 * index, {330: name, 450: share})

    assert _grid(_only_table(maker.page())) == rows


def test_a_letterhead_with_labels_and_values_is_no_table() -> None:
    maker = PageMaker()
    labels = [
        ("Invoice number:", "2024-001"),
        ("Date:", "12.03.2024"),
        ("Customer:", "4711"),
        ("Your order:", "88"),
    ]
    for index, (label, value) in enumerate(labels):
        maker.row(100 + 14 * index, {350: label, 460: value})

    assert find_tables(maker.page()) == ()


def test_addresses_side_by_side_are_no_table() -> None:
    maker = PageMaker()
    left = ["Deliver to", "Example Ltd", "1 High Street", "York", "England"]
    right = ["Invoice to", "Example Group", "22 Low Street", "Leeds", "England"]
    for index, (one, other) in enumerate(zip(left, right, strict=True)):
        maker.row(100 + 12 * index, {72: one, 320: other})

    assert find_tables(maker.page()) == ()


def test_a_numbered_list_is_no_table() -> None:
    maker = PageMaker()
    for index in range(6):
        maker.row(100 + 14 * index, {72: f"{index + 1}.", 100: f"Point number {index + 1} of the agenda"})

    assert find_tables(maker.page()) == ()


def test_letters_along_the_axis_of_a_chart_are_no_table() -> None:
    maker = PageMaker()
    for index, letter in enumerate("PERCENTAGE"):
        maker.row(100 + 12 * index, {72: letter, 200: str(100 - 10 * index), 300: letter})

    assert find_tables(maker.page()) == ()


def test_words_that_stand_on_end_are_no_part_of_a_table() -> None:
    page = _figures(INVOICE).page()
    on_end = Word("Original", Box(60 / WIDTH, 100 / HEIGHT, 70 / WIDTH, 140 / HEIGHT))

    with_margin = Page(1, WIDTH, HEIGHT, (*page.lines, Line((on_end,))))

    assert _grid(_only_table(with_margin)) == INVOICE


def test_words_without_size_and_empty_pages_do_no_harm() -> None:
    assert find_tables(PageMaker().page()) == ()
    flat = PageMaker().row(100, {72: "a", 300: "1"}, size=0.0).row(100, {72: "b", 300: "2"}, size=0.0)
    assert find_tables(flat.page()) == ()


places = st.tuples(
    st.integers(0, 11).map(lambda step: 20.0 + 45 * step),
    st.integers(0, 40).map(lambda step: 30.0 + 7 * step),
    st.sampled_from(
        ["12", "1,204", "Total", "Name of the thing", "$", "-", "2007", "....", "x:", "\u2022", "5%"]
    ),
)


@settings(max_examples=40)
@given(st.lists(places, min_size=4, max_size=60))
def test_any_page_gives_whole_grids_of_its_own_words(written: list[tuple[float, float, str]]) -> None:
    maker = PageMaker()
    for left, top, text in written:
        maker.write(left, top, text)
    page = maker.page()

    tables = find_tables(page)

    used = [id(word) for table in tables for row in table.rows for cell in row for word in cell.words]
    assert len(set(used)) == len(used)
    assert set(used) <= set(map(id, page.words))
    for table in tables:
        covered = [
            (cell.row + down, cell.column + across)
            for row in table.rows
            for cell in row
            for down in range(cell.row_span)
            for across in range(cell.column_span)
        ]
        assert sorted(covered) == [
            (row, column) for row in range(len(table.rows)) for column in range(table.column_count)
        ]


def test_what_stands_above_and_below_a_table_without_its_columns_is_no_part_of_it() -> None:
    maker = _figures(INVOICE[:-1], top=150, pitch=15)
    for top, left, right in ((60, "Montelume Ltd", "Folio: 44758"), (72, "61 Harbour View", "Room: 545")):
        maker.row(top, {72: left, 460: right})
    for top, label, amount in ((225, "Net", "177.60 EUR"), (240, "Total", "177.60 EUR")):
        maker.row(top, {200: label, 410: amount})

    assert _grid(_only_table(maker.page())) == INVOICE[:-1]


def test_numbers_of_lines_and_units_are_columns_though_they_stand_near_their_neighbours() -> None:
    rows = [
        ["No", "Article", "Weight", "Unit", "Price"],
        ["1", "Copper pipe", "12.5", "kg", "54.00"],
        ["2", "Elbow", "3.0", "kg", "3.60"],
        ["3", "Labour", "2.0", "kg", "120.00"],
    ]
    maker = PageMaker()
    for top, (number, article, weight, unit, price) in zip(range(100, 160, 15), rows, strict=True):
        texts = {right_aligned(84, number): number, 90.0: article, right_aligned(284, weight): weight}
        maker.row(top, texts | {290.0: unit, right_aligned(440, price): price})

    assert _grid(_only_table(maker.page())) == rows
