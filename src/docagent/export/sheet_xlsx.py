"""A sheet as a workbook: a tab of documents, one for each table in them, and one of pictures of the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from docagent.domain.documents.text import Box
from docagent.domain.extraction.sheets import Cell, Column, ColumnKind, Row, decimals_of, plain
from docagent.export.sheet_lines import ForPeople, Part
from docagent.export.workbook import LINKED, MOST_LINKS, Book, Tab, day_of

_PROOF_WIDTH, _PROOF_HEIGHT = 24, 30.0
"""Of a cell with a picture: characters and points."""
_PICTURE = (168, 36)
"""Pixels that a picture may take there."""
_MARGIN = 0.006
"""Shown around the words, as a share of the page."""


class SheetWorkbook:
    """Takes rows in batches. The first batch decides about widths and decimals."""

    def __init__(self, name: str, parts: Sequence[Part], look: ForPeople, documents: int) -> None:
        self._look = look
        self._book = Book()
        self._parts = parts
        self._tabs = [self._book.tab(part.column.title if part.column else name) for part in parts]
        self._table_tabs = {str(part.column.path): tab for part, tab in self._linked() if part.column}
        self._proof = self._book.tab(look.word("proof")) if look.pictures else None
        self._decimals: list[list[int]] = []
        fields = len(parts[0].columns) + 1
        self._links_values = documents * fields <= MOST_LINKS

    def _linked(self) -> list[tuple[Part, Tab]]:
        return list(zip(self._parts, self._tabs, strict=True))

    def add(self, batch: Sequence[Sequence[Row]], pictures: Mapping[str, bytes]) -> None:
        """Write the rows of each tab. `pictures` are first pages, by the document's id."""
        if not self._decimals:
            self._begin(batch)
        starts = {path: tab.rows for path, tab in self._table_tabs.items()}
        for row in batch[0]:
            self._tabs[0].add(self._document(row, starts))
            if self._proof is not None:
                self._add_proof(self._proof, row, pictures.get(row.result.document_id))
        for place, rows in enumerate(batch[1:], 1):
            for row in rows:
                tab, decimals = self._tabs[place], self._decimals[place]
                cells = [
                    self._value(tab, row, cell, column, number)
                    for cell, column, number in zip(
                        row.cells, self._parts[place].columns, decimals, strict=True
                    )
                ]
                tab.add([self._name(tab, row), (row.item or 0) + 1, *cells])

    def save(self, target: Path) -> None:
        if not self._decimals:
            self._begin([[] for _ in self._parts])
        for part, tab in self._linked():
            tab.filtered(len(part.columns) + 2)
        self._book.save(target)

    def _begin(self, batch: Sequence[Sequence[Row]]) -> None:
        for (part, tab), rows in zip(self._linked(), batch, strict=True):
            columns = list(zip(*(row.cells for row in rows), strict=True)) or [() for _ in part.columns]
            self._decimals.append(
                [max((decimals_of(cell.value) for cell in one), default=0) for one in columns]
            )
            first = [self._look.word("document"), *([self._look.word("row")] if part.column else [])]
            last = [] if part.column else [self._look.word("state")]
            shown = [[len(row.result.document_name) for row in rows], *([[]] if part.column else [])]
            shown += [[len(_shown(cell.value)) for cell in one] for one in columns]
            widths = {place: max(lengths, default=0) for place, lengths in enumerate(shown)}
            tab.head([*first, *(column.title for column in part.columns), *last], widths)
        if self._proof is not None:
            titles = [column.title for column in self._parts[0].columns]
            widths = dict.fromkeys(range(len(titles) + 1), _PROOF_WIDTH)
            self._proof.head([self._look.word("document"), *titles], widths)

    def _document(self, row: Row, starts: dict[str, int]) -> list[Any]:
        tab, found = self._tabs[0], [self._name(self._tabs[0], row)]
        for cell, column, decimals in zip(row.cells, self._parts[0].columns, self._decimals[0], strict=True):
            table = self._table_tabs.get(str(column.path))
            if table is None:
                found.append(self._value(tab, row, cell, column, decimals))
                continue
            count = len(cell.value) if isinstance(cell.value, list) else 0
            start = starts[str(column.path)] + 1
            starts[str(column.path)] += count
            made = tab.cell(count or None, inside=f"'{table.name}'!A{start}" if count else "")
            made.font = LINKED
            found.append(made)
        return [*found, self._look.word(row.state)]

    def _name(self, tab: Tab, row: Row) -> Any:
        made = tab.cell(row.result.document_name, link=self._look.address_of(row.result.document_id))
        made.font = LINKED
        return made

    def _value(self, tab: Tab, row: Row, cell: Cell, column: Column, decimals: int) -> Any:
        value = plain(cell.value)
        if column.kind is ColumnKind.DATE:
            value = day_of(value) or value
        link = ""
        if self._links_values and cell.page is not None:
            link = self._look.address_of(row.result.document_id, str(cell.path))
        return tab.cell(value, decimals=decimals, marked=cell.doubtful or cell.remark is not None, link=link)

    def _add_proof(self, tab: Tab, row: Row, picture: bytes | None) -> None:
        tab.add([self._name(tab, row)], height=_PROOF_HEIGHT)
        if picture is None:
            return
        with Image.open(BytesIO(picture)) as page:
            for place, cell in enumerate(row.cells, 1):
                png = words_of(page, cell.path.get(row.result.grounding))
                if png is not None:
                    tab.picture(png, place, *_PICTURE)


def words_of(page: Image.Image, place: Any) -> bytes | None:
    """Cut the words of one value out of the picture of the first page; None if they do not stand on it."""
    words = place.get("words") if isinstance(place, dict) and place.get("page") == 1 else None
    boxes = [Box(*word["box"]) for word in words or () if word.get("page") == 1]
    if not boxes:
        return None
    box = reduce(Box.union, boxes).grown(_MARGIN)
    left, right = int(box.left * page.width), int(box.right * page.width)
    top, bottom = int(box.top * page.height), int(box.bottom * page.height)
    if right <= left or bottom <= top:
        return None
    target = BytesIO()
    page.crop((left, top, right, bottom)).save(target, "PNG", optimize=True)
    return target.getvalue()


def _shown(value: Any) -> str:
    if isinstance(value, list | dict):
        return ""
    return f"{value:,}" if isinstance(value, float) else str("" if value is None else value)
