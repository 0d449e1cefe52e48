"""Scores grounding without a model: are labelled values found in the right place, and absent ones not found?"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent.domain.text import Box, Page
from docagent.grounding.index import DocumentIndex
from docagent.grounding.locating import locate
from docagent.grounding.model import Grounding, GroundingTree, MatchKind
from docagent.grounding.tree import ground_tree
from evals.matching import box_around, centre_inside, overlap, share, squeeze, words_inside
from evals.printed import absent_variants, is_printed, words_are_there
from evals.reading import read
from evals.suite import Results
from evals.suites.tables_icdar import TrueRegion, read_truth

NAME = "grounding"
FOLDER = "documents"

Where = tuple[str | int, ...]
_MARKS = "check_marks_hit"
_FLAGS = frozenset({"selected", "unselected"})
_LEAST_LINE = 5
_NOT_FIELDS = frozenset({"desc", "issuer", "note", "narration"})
"""Fields of invoice2data that hold constants of its templates, or several texts joined together."""


@dataclass
class Gold:
    """One place that must be pointed at, and the figure it counts towards."""

    where: Where
    page: int
    boxes: list[Box]
    figure: str | None = None
    """A figure that it counts towards besides `hit`. Check marks count only towards their own."""
    any_of: bool = False
    """Whether any one of the boxes is enough. Otherwise all of them must be pointed at."""


@dataclass
class Document:
    """A labelled document: its data as an extraction would give it, and where the values stand."""

    path: Path
    data: Any
    golds: list[Gold] = field(default_factory=list)


def run(folder: Path) -> Results:
    """Return, for each set, the shares of values located, located in place, and absent values located."""
    sets = {
        "forms_azure_boxes": _forms,
        "receipts_sroie": _receipts,
        "tables_icdar2013": _tables,
        "invoices_zugferd": _plain,
        "adbuy_deepform": _plain,
        "fara_forms": _plain,
        "invoices_invoice2data": _plain,
    }
    return {
        name: _score(list(load(folder / name))) for name, load in sets.items() if (folder / name).is_dir()
    }


def _score(documents: list[Document]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    seconds = 0.0
    dice = random.Random(1)
    for number, document in enumerate(documents):
        pages = read(document.path).pages
        started = time.perf_counter()
        index = DocumentIndex.of(pages)
        tree = ground_tree(index, document.data)
        seconds += time.perf_counter() - started
        counts += _located(document.data, tree, pages)
        counts += _in_place(document, tree, pages)
        other = documents[(number + 1) % len(documents)]
        counts += _absent(index, document.data, other.data, pages, dice)
    return _figures(counts, len(documents), seconds)


def _located(data: Any, tree: GroundingTree, pages: list[Page]) -> Counter[str]:
    counts: Counter[str] = Counter()
    text = _all_orders(pages)
    for where, value in _leaves(data):
        if value in _FLAGS:
            continue
        grounding = _at(tree, where)
        printed = is_printed(value, text)
        found = grounding is not None and grounding.located
        counts += Counter(
            values=1,
            printed=printed,
            located=printed and found,
            several=printed and grounding is not None and grounding.match is MatchKind.SEVERAL,
            beyond=not printed and found,
        )
    return counts


def _all_orders(pages: list[Page]) -> str:
    """Return the text that is seen, and again column by column, so that wrapped cells are in one piece."""
    pages = [page.without_hidden_words() for page in pages]
    texts = [page.text for page in pages]
    for page in pages:
        words = sorted(page.words, key=lambda word: (round(word.box.left * 12), word.box.top, word.box.left))
        texts.append(" ".join(word.text for word in words))
    return "\n".join(texts)


def _in_place(document: Document, tree: GroundingTree, pages: list[Page]) -> Counter[str]:
    """Count the gold places that were pointed at, among all and among those whose words were read."""
    counts: Counter[str] = Counter()
    for gold in document.golds:
        grounding = _at(tree, gold.where)
        hits = [_is_hit(grounding, gold.page, box) for box in gold.boxes]
        read_right = [_is_read(document.data, gold, box, pages) for box in gold.boxes]
        if gold.any_of:
            hits, read_right = [any(hits)], [any(read_right)]
        figures = [gold.figure] if gold.figure == _MARKS else ["hit", gold.figure or "hit"]
        for figure in dict.fromkeys(figures):
            counts += Counter({f"{figure}.all": len(hits), f"{figure}.right": sum(hits)})
        if gold.figure != _MARKS:
            right = sum(hit and read for hit, read in zip(hits, read_right, strict=True))
            counts += Counter({"hit_of_read.all": sum(read_right), "hit_of_read.right": right})
    return counts


def _is_read(data: Any, gold: Gold, box: Box, pages: list[Page]) -> bool:
    """Return whether the text read in the place is part of the value, or contains it."""
    value: Any = data
    for part in gold.where:
        value = value[part]
    words = [word for page in pages if page.number == gold.page for word in page.words]
    inside = sorted(words_inside(words, box), key=lambda word: (round(word.box.top, 2), word.box.left))
    read = squeeze("".join(word.text for word in inside))
    return bool(read) and (read in squeeze(str(value)) or squeeze(str(value)) in read)


def _is_hit(grounding: Grounding | None, page: int, box: Box) -> bool:
    return grounding is not None and any(
        word.page == page
        and (centre_inside(word.box, box) or centre_inside(box, word.box) or overlap(word.box, box) > 0.3)
        for word in grounding.words
    )


def _absent(
    index: DocumentIndex, data: Any, other: Any, pages: list[Page], dice: random.Random
) -> Counter[str]:
    """Ask for values of another document, and for values of this one with another digit or day."""
    counts: Counter[str] = Counter()
    text = _all_orders(pages)
    foreign = [(where, value) for where, value in _leaves(other)]
    changed = [(where, variant) for where, value in _leaves(data) for variant in absent_variants(value, dice)]
    for where, value in foreign + changed:
        if (
            value in _FLAGS
            or isinstance(value, bool)
            or is_printed(value, text)
            or words_are_there(value, text)
        ):
            continue
        grounding = locate(index, value, path=where)
        counts += Counter(absent=1, absent_located=grounding is not None and grounding.located)
    return counts


def _figures(counts: Counter[str], documents: int, seconds: float) -> dict[str, float]:
    figures = {
        name.removesuffix(".all"): share(counts[name.removesuffix("all") + "right"], counts[name])
        for name in sorted(counts)
        if name.endswith(".all")
    }
    located = share(counts["located"], counts["printed"])
    return {
        "hit": located,
        **figures,
        "located": located,
        "printed": share(counts["printed"], counts["values"]),
        "several_candidates": share(counts["several"], counts["printed"]),
        "absent_located": share(counts["absent_located"], counts["absent"]),
        "absent": counts["absent"],
        "values": counts["values"],
        "documents": documents,
        "milliseconds": seconds * 1000 / max(1, counts["values"]),
    }


def _leaves(node: Any, where: Where = ()) -> Iterator[tuple[Where, Any]]:
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _leaves(value, (*where, name))
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _leaves(value, (*where, number))
    elif node is not None and squeeze(str(node)):
        yield where, node


def _at(tree: GroundingTree, where: Where) -> Grounding | None:
    found: Any = tree
    for part in where:
        found = found[part]
    return found if isinstance(found, Grounding) else None


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for line in (folder / "gt.jsonl").read_text().splitlines():
        yield json.loads(line)


def _plain(folder: Path) -> Iterator[Document]:
    for row in _rows(folder):
        fields = {name: value for name, value in row["fields"].items() if name not in _NOT_FIELDS}
        yield Document(folder / row["file"], fields)


def _forms(folder: Path) -> Iterator[Document]:
    for row in _rows(folder):
        fields = row["fields"]
        golds = [
            Gold(
                (name,),
                pieces[0]["page"],
                [box_around(polygon) for piece in pieces for polygon in piece["polygons"]],
                _MARKS if fields[name] in _FLAGS else f"hit_in_{Path(row['file']).suffix[1:]}",
            )
            for name, pieces in row["grounding"].items()
            if pieces and fields.get(name)
        ]
        yield Document(folder / row["file"], fields, golds)


def _receipts(folder: Path) -> Iterator[Document]:
    for row in _rows(folder):
        size = row["image_px"]
        golds = [
            Gold((name,), 1, [box_around(quad, *size) for quad in quads], f"{name}_hit", any_of=True)
            for name, quads in row["grounding_candidates_px"].items()
            if quads and name != "address"
        ]
        address = squeeze(row["fields"].get("address") or "")
        golds += [
            Gold(("address",), 1, [box_around(line["quad"], *size)], "address_lines_hit")
            for line in row["lines"]
            if len(squeeze(line["text"])) >= _LEAST_LINE and squeeze(line["text"]).strip(".,") in address
        ]
        yield Document(folder / row["file"], row["fields"], golds)


def _tables(folder: Path) -> Iterator[Document]:
    """Yield documents whose tables are rows of cells. A spanning cell stands in the first of its places."""
    for truth in sorted(folder.glob("*-str.xml")):
        path = folder / f"{truth.name.removesuffix('-str.xml')}.pdf"
        sizes = {page.number: (page.width, page.height) for page in read(path).pages}
        tables: list[list[list[str]]] = []
        golds: list[Gold] = []
        for number, region in enumerate(read_truth(truth)):
            table, places = _table(region, sizes[region.page_number])
            tables.append(table)
            golds += [Gold((number, *where), region.page_number, [box]) for where, box in places]
        yield Document(path, tables, golds)


def _table(region: TrueRegion, size: tuple[float, float]) -> tuple[list[list[str]], list[tuple[Where, Box]]]:
    width, height = size
    rows: dict[int, list[str]] = {}
    places: list[tuple[int, int, Box]] = []
    for cell in sorted(region.cells, key=lambda cell: (cell.rows.start, cell.columns.start)):
        if not squeeze(cell.text):
            continue
        row = rows.setdefault(cell.rows.start, [])
        left, bottom, right, top = cell.box
        box = Box(left / width, 1 - top / height, right / width, 1 - bottom / height)
        places.append((cell.rows.start, len(row), box))
        row.append(cell.text)
    numbers = {start: number for number, start in enumerate(rows)}
    return list(rows.values()), [((numbers[start], column), box) for start, column, box in places]
