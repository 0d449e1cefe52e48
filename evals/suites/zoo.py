"""Fills schemas from made documents (`evals/zoo`), whose two halves have partly different designs and wordings.

The building half is there to build with. The judging half is only scored: nobody who writes rules or teaches a model
looks at it. How far the second falls behind the first is a figure of its own.
"""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from docagent.domain.documents.text import Page
from docagent.domain.models.llm import Model
from evals.asking import answer
from evals.judging import Comparison, Printed, Tally, compare
from evals.made import document_of, labels_of
from evals.matching import share
from evals.reading import read
from evals.suite import Results
from evals.zoo import Half, MadeDocument
from evals.zoo.scan import Scanner, as_scans

NAME = "zoo"
FOLDER = None
TAKES_MODEL = True

DOCUMENTS = 300
"""Documents of each half. Kinds and languages take turns, so that each pair of them comes about as often."""
SCANS = 12
_FIRST_SCAN = 10_000


def run(folder: Path, model: Model | None = None) -> Results:  # noqa: ARG001 - the zoo brings its own data
    """Return the figures of each half, by kind and by language, and those of a few scans."""
    results: Results = {}
    f1 = {}
    for half in Half:
        results |= _half(half, model)
        f1[half] = _f1(results[half])
    results["gap"] = {"fall_judging": max(0.0, f1[Half.BUILDING] - f1[Half.JUDGING])}
    results["scans"] = _figures(_scans(model))
    return results


def judged(document: MadeDocument, pages: Sequence[Page], model: Model | None = None) -> list[Comparison]:
    """Compare what a model reads on the pages with what the document says."""
    reply = answer(pages, document.name, document.schema, model)
    return compare(
        document.schema, labels_of(document), reply, Printed.on(pages, day_first=document.day_first)
    )


def _half(half: Half, model: Model | None) -> Results:
    whole = Tally()
    parts: dict[str, Tally] = defaultdict(Tally)
    for number in range(DOCUMENTS):
        document = document_of(number, half)
        compared = judged(document, document.pages, model)
        for tally in (whole, parts[document.kind], parts[document.language]):
            tally.add_document(compared)
    detail = {f"{part}_f1": tally.f1 for part, tally in sorted(parts.items())}
    detail |= {f"{part}_precision": tally.precision for part, tally in sorted(parts.items())}
    return {half: _figures(whole), f"{half} parts": detail}


def _scans(model: Model | None) -> Tally:
    """Score a few documents of the judging half as pictures, read by the product's reader."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="docagent-zoo-") as folder:
        for number in range(_FIRST_SCAN, _FIRST_SCAN + SCANS):
            document = document_of(number, Half.JUDGING)
            scanner = replace(Scanner.draw(random.Random(number)), dpi=200)
            path = Path(folder) / f"{document.name}.tiff"
            first, *others = as_scans(document.sheets, scanner)
            first.save(path, save_all=True, append_images=others, dpi=(scanner.dpi, scanner.dpi))
            tally.add_document(judged(document, read(path).pages, model))
    return tally


def _figures(tally: Tally) -> dict[str, float]:
    return {
        "f1": tally.f1,
        "precision": tally.precision,
        "recall": tally.recall,
        "wrong": share(tally.wrong, tally.given),
        "invented": share(tally.invented, tally.given),
        "absent": tally.absent,
        "absent_filled": tally.absent_filled,
        "documents": tally.documents,
    }


def _f1(figures: float | dict[str, float]) -> float:
    return figures["f1"] if isinstance(figures, dict) else figures
