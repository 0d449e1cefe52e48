"""The cells of a workbook, sheet by sheet, as lines of text. A formula appears as its last value."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from docagent.adapters.parse.office.package import damaged
from docagent.adapters.parse.plain.tables import sheet_lines

_DAMAGES = (InvalidFileException, zipfile.BadZipFile, ParseError, KeyError, ValueError, OSError, EOFError)


def lines(path: Path, max_characters: int) -> list[str]:
    """Return the lines of all sheets. Raises ReadFailed."""
    found: list[str] = []
    try:
        # Of a path openpyxl judges the ending, which stored files do not have.
        with path.open("rb") as stream:
            workbook = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
            for sheet in workbook.worksheets:
                # A sheet may claim a million rows and thousands of columns. This makes only real cells count.
                sheet.reset_dimensions()
                rows = (row for row in sheet.iter_rows(values_only=True) if row)
                found += sheet_lines(sheet.title, rows, max_characters)
    except _DAMAGES as error:
        raise damaged() from error
    return found
