from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from docagent.domain.documents.text import Box, Page
from docagent.reading.layout.tables import Cell, Table, find_tables
from tests.unit.layout.made_pages import HEIGHT, WIDTH, PageMaker


def _ruled(page: Page, across: Iterable[float], down: Iterable[float]) -> Page:
    """The page with a line at each place, all of them as long as the table."""
    columns, rows = sorted(across), sorted(down)
    level = tuple(Box(columns[0] / WIDTH, y / HEIGHT, columns[-1] / WIDTH, y / HEIGHT) for y in rows)
    upright = tuple(Box(x / WIDTH, rows[0] / HEIGHT, x / WIDTH, rows[-1] / HEIGHT) for x in columns)
    return replace(page, ruling=page.ruling + level + upright)


def _only_table(page: Page) -> Table:
    [table] = find_tables(page)
    return table


def _texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def _spans(table: Table) -> dict[str, tuple[int, int]]:
    wide: list[Cell] = [
        cell for row in table.rows for cell in row if (cell.row_span, cell.column_span) != (1, 1)
    ]
    return {cell.text: (cell.row_span, cell.column_span) for cell in wide}


def _wrapped() -> Page:
    """Text that wraps in every cell, with lines as close together as the rows are."""
    return (
        PageMaker()
        .row(100, {72: "Risk", 150: "What may happen", 330: "Who looks after it"})
        .row(116, {72: "Supply", 150: "The only harbour closes", 330: "Purchasing, and"})
        .row(128, {150: "in winter", 330: "the board"})
        .row(144, {72: "Staff", 150: "Two engineers leave", 330: "People"})
        .row(156, {150: "before the end of"})
        .row(168, {150: "The Project"})
        .page()
    )


WRAPPED = [
    ["Risk", "What may happen", "Who looks after it"],
    ["Supply", "The only harbour closes in winter", "Purchasing, and the board"],
    ["Staff", "Two engineers leave before the end of The Project", "People"],
]


def test_cells_are_what_lies_between_lines() -> None:
    page = _ruled(_wrapped(), (68, 146, 326, 450), (97, 113, 141, 181))

    assert _texts(_only_table(page)) == WRAPPED


def test_lines_between_rows_alone_tell_the_rows() -> None:
    page = _wrapped()
    rows = (113, 141, 181, 200, 219)
    lines = tuple(Box(68 / WIDTH, y / HEIGHT, 450 / WIDTH, y / HEIGHT) for y in rows)
    more = PageMaker().row(185, {72: "Price", 150: "Copper rises", 330: "Finance"})
    more.row(204, {72: "Weather", 150: "It rains", 330: "Nobody"})
    page = replace(page, lines=(*page.lines, *more.page().lines), ruling=lines)

    assert _texts(_only_table(page)) == [
        *WRAPPED,
        ["Price", "Copper rises", "Finance"],
        ["Weather", "It rains", "Nobody"],
    ]


def test_a_cell_without_a_line_inside_spans() -> None:
    maker = PageMaker()
    maker.row(100, {180: "2023", 280: "2024"})
    maker.row(116, {72: "Product", 150: "Units", 205: "Value", 260: "Units", 310: "Value"})
    maker.row(132, {72: "Bolts", 150: "10", 205: "1.00", 260: "12", 310: "1.20"})
    page = _ruled(maker.page(), (68, 146, 256, 360), (97, 113, 129, 145))
    inner = tuple(Box(x / WIDTH, 113 / HEIGHT, x / WIDTH, 145 / HEIGHT) for x in (201, 306))

    table = _only_table(replace(page, ruling=page.ruling + inner))

    assert _spans(table) == {"2023": (1, 2), "2024": (1, 2)}
    assert _texts(table)[1:] == [
        ["Product", "Units", "Value", "Units", "Value"],
        ["Bolts", "10", "1.00", "12", "1.20"],
    ]


def test_headings_side_by_side_in_one_ruled_cell_span_their_own_columns() -> None:
    maker = PageMaker()
    maker.row(100, {180: "12/31/2023", 285: "12/31/2024"})
    maker.row(116, {72: "Product", 150: "Units", 205: "Value", 260: "Units", 310: "Value"})
    maker.row(132, {72: "Bolts", 150: "10", 205: "1.00", 260: "12", 310: "1.20"})
    page = _ruled(maker.page(), (68, 146, 360), (97, 113, 129, 145))
    inner = tuple(Box(x / WIDTH, 113 / HEIGHT, x / WIDTH, 145 / HEIGHT) for x in (201, 256, 306))

    assert _spans(_only_table(replace(page, ruling=page.ruling + inner))) == {
        "12/31/2023": (1, 2),
        "12/31/2024": (1, 2),
    }


def test_rows_without_lines_between_them_stay_apart() -> None:
    maker = PageMaker().row(100, {72: "Name", 172: "Town", 272: "Trade"})
    rows = (
        ("Ann", "Oslo", "Baker"),
        ("Bob", "Rome", "Smith"),
        ("Cid", "Bern", "Tailor"),
        ("Dan", "Linz", "Cook"),
    )
    for number, row in enumerate(rows):
        maker.row(116 + 15 * number, dict(zip((72.0, 172.0, 272.0), row, strict=True)))
    page = _ruled(maker.page(), (68, 168, 268, 360), (97, 113, 178))

    assert _texts(_only_table(page)) == [["Name", "Town", "Trade"], *map(list, rows)]


def test_a_form_is_no_table() -> None:
    """Boxes of many sizes on a grid of many lines, each with a label and prose."""
    maker = PageMaker().write(72, 100, "Name and address of the payer, with the postal code and the town")
    maker.write(72, 140, "Number").write(330, 140, "Account")
    page = maker.page()
    lines = [
        (68, 97, 500, 97),
        (68, 137, 500, 137),
        (68, 177, 500, 177),
        (68, 97, 68, 177),
        (500, 97, 500, 177),
    ]
    lines += [(326, 137, 326, 177)]
    ruling = tuple(Box(x1 / WIDTH, y1 / HEIGHT, x2 / WIDTH, y2 / HEIGHT) for x1, y1, x2, y2 in lines)

    assert find_tables(replace(page, ruling=ruling)) == ()


def test_two_ruled_tables_side_by_side_are_two() -> None:
    maker = PageMaker()
    for number, (month, units) in enumerate((("Month", "Units"), ("May", "10"), ("June", "30"))):
        maker.row(100 + 16 * number, {72: month, 132: units, 330: month, 390: units})
    page = _ruled(maker.page(), (68, 128, 180), (97, 113, 129, 145))
    page = _ruled(page, (326, 386, 440), (97, 113, 129, 145))

    assert [_texts(table) for table in find_tables(page)] == [
        [["Month", "Units"], ["May", "10"], ["June", "30"]],
        [["Month", "Units"], ["May", "10"], ["June", "30"]],
    ]
