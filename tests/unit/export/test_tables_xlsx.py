from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from docagent.domain.documents.text import Box
from docagent.domain.errors import NotFound
from docagent.export.tables_xlsx import cell_value, tables_to_xlsx
from docagent.reading.layout.tables import Cell, Table
from tests.support.tables import table

BOX = Box(0.0, 0.0, 1.0, 1.0)


def _table(*rows: list[str]) -> Table:
    return Table(
        BOX,
        tuple(
            tuple(Cell(text, BOX, (), row_number, column) for column, text in enumerate(row))
            for row_number, row in enumerate(rows)
        ),
    )


def _open(*tables: tuple[int, Table]) -> Workbook:
    return load_workbook(BytesIO(tables_to_xlsx(tables)))


@table(
    ("text", "value"),
    [
        ("12", 12),
        ("0", 0),
        ("-12.50", -12.5),
        ("1,234", 1234),
        ("1,234,567.89", 1234567.89),
        ("0.265", 0.265),
        ("1234.567", 1234.567),
    ],
)
def test_figures_that_can_mean_one_thing_become_numbers(text: str, value: float) -> None:
    assert cell_value(text) == value
    assert type(cell_value(text)) is type(value)


@table(
    "text",
    [
        *("007", "1.234", "1.234,50", "1,23", "12,34,567", "12 345", "1,234,56"),
        *("12345678901234567", "1,234,567,890,123,456"),
        *(
            "5%",
            "$5",
            "1e5",
            "0x1F",
            "1-2",
            "--1",
            "-",
            "",
            "1/2",
            "2024-01-31",
            "\u0661\u0662",
            "NaN",
            "inf",
            "+5",
            "=1",
        ),
    ],
)
def test_everything_else_stays_text(text: str) -> None:
    assert cell_value(text) == text


def test_each_table_has_a_sheet_named_by_its_page() -> None:
    workbook = _open((2, _table(["a"])), (2, _table(["b"])), (1000, _table(["c"])))

    assert workbook.sheetnames == ["Page 2 table 1", "Page 2 table 2", "Page 1000 table 1"]


def test_values_stand_in_their_places() -> None:
    sheet = _open((1, _table(["Item", "Amount"], ["Nails", "1,200"], ["", "-3.50"]))).worksheets[0]

    assert list(sheet.iter_rows(values_only=True)) == [("Item", "Amount"), ("Nails", 1200), (None, -3.5)]
    assert sheet["B2"].number_format == "#,##0"
    assert sheet["B3"].number_format == "0.00"


@table("text", ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", '=HYPERLINK("http://x")'])
def test_formulas_are_text(text: str) -> None:
    cell = _open((1, _table([text]))).worksheets[0]["A1"]

    assert cell.data_type == "s"
    assert cell.value == text
    assert cell.quotePrefix


@table("text", ["\t=1+1", "\r=1+1", "\x01=1+1\x02"])
def test_characters_before_a_formula_do_not_hide_it(text: str) -> None:
    cell = _open((1, _table([text]))).worksheets[0]["A1"]

    assert (cell.data_type, cell.value) == ("s", "=1+1")
    assert cell.quotePrefix


def test_an_error_code_is_text() -> None:
    assert _open((1, _table(["#N/A"]))).worksheets[0]["A1"].data_type == "s"


def test_spanning_cells_are_merged() -> None:
    spanning = Cell("Year", BOX, (), 0, 1, column_span=2)
    tall = Cell("Name", BOX, (), 0, 0, row_span=2)
    below = (Cell("1999", BOX, (), 1, 1), Cell("2000", BOX, (), 1, 2))

    sheet = _open((1, Table(BOX, ((tall, spanning), below)))).worksheets[0]

    assert sorted(str(merged) for merged in sheet.merged_cells.ranges) == ["A1:A2", "B1:C1"]
    assert sheet["C2"].value == 2000


def test_columns_are_as_wide_as_their_text_within_reason() -> None:
    sheet = _open((1, _table(["x" * 20, "y" * 500, "z"]))).worksheets[0]

    assert [sheet.column_dimensions[letter].width for letter in "ABC"] == [22, 60, 6]


def test_no_tables_is_said_plainly() -> None:
    with pytest.raises(NotFound, match="No tables"):
        tables_to_xlsx([])


@settings(max_examples=20)
@given(st.lists(st.text(max_size=20), min_size=1, max_size=3))
def test_any_text_gives_a_workbook_that_opens_without_formulas(texts: list[str]) -> None:
    sheet = _open((1, _table(texts))).worksheets[0]

    assert all(cell.data_type in {"s", "n", "inlineStr"} for row in sheet.iter_rows() for cell in row)
