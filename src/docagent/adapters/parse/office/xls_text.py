"""The cells of a workbook in Excel's older format, sheet by sheet, as lines of text."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import xlrd
from xlrd.compdoc import CompDocError

from docagent.adapters.parse.office.package import damaged
from docagent.adapters.parse.plain.tables import sheet_lines
from docagent.domain.errors import ReadFailed, ReadFailure

_DAMAGES = (
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


def lines(path: Path, max_characters: int) -> list[str]:
    """Return the lines of all sheets. Raises ReadFailed."""
    found: list[str] = []
    try:
        workbook = xlrd.open_workbook(path, on_demand=True, ragged_rows=True)
        for index in range(workbook.nsheets):
            sheet = workbook.sheet_by_index(index)
            rows = (_values(sheet.row(row), workbook.datemode) for row in range(sheet.nrows))
            found += sheet_lines(sheet.name, rows, max_characters)
            workbook.unload_sheet(index)
    except _DAMAGES as error:
        if "encrypted" in str(error):
            raise ReadFailed(ReadFailure.UNSUPPORTED, _OLD_PROTECTION) from error
        raise damaged() from error
    return found


def _values(row: Iterable[xlrd.sheet.Cell], date_mode: int) -> Iterator[object]:
    for cell in row:
        match cell.ctype:
            case xlrd.XL_CELL_DATE:
                yield _date(cell.value, date_mode)
            case xlrd.XL_CELL_BOOLEAN:
                yield bool(cell.value)
            case xlrd.XL_CELL_ERROR:
                yield None
            case _:
                yield cell.value


def _date(value: float, date_mode: int) -> object:
    try:
        return xlrd.xldate_as_datetime(value, date_mode)
    except (xlrd.xldate.XLDateError, OverflowError, ValueError):
        return value
