"""Scores grounding without a model: are labelled values found in the right place, and absent ones not found?

Hits and absences go through the function with which the product grounds a result. Places are judged by their words
(`evals/judging/places.py`).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent.domain.documents.text import Box, Page
from docagent.services.extraction.checking import grounding_of
from evals.judging import Located, Place, PlaceTally, Where, leaves
from evals.judging.places import Locate
from evals.matching import box_around, letters, share, squeeze
from evals.printed import PrintedText, absent_variants, is_printed, words_are_there
from evals.reading import read
from evals.sets import SETS, labelled_rows
from evals.suite import Results
from evals.suites.tables_icdar import TrueRegion, read_truth

NAME = "grounding"
FOLDER = "documents"

_MARKS = "check_marks"
_FLAGS = frozenset({"selected", "unselected"})
_LEAST_LINE = 5
_VARIANTS = 2
_NOT_FIELDS = frozenset({"desc", "issuer", "note", "narration"})
"""Fields of invoice2data that hold constants of its templates, or several texts joined together."""
_SCHEMAS = {labelled.folder: labelled.schema for labelled in SETS}


@dataclass(frozen=True)
class Gold:
    """The labelled places of one value."""

    where: Where
    places: tuple[Place, ...]
    """Any of them may be meant."""
    figure: str | None = None
    """A figure that it counts towards besides the set's. Check marks count only towards their own."""


@dataclass
class Document:
    """A labelled document: its data as an extraction would give it, and where the values stand."""

    path: Path
    data: Any
    golds: list[Gold] = field(default_factory=list)


@dataclass
class Scores:
    """The counts of one set."""

    places: dict[str, PlaceTally] = field(default_factory=lambda: defaultdict(PlaceTally))
    """By figure; the set's own under no name."""
    counts: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    seconds: float = 0.0

    @property
    def figures(self) -> dict[str, float]:
        counts = self.counts
        figures: dict[str, float] = {}
        for name, tally in sorted(self.places.items()):
            after = f"_{name}" if name else ""
            figures |= {f"hit{after}": tally.hit, f"word_f1{after}": tally.f1}
            if not name:
                figures |= {"word_precision": tally.precision, "word_recall": tally.recall}
                figures["hit_of_read"] = share(tally.readable_hits, tally.readable)
                figures["several_candidates"] = share(tally.several, tally.values)
        return {
            **figures,
            "located": share(counts["located"], counts["printed"]),
            "printed": share(counts["printed"], counts["values"]),
            "absent_located": share(counts["absent_located"], counts["absent"]),
            "absent": counts["absent"],
            "values": counts["values"],
            "documents": self.documents,
            "milliseconds": self.seconds * 1000 / max(1, counts["values"]),
        }


def run(folder: Path) -> Results:
    """Return, for each set, the shares of values located, located in place, and absent values located."""
    return {
        name: score(list(load(folder / name)), _SCHEMAS.get(name)).figures
        for name, load in _SETS.items()
        if (folder / name).is_dir()
    }


def score(
    documents: Sequence[Document], schema: dict[str, Any] | None, locate: Locate = grounding_of
) -> Scores:
    scores = Scores()
    dice = random.Random(1)
    for number, document in enumerate(documents):
        pages = read(document.path).pages
        other = documents[(number + 1) % len(documents)]
        score_document(document, pages, other.data, schema, dice, scores, locate)
    return scores


def score_document(
    document: Document,
    pages: list[Page],
    other: Any,
    schema: dict[str, Any] | None,
    dice: random.Random,
    scores: Scores,
    locate: Locate = grounding_of,
) -> None:
    """Ground a document's own values, then those of another one and slightly changed ones, which it does not have."""
    text = PrintedText(_all_orders(pages))
    located = Located(pages, document.data, schema, locate)
    scores.seconds += located.seconds
    scores.documents += 1
    placed = {gold.where: gold for gold in document.golds}
    for where, value in leaves(document.data):
        gold = placed.get(where)
        if gold is not None:
            tally = located.judge(where, value, gold.places)
            for figure in {gold.figure} if gold.figure == _MARKS else {"", gold.figure or ""}:
                scores.places[figure or ""] += tally
        if value in _FLAGS:
            continue
        printed = is_printed(value, text)
        found = located.is_located(where)
        scores.counts += Counter(values=1, printed=printed, located=printed and found)
        if not document.golds and printed:
            scores.places[""] += located.judge(where, value)
    changed = [_changed(document.data, dice, nth) for nth in range(_VARIANTS)]
    for data in (other, *changed):
        scores.counts += _absent(pages, data, schema, text, locate)


