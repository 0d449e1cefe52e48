from __future__ import annotations

import io

from openpyxl import load_workbook

from docagent.domain.field_path import FieldPath
from docagent.export import MarkedRow, marked_csv, marked_xlsx

ROWS = [
    MarkedRow(
        {"file": "a.pdf"},
        {"total": 1.5, "party": {"name": "=SUM(A1)"}},
        [FieldPath(("party", "name"))],
        {"error": None},
    ),
    MarkedRow(
        {"file": "b.pdf"}, {"lines": [{"amount": 1}]}, [FieldPath(("lines", 0, "amount"))], {"error": None}
    ),
]


def test_columns_of_all_rows_stand_between_the_first_and_the_last() -> None:
    assert marked_csv(ROWS).decode().splitlines() == [
        "file,total,party.name,lines,error",
        "a.pdf,1.5,'=SUM(A1),,",
        'b.pdf,,,"[{""amount"":1}]",',
    ]


def test_a_workbook_colours_what_is_unproven() -> None:
    sheet = load_workbook(io.BytesIO(marked_xlsx(ROWS))).active
    assert sheet is not None
    coloured = {
        cell.coordinate for row in sheet.iter_rows() for cell in row if cell.fill.fill_type == "solid"
    }
    assert coloured == {"C2", "D3"}
    assert sheet["B2"].value == 1.5
    assert sheet["C2"].value == "'=SUM(A1)"
