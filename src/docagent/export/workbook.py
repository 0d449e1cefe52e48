"""Workbooks as people keep them: real dates and numbers, widths, links. Rows go to disk as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.drawing.image import Image
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.hyperlink import Hyperlink

from docagent.domain.extraction.sheets import decimals_of
from docagent.export.cells import harmless

MOST_LINKS = 65_000
"""Excel repairs a sheet that has more than 65,530, which looks like damage."""
_NAME_LENGTH = 31
_NARROWEST, _WIDEST = 8, 50
_LONGEST_TEXT = 32_000
_MOST_DIGITS = 15
"""Excel keeps no more digits of a number than this, so longer numbers stay text."""
_FIRST_DATE = date(1900, 3, 1)
_UNSURE = PatternFill("solid", fgColor="FFF2B3")
_BOLD = Font(bold=True)
LINKED = Font(color="0563C1", underline="single")
"""For the few cells that should look like links: hundreds of underlined figures are hard to read."""


class Book:
    def __init__(self) -> None:
        self._book = Workbook(write_only=True)

    def tab(self, name: str) -> Tab:
        """Add a tab, under a name that Excel allows and no other tab has."""
        plain = "".join(letter for letter in name if letter not in "[]:*?/\\'").strip() or "Result"
        title, number = plain[:_NAME_LENGTH], 2
        while title.lower() in (other.lower() for other in self._book.sheetnames):
            title = f"{plain[: _NAME_LENGTH - len(str(number)) - 1]} {number}"
            number += 1
        return Tab(self._book.create_sheet(title))

    def save(self, target: Path | BytesIO) -> None:
        self._book.save(target)

    def bytes(self) -> bytes:
        target = BytesIO()
        self.save(target)
        return target.getvalue()


class Tab:
    """A sheet of a workbook. What is said of columns and row heights has to be said before their rows are added."""

    def __init__(self, sheet: Any) -> None:
        self._sheet = sheet
        self._links = self.rows = 0

    @property
    def name(self) -> str:
        return str(self._sheet.title)

    def head(self, names: Iterable[str], widths: Mapping[int, int] | None = None) -> None:
        """Write the headings, which stay in view and filter; `widths` are characters, by position."""
        cells = [self.cell(name) for name in names]
        for place, cell in enumerate(cells):
            cell.font = _BOLD
            width = max(len(str(cell.value)) + 3, (widths or {}).get(place, 0) + 2)
            letter = get_column_letter(place + 1)
            self._sheet.column_dimensions[letter].width = min(max(width, _NARROWEST), _WIDEST)
        self._sheet.freeze_panes = "B2"
        self.add(cells)

    def add(self, row: Iterable[Any], height: float | None = None) -> None:
        self.rows += 1
        if height is not None:
            self._sheet.row_dimensions[self.rows].height = height
        self._sheet.append([value if isinstance(value, Cell) else self.cell(value) for value in row])

    def filtered(self, columns: int) -> None:
        """Let people filter by the headings. Said after the last row."""
        if self.rows:
            self._sheet.auto_filter.ref = f"A1:{get_column_letter(max(columns, 1))}{self.rows}"

    def cell(
        self, value: Any, *, decimals: int = 0, marked: bool = False, link: str = "", inside: str = ""
    ) -> Cell:
        """Make a cell. `link` is an address, `inside` a place in this workbook such as `'Lines'!A2`."""
        made = WriteOnlyCell(self._sheet, value=_kept(value))
        if isinstance(made.value, str):
            made.data_type = "s"  # never a formula
        elif isinstance(made.value, date):
            made.number_format = "yyyy-mm-dd"
        elif isinstance(made.value, int | float) and not isinstance(value, bool):
            decimals = max(decimals, decimals_of(value))
            made.number_format = "#,##0." + "0" * decimals if decimals else "General"
        if marked:
            made.fill = _UNSURE
        if (link or inside) and self._links < MOST_LINKS and made.value is not None:
            self._links += 1
            made.hyperlink = Hyperlink(ref="A1", target=link or None, location=inside or None)
        return made

    def picture(self, png: bytes, column: int, width: int, height: int) -> None:
        """Lay a picture over the cell of the row that was added last."""
        image = Image(BytesIO(png))
        scale = min(width / image.width, height / image.height, 1)
        image.width, image.height = int(image.width * scale), int(image.height * scale)
        self._sheet.add_image(image, f"{get_column_letter(column + 1)}{self.rows}")


def day_of(value: Any) -> date | None:
    """Return the day that a text names, if a workbook can hold it."""
    try:
        day = (
            date.fromisoformat(value) if isinstance(value, str) and len(value) == len("2026-03-14") else None
        )
    except ValueError:
        return None
    return day if day is not None and day >= _FIRST_DATE else None


def _kept(value: Any) -> Any:
    if isinstance(value, date | bool):
        return value
    if isinstance(value, int | float) and len(str(abs(int(value)))) > _MOST_DIGITS:
        return str(value)
    plain = harmless(value)
    return (plain[:_LONGEST_TEXT] or None) if isinstance(plain, str) else plain