def _absent(
    pages: list[Page], data: Any, schema: dict[str, Any] | None, text: PrintedText, locate: Locate
) -> Counter[str]:
    """Count the values that are not on the pages, and those that were located all the same."""
    located = Located(pages, data, schema, locate)
    counts: Counter[str] = Counter()
    for where, value in leaves(data):
        if (
            value in _FLAGS
            or isinstance(value, bool)
            or is_printed(value, text)
            or words_are_there(value, text)
        ):
            continue
        counts += Counter(absent=1, absent_located=located.is_located(where))
    return counts


def _changed(node: Any, dice: random.Random, nth: int) -> Any:
    """Return the data with another digit or day in every value that has one: each value's nth variant, if it has it."""
    if isinstance(node, dict):
        return {name: _changed(value, dice, nth) for name, value in node.items()}
    if isinstance(node, list):
        return [_changed(value, dice, nth) for value in node]
    if node is None or isinstance(node, bool):
        return None
    variants = list(absent_variants(node, dice))
    return variants[nth] if nth < len(variants) else None


def _all_orders(pages: list[Page]) -> str:
    """Return the text that is seen, and again column by column, so that wrapped cells are in one piece."""
    pages = [page.without_hidden_words() for page in pages]
    texts = [page.text for page in pages]
    for page in pages:
        words = sorted(page.words, key=lambda word: (round(word.box.left * 12), word.box.top, word.box.left))
        texts.append(" ".join(word.text for word in words))
    return "\n".join(texts)


def _plain(folder: Path) -> Iterator[Document]:
    for row in labelled_rows(folder):
        fields = {name: value for name, value in row["fields"].items() if name not in _NOT_FIELDS}
        yield Document(folder / row["file"], fields)


def _forms(folder: Path) -> Iterator[Document]:
    for row in labelled_rows(folder):
        fields = row["fields"]
        golds = [
            Gold(
                (name,),
                (_polygons(pieces),),
                _MARKS if fields[name] in _FLAGS else Path(row["file"]).suffix[1:],
            )
            for name, pieces in row["grounding"].items()
            if pieces and fields.get(name)
        ]
        yield Document(folder / row["file"], fields, golds)


def _polygons(pieces: Sequence[Mapping[str, Any]]) -> Place:
    return Place(
        tuple((piece["page"], box_around(polygon)) for piece in pieces for polygon in piece["polygons"])
    )


def _receipts(folder: Path) -> Iterator[Document]:
    """Yield documents whose labels are boxes of lines. An address stands in several of them."""
    for row in labelled_rows(folder):
        size = row["image_px"]
        golds = [
            Gold((name,), tuple(_lines([box_around(quad, *size)]) for quad in quads), name)
            for name, quads in row["grounding_candidates_px"].items()
            if quads and name != "address"
        ]
        address = letters(row["fields"].get("address") or "")
        lines = [
            box_around(line["quad"], *size)
            for line in row["lines"]
            if len(letters(line["text"])) >= _LEAST_LINE and letters(line["text"]) in address
        ]
        golds += [Gold(("address",), (_lines(lines),), "address")] if lines else []
        yield Document(folder / row["file"], row["fields"], golds)


def _lines(boxes: Sequence[Box]) -> Place:
    return Place(tuple((1, box) for box in boxes), only_value=False)


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
            golds += [Gold((number, *where), (Place(((region.page_number, box),)),)) for where, box in places]
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


_SETS = {
    "forms_azure_boxes": _forms,
    "receipts_sroie": _receipts,
    "tables_icdar2013": _tables,
    "invoices_zugferd": _plain,
    "adbuy_deepform": _plain,
    "fara_forms": _plain,
    "invoices_invoice2data": _plain,
    "contracts_nda": _plain,
}
