"""Nothing that a document or a model wrote runs in a spreadsheet."""

from __future__ import annotations

import csv
import io
from io import BytesIO

from openpyxl import load_workbook

from docagent.export import result_to_csv, results_to_xlsx
from tests.support.tables import table

FORMULAS = [
    "=1+1",
    "+1",
    "-1+1",
    "@SUM(A1)",
    " =1+1",
    "   @SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\u00a0=1+1",
    "\u3000=1+1",
    "\u200b=1+1",
    "\ufeff =1+1",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1+1",
    "\uff20SUM(A1)",
    " \uff1dHYPERLINK(A1)",
    "\ufe661+1",
    "\u22121+1",
]


@table("text", FORMULAS)
def test_a_cell_that_would_run_has_an_apostrophe(text: str) -> None:
    written = result_to_csv({text: "a", "lines": [{"value": text}]})
    header, row = csv.reader(io.StringIO(written, newline=""))
    assert header[0] == f"'{text}"
    assert row == ["a", f"'{text}"]
    sheet = load_workbook(BytesIO(results_to_xlsx([("P", {"value": text})]))).worksheets[0]
    assert str(sheet["B2"].value).startswith("'")
    assert sheet["B2"].data_type == "s"


@table("text", ["", " ", "a=b", "1 + 1", "ada@example.com", "'=1", "№ 5", "²", " x"])
def test_other_cells_stay_as_they_are(text: str) -> None:
    _, row = csv.reader(io.StringIO(result_to_csv({"a": "x", "value": text}), newline=""))
    assert row == ["x", text]
