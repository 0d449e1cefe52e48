"""Values with their signals and whether they are right: what a calibration is made from and judged by."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.evidence.confidence import Known, Signals, default_calibration, weighed, weighed_values
from docagent.jsonschema import SchemaValidator
from docagent.services.extraction.checking import grounding_of
from evals.asking import answer
from evals.judging import Labels, Printed, compare
from evals.reading import read
from evals.sets import SETS, labelled_rows
from evals.suites.zoo import document_of, labels_of
from evals.wordings import Half, Wording, wordings

SEEN, UNSEEN = 0, 1
"""The half of each set that the default calibration is made from, and the half that it never sees."""


ZOO = "zoo"


@dataclass(frozen=True)
class Judged:
    """A value that was extracted, and whether it is the labelled one."""

    set: str
    document: str
    signals: Signals
    right: bool


@dataclass(frozen=True)
class Asked:
    """A document, and what is asked of it."""

    set: str
    document: str
    pages: Sequence[Page]
    schema: dict[str, Any]


AS_IT_IS = Wording("as it is", "", {})


def of_sets(folder: Path, half: int, *, reworded: bool = False) -> Iterator[Judged]:
    """Yield the values that the built-in model extracts from one half of each set of labelled documents.

    `reworded` asks for the fields in the building wordings too, as other users would.
    """
    for labelled in SETS:
        if not (folder / labelled.folder).is_dir():
            continue
        for row in labelled_rows(folder / labelled.folder):
            if zlib.crc32(row["file"].encode()) % 2 != half:
                continue
            reading = read(folder / labelled.folder / row["file"])
            asked = wordings(labelled.folder, Half.BUILDING, reading.text) if reworded else []
            document = Asked(labelled.folder, row["file"], reading.pages, labelled.schema)
            for wording in (AS_IT_IS, *asked):
                yield from judged(document, labelled.labels(row["fields"]), wording)


def of_zoo(half: Half, documents: int) -> Iterator[Judged]:
    for number in range(documents):
        made = document_of(number, half)
        yield from judged(Asked(ZOO, made.name, made.pages, made.schema), labels_of(made))


def judged(asked: Asked, labels: Labels, wording: Wording = AS_IT_IS) -> Iterator[Judged]:
    """Extract, ground and weigh as the product does, and compare with the labels."""
    pages, schema = asked.pages, wording.reword(asked.schema)
    data = answer(pages, asked.document, schema)
    heard = builtin_model.fill_heard(pages, schema).heard
    known = Known(
        problems=[problem.path for problem in SchemaValidator(schema).errors(data)],
        voices={path: one.voices for path, one in heard.items()},
    )
    tree = wording.restore(weighed(grounding_of(pages, data, schema), data, known, default_calibration()))
    data = wording.restore(data)
    values: dict[tuple[str, str], list[Signals]] = defaultdict(list)
    for one in weighed_values(tree, data):
        values[_key(str(one.path.column), one.value)].append(one.signals)
    for compared in compare(asked.schema, labels, data, Printed.on(pages, day_first=labels.day_first)):
        signals = values[_key(compared.field, compared.given)]
        if compared.given is not None and signals:
            yield Judged(asked.set, asked.document, signals.pop(0), compared.right)


def _key(field: str, value: Any) -> tuple[str, str]:
    return field, str(value)
