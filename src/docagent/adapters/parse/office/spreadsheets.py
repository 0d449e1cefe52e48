"""The cells of spreadsheets, sheet by sheet, as lines of text. A formula appears as its last value."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from pathlib import Path
from xml.etree.ElementTree import ParseError

import openpyxl
import xlrd
from openpyxl.utils.exceptions import InvalidFileException
from xlrd.compdoc import CompDocError

from docagent.adapters.parse.office.package import damaged
from docagent.adapters.parse.plain.tables import table_lines
from docagent.domain.errors import ReadFailed, ReadFailure

_MAX_CELLS = 2_000_000
_XLS_DAMAGES = (
    xlrd.XLRDError,
    CompDocError,
    zipfile.BadZipFile,
    struct.error,
    AssertionError,
    IndexError,
    KeyError,
    ValueError,
)
_OLD_PROTECTION = (
    "This spreadsheet is protected in an old way that cannot be opened here. "
    "Remove the password in Excel, save it and upload that."
)


def xlsx_lines(path: Path, max_characters: int) -> list[str]:
    """Return the lines of all sheets. Raises ReadFailed."""
    try:
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
        lines: list[str] = []
        for sheet in workbook.worksheets:
            # A sheet may claim a million rows and thousands of columns. This makes only real cells count.
            sheet.reset_dimensions()
            rows = (row for row in sheet.iter_rows(values_only=True) if row)
            lines += _sheet_lines(sheet.title, map(_texts, rows), max_characters)
    except (
        InvalidFileException,
        zipfile.BadZipFile,
        ParseError,
        KeyError,
        ValueError,
        OSError,
        EOFError,
    ) as error:
        raise damaged() from error
    return lines


def xls_lines(path: Path, max_characters: int) -> list[str]:
    """Return the lines of all sheets in the older format. Raises ReadFailed."""
    try:
        workbook = xlrd.open_workbook(path, on_demand=True, ragged_rows=True)
        lines: list[str] = []
        for index in range(workbook.nsheets):
            sheet = workbook.sheet_by_index(index)
            rows = (_texts(_xls_values(sheet.row(row), workbook.datemode)) for row in range(sheet.nrows))
            lines += _sheet_lines(sheet.name, rows, max_characters)
            workbook.unload_sheet(index)
    except _XLS_DAMAGES as error:
        if "encrypted" in str(error):
            raise ReadFailed(ReadFailure.UNSUPPORTED, _OLD_PROTECTION) from error
        raise damaged() from error
    return lines


def _xls_values(row: Iterable[xlrd.sheet.Cell], date_mode: int) -> Iterator[object]:
    for cell in row:
        match cell.ctype:
            case xlrd.XL_CELL_DATE:
                yield _xls_date(cell.value, date_mode)
            case xlrd.XL_CELL_BOOLEAN:
                yield bool(cell.value)
            case xlrd.XL_CELL_ERROR:
                yield None
            case _:
                yield cell.value


def _xls_date(value: float, date_mode: int) -> object:
    try:
        return xlrd.xldate_as_datetime(value, date_mode)
    except (xlrd.xldate.XLDateError, OverflowError, ValueError):
        return value


def _texts(row: Iterable[object]) -> list[str]:
    texts = [_text(value) for value in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes")
        case date() | time():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case _:
            return str(value)


def _sheet_lines(title: str, rows: Iterable[list[str]], max_characters: int) -> list[str]:
    """Return the sheet's name, then its rows. Empty rows are left out."""
    kept: list[list[str]] = []
    cells = characters = 0
    for row in rows:
        if not row:
            continue
        kept.append(row)
        cells += len(row)
        characters += sum(map(len, row))
        if cells > _MAX_CELLS or characters > max_characters:
            raise ReadFailed(
                ReadFailure.TOO_LARGE,
                f"The sheet {title} holds more than is read. Split the spreadsheet and upload the parts.",
            )
    return [title, "", *table_lines(kept), ""] if kept else []
