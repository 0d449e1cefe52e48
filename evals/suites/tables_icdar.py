"""Scores tables of government PDFs (ICDAR 2013): the text of each cell, and which cells are neighbours."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage, Page, Word
from docagent.reading.layout.tables import Table, find_tables
from docagent.reading.page_codec import decode_page

NAME = "tables_icdar"
FOLDER = "documents/tables_icdar2013"

Relation = tuple[str, str, str]
"""The text of a cell, the text of its neighbour, and the direction to it."""

_TYPOGRAPHY = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc", "'") | dict.fromkeys("\u201c\u201d", '"'))
_BOX_SLACK_POINTS = 1.5


@dataclass(frozen=True)
class TrueCell:
    """A cell of the ground truth. The box is in PDF points from the bottom left."""

    text: str
    box: tuple[float, float, float, float]
    rows: range
    columns: range


@dataclass(frozen=True)
class TrueRegion:
    """One table, or the part of it on one page."""

    page_number: int
    cells: tuple[TrueCell, ...]


def run(folder: Path) -> dict[str, float | dict[str, float]]:
    """Return the share of right cell texts, and recall and precision of neighbour relations, over all documents."""
    cells_right = cells_total = 0
    recovered = expected = found = 0
    recall_by_document: dict[str, float] = {}
    for truth_path in sorted(folder.glob("*-str.xml")):
        document = truth_path.name.removesuffix("-str.xml")
        pages = {page.number: page for page in asyncio.run(_read(folder / f"{document}.pdf"))}
        regions = read_truth(truth_path)
        for region in regions:
            words = pages[region.page_number].words
            cells_total += len(region.cells)
            cells_right += sum(
                _normalised(cell.text) == _text_inside(cell, words, pages[region.page_number])
                for cell in region.cells
            )
        true_relations = Counter(
            (region.page_number, relation) for region in regions for relation in true_relations_of(region)
        )
        found_relations = Counter(
            (page.number, relation)
            for page in pages.values()
            for table in find_tables(page)
            for relation in found_relations_of(table)
        )
        shared = (true_relations & found_relations).total()
        recovered += shared
        expected += true_relations.total()
        found += found_relations.total()
        recall_by_document[document] = shared / true_relations.total()
    recall, precision = recovered / expected, recovered / found if found else 0.0
    return {
        "cell_text": cells_right / cells_total,
        "cell_structure": {
            "recall": recall,
            "precision": precision,
            "f1": 2 * recall * precision / (recall + precision) if recovered else 0.0,
        },
        "recall_by_document": recall_by_document,
    }


async def _read(path: Path) -> list[Page]:
    return [
        decode_page(item.layout)
        async for item in ChildProcessReader().read(path, ".pdf")
        if isinstance(item, PackedPage)
    ]


def read_truth(path: Path) -> list[TrueRegion]:
    """Return the regions of a *-str.xml file."""
    return [
        TrueRegion(int(region.attrib["page"]), tuple(map(_true_cell, region.iter("cell"))))
        for region in ElementTree.parse(path).iter("region")
    ]


def _true_cell(element: ElementTree.Element) -> TrueCell:
    place = {name: int(value) for name, value in element.attrib.items() if name != "id"}
    box = element.find("bounding-box")
    assert box is not None
    x1, y1, x2, y2 = (float(box.attrib[name]) for name in ("x1", "y1", "x2", "y2"))
    first_row, first_column = place["start-row"], place["start-col"]
    return TrueCell(
        text=element.findtext("content") or "",
        box=(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)),
        rows=range(first_row, place.get("end-row", first_row) + 1),
        columns=range(first_column, place.get("end-col", first_column) + 1),
    )


def _text_inside(cell: TrueCell, words: tuple[Word, ...], page: Page) -> str:
    left, bottom, right, top = cell.box
    inside = []
    for word in words:
        x = (word.box.left + word.box.right) / 2 * page.width
        y = (1 - (word.box.top + word.box.bottom) / 2) * page.height
        if (
            left - _BOX_SLACK_POINTS <= x <= right + _BOX_SLACK_POINTS
            and bottom - _BOX_SLACK_POINTS <= y <= top + _BOX_SLACK_POINTS
        ):
            inside.append(word.text)
    return _normalised("".join(inside))


def _normalised(text: str) -> str:
    return "".join(text.split()).translate(_TYPOGRAPHY).casefold()


def true_relations_of(region: TrueRegion) -> Iterator[Relation]:
    """Yield the neighbours in the ground truth, skipping blank cells."""
    grid = {(row, column): cell for cell in region.cells for row in cell.rows for column in cell.columns}
    return _relations({place: (id(cell), cell.text) for place, cell in grid.items()})


def found_relations_of(table: Table) -> Iterator[Relation]:
    """Yield the neighbours in a table that was found, skipping blank cells."""
    grid: dict[tuple[int, int], tuple[int, str]] = {}
    for row in table.rows:
        for cell in row:
            for row_number in range(cell.row, cell.row + cell.row_span):
                for column_number in range(cell.column, cell.column + cell.column_span):
                    grid[row_number, column_number] = (id(cell), cell.text)
    return _relations(grid)


def _relations(grid: dict[tuple[int, int], tuple[int, str]]) -> Iterator[Relation]:
    """Yield each pair of neighbouring cells once, even where spanning cells touch along several rows or columns."""
    filled = {place: cell for place, cell in grid.items() if _normalised(cell[1])}
    last_row = max((row for row, _ in filled), default=0)
    last_column = max((column for _, column in filled), default=0)
    pairs = set()
    for (row, column), cell in filled.items():
        right = next((filled[row, c] for c in range(column + 1, last_column + 1) if (row, c) in filled), None)
        below = next((filled[r, column] for r in range(row + 1, last_row + 1) if (r, column) in filled), None)
        for neighbour, direction in ((right, "right"), (below, "below")):
            if neighbour is not None and neighbour[0] != cell[0]:
                pairs.add((cell, neighbour, direction))
    for cell, neighbour, direction in pairs:
        yield _normalised(cell[1]), _normalised(neighbour[1]), direction
