"""Pages as the blocks of Amazon Textract, the form in which clients expect a document's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from statistics import fmean
from typing import Any

from docagent.domain.documents.text import Box, Page, Word
from docagent.reading.layout.tables import Table, find_tables

Block = dict[str, Any]

_WHOLE_PAGE = Box(0.0, 0.0, 1.0, 1.0)
_KINDS = {"PAGE": 1, "LINE": 2, "WORD": 3, "TABLE": 4, "CELL": 5}


def textract_blocks(pages: Iterable[Page]) -> Iterator[Block]:
    """Yield each page's PAGE block, then its LINE, WORD, TABLE and CELL blocks. Their ids never change."""
    for page in pages:
        yield from _page_blocks(page)


def _page_blocks(page: Page) -> Iterator[Block]:
    number = page.number
    lines = [line for line in page.lines if line.words]
    line_ids = [_block_id("LINE", number, index) for index in range(len(lines))]
    tables = find_tables(page)
    table_ids = [_block_id("TABLE", number, index) for index in range(len(tables))]

    yield _block("PAGE", _block_id("PAGE", number, 0), number, _WHOLE_PAGE, line_ids + table_ids)

    word_ids: dict[int, str] = {}
    word_numbers = count()
    for line, line_id in zip(lines, line_ids, strict=True):
        ids = [_block_id("WORD", number, next(word_numbers)) for _ in line.words]
        word_ids.update(zip(map(id, line.words), ids, strict=True))
        yield _block(
            "LINE", line_id, number, line.box, ids, Confidence=_confidence(line.words), Text=line.text
        )
    for line in lines:
        for word in line.words:
            said = {"Confidence": round(word.confidence * 100, 4), "Text": word.text, "TextType": "PRINTED"}
            yield {**_block("WORD", word_ids[id(word)], number, word.box), **said}

    cell_numbers = count()
    for table, table_id in zip(tables, table_ids, strict=True):
        yield from _table_blocks(table, table_id, number, word_ids, cell_numbers)


def _table_blocks(
    table: Table, table_id: str, page_number: int, word_ids: dict[int, str], cell_numbers: Iterator[int]
) -> Iterator[Block]:
    cells = [cell for row in table.rows for cell in row]
    cell_ids = [_block_id("CELL", page_number, next(cell_numbers)) for _ in cells]
    confidence = _confidence([word for cell in cells for word in cell.words])
    yield _block("TABLE", table_id, page_number, table.box, cell_ids, Confidence=confidence)
    for cell, cell_id in zip(cells, cell_ids, strict=True):
        yield _block(
            "CELL",
            cell_id,
            page_number,
            cell.box,
            [word_ids[id(word)] for word in cell.words],
            Confidence=_confidence(cell.words),
            RowIndex=cell.row + 1,
            ColumnIndex=cell.column + 1,
            RowSpan=cell.row_span,
            ColumnSpan=cell.column_span,
        )


def _block(
    kind: str, block_id: str, page_number: int, box: Box, children: Sequence[str] = (), **own: Any
) -> Block:
    left, top, right, bottom = box.rounded(6)
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    return {
        "BlockType": kind,
        "Id": block_id,
        "Page": page_number,
        "Geometry": {
            "BoundingBox": {
                "Width": round(right - left, 6),
                "Height": round(bottom - top, 6),
                "Left": left,
                "Top": top,
            },
            "Polygon": [{"X": x, "Y": y} for x, y in corners],
        },
        **own,
        **({"Relationships": [{"Type": "CHILD", "Ids": children}]} if children else {}),
    }


def _confidence(words: Sequence[Word]) -> float:
    return round(fmean(word.confidence for word in words) * 100, 4) if words else 100.0


def _block_id(kind: str, page_number: int, index: int) -> str:
    """Make a UUID of version 8, whose content is ours to choose: the page, the kind, and the number on the page."""
    return f"{page_number:08x}-{_KINDS[kind]:04x}-8000-8000-{index:012x}"
