"""Tables as an Excel workbook: one sheet for each, figures as numbers, and nothing that runs as a formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.cell.cell import Cell as SheetCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from docagent.domain.errors import NotFound
from docagent.export.cells import runs_as_formula
from docagent.reading.layout import Table

_PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?")
_COMMA_GROUPS = re.compile(r"-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,10})?")
_LONGEST_TEXT = 32_767
_MOST_DIGITS = 15
"""Excel keeps no more digits of a number than this, so longer numbers stay text."""
_NARROWEST, _WIDEST = 6, 60


def tables_to_xlsx(tables: Sequence[tuple[int, Table]]) -> bytes:
    """Return the workbook's bytes. Each table comes with its page's number. Raises NotFound without tables."""
    if not tables:
        raise NotFound("No tables were found in this document.")
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    seen: dict[int, int] = {}
    for page_number, table in tables:
        seen[page_number] = seen.get(page_number, 0) + 1
        _fill(workbook.create_sheet(f"Page {page_number} table {seen[page_number]}"), table)
    target = BytesIO()
    workbook.save(target)
    return target.getvalue()


def cell_value(text: str) -> int | float | str:
    """Return a number if the text can only mean one, else the text itself.

    `1,234.50` and `-12.50` are numbers. `1.234,50`, `1,23`, `007`, `12 345` and `5%` stay text: somebody else
    may read them differently, or they would lose something as a number.
    """
    compact = text.strip()
    if _COMMA_GROUPS.fullmatch(compact):
        compact = compact.replace(",", "")
    elif _is_ambiguous(compact) or not _PLAIN.fullmatch(compact):
        return text
    if sum(character.isdigit() for character in compact) > _MOST_DIGITS:
        return text
    return float(compact) if "." in compact else int(compact)


def _is_ambiguous(text: str) -> bool:
    """`1.234` means more than a thousand in half of Europe."""
    return re.fullmatch(r"-?[1-9]\d{0,2}\.\d{3}", text) is not None


def _fill(sheet: Worksheet, table: Table) -> None:
    widths: dict[int, int] = {}
    for row in table.rows:
        for cell in row:
            if cell.text:
                target = sheet.cell(row=cell.row + 1, column=cell.column + 1)
                assert isinstance(target, SheetCell)
                _write(target, cell.text)
                if cell.column_span == 1:
                    widths[cell.column] = max(widths.get(cell.column, 0), len(cell.text))
    for row in table.rows:
        for cell in row:
            if cell.row_span > 1 or cell.column_span > 1:
                sheet.merge_cells(
                    start_row=cell.row + 1,
                    start_column=cell.column + 1,
                    end_row=cell.row + cell.row_span,
                    end_column=cell.column + cell.column_span,
                )
    for column, width in widths.items():
        letter = get_column_letter(column + 1)
        sheet.column_dimensions[letter].width = min(max(width + 2, _NARROWEST), _WIDEST)


def _write(target: SheetCell, text: str) -> None:
    value = cell_value(" ".join(ILLEGAL_CHARACTERS_RE.sub("", text).split())[:_LONGEST_TEXT])
    target.value = value
    if isinstance(value, str):
        target.data_type = "s"
        # Marked as quoted, so that =1+1 stays text even if somebody edits the cell.
        target.quotePrefix = runs_as_formula(value)
        target.alignment = Alignment(wrap_text=len(value) > _WIDEST, vertical="top")
    else:
        target.number_format = _number_format(text)
    if target.row == 1:
        target.font = Font(bold=True)


def _number_format(text: str) -> str:
    """Return a format that shows the number as it was written."""
    whole, _, decimals = text.strip().partition(".")
    return ("#,##0" if "," in whole else "0") + ("." + "0" * len(decimals) if decimals else "")
