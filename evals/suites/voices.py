"""Scores the built-in model's voices on each labelled set and the zoo's judging half: rules alone, the network alone,
both together, and how often values are right on which both agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.voices import joined
from docagent.domain.documents.text import Page
from docagent.domain.extraction.voices import Voices
from evals.foreign import foreign_schema
from evals.judging import Comparison, Labels, Printed, Tally, compare
from evals.made import document_of, labels_of
from evals.matching import share
from evals.reading import read
from evals.sets import SETS, labelled_rows
from evals.suite import Results
from evals.zoo import Half

NAME = "voices"
FOLDER = "documents"

DOCUMENTS = 150
_ZOO = "zoo"
_VOICES = ("rules", "network", "together")


@dataclass
class Heard:
    """What the voices say of one document."""

    compared: dict[str, list[Comparison]]
    agreed: list[Comparison] = field(default_factory=list)
    """The values on which both agree."""
    foreign: int = 0
    foreign_filled: int = 0
    """Fields of other trades that the network fills beside the rules."""


def run(folder: Path) -> Results:
    """Return the figures of each voice in each set."""
    results: Results = {}
    for name, documents in _sets(folder):
        results |= figures(name, documents)
    return results


def figures(name: str, documents: Iterator[Heard]) -> Results:
    tallies: dict[str, Tally] = defaultdict(Tally)
    agreed: list[Comparison] = []
    foreign = filled = 0
    for heard in documents:
        for voice, compared in heard.compared.items():
            tallies[voice].add_document(compared)
        agreed += heard.agreed
        foreign += heard.foreign
        filled += heard.foreign_filled
    results: Results = {f"{name} {voice}": _figures(tallies[voice]) for voice in _VOICES}
    right = share(sum(one.right for one in agreed), len(agreed))
    told = {"agreed": len(agreed), "agreed_right": right, "foreign": foreign, "foreign_filled": filled}
    return results | {f"{name} voices": told}


def hear(
    pages: Sequence[Page], schema: dict[str, Any], labels: Labels, unknown: dict[str, Any] | None = None
) -> Heard:
    """Ask each voice for what a document says, and for fields that it does not have."""
    sheet = sheet_of(pages)
    printed = Printed.on(pages, day_first=labels.day_first)
    together = joined(pages, sheet, schema, fill_sheet(sheet, schema))
    replies = {
        "rules": fill_sheet(sheet, schema),
        "network": joined(pages, sheet, schema, fill_sheet(sheet_of([]), schema)).data,
        "together": together.data,
    }
    heard = Heard({voice: compare(schema, labels, reply, printed) for voice, reply in replies.items()})
    agreed = {str(path) for path, one in together.heard.items() if one.voices is Voices.AGREE}
    heard.agreed = [
        one for one in heard.compared["together"] if one.field in agreed and one.given is not None
    ]
    if unknown is not None:
        heard.foreign = len(unknown["properties"])
        before, after = (
            fill_sheet(sheet, unknown),
            joined(pages, sheet, unknown, fill_sheet(sheet, unknown)).data,
        )
        heard.foreign_filled = sum(not before[name] and bool(after[name]) for name in before)
    return heard


def _sets(folder: Path) -> Iterator[tuple[str, Iterator[Heard]]]:
    for labelled in SETS:
        if (folder / labelled.folder).is_dir():
            yield (
                labelled.folder,
                (
                    hear(
                        read(folder / labelled.folder / row["file"]).pages,
                        labelled.schema,
                        labelled.labels(row["fields"]),
                        foreign_schema(labelled.folder),
                    )
                    for row in labelled_rows(folder / labelled.folder)
                ),
            )
    made = (document_of(number, Half.JUDGING) for number in range(DOCUMENTS))
    yield _ZOO, (hear(document.pages, document.schema, labels_of(document)) for document in made)


def _figures(tally: Tally) -> dict[str, float]:
    return {
        "f1": tally.f1,
        "precision": tally.precision,
        "recall": tally.recall,
        "wrong": share(tally.wrong, tally.given),
        "absent": tally.absent,
        "absent_filled": tally.absent_filled,
        "documents": tally.documents,
    }
