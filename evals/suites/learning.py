"""Scores what the built-in model learns from verified documents, taught as the product is: one after the other.

Labels take the part of a person: each document is read with what was learnt before it, corrected, and taught with what
the model had said by itself. `..._after_1` to `_5` is what becomes of the documents that are left. `layout_...` does so
for each group of documents of one layout, `reworded_...` where the fields are asked for in words that nobody who writes
rules has read, in two ways. Readings and answers are kept under `build/`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.services.extraction.checking import grounding_of
from docagent.services.extraction.lessons import (
    LEAST_LIKENESS,
    filled_from,
    of_layout,
    recalled_from,
    records_with,
    teach,
)
from docagent.store.extraction.learning import Lesson
from evals.judging import Comparison, Kind, Labels, Printed, Tally, compare, same
from evals.judging.values import as_amount, as_day
from evals.kept import answer_for, read_pages
from evals.matching import share
from evals.sets import SETS, LabelledSet, labelled_rows
from evals.suite import Results
from evals.wordings import Half, Wording, wordings

NAME = "learning"
FOLDER = "documents"

MOST_VERIFIED = 5
ORDERS = 3
WAYS = 2
"""Of the other ways to ask: each asks all documents of a set again."""
_AS_ASKED = Wording("as asked", "", {})
_SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Document:
    """A labelled document, and what the built-in model says of it by itself."""

    file: Path
    pages: Sequence[Page]
    labels: Labels
    printed: Printed
    signature: list[int]


class Desk:
    """Documents of a set asked in one way, verified one after the other."""

    def __init__(self, labelled: LabelledSet, wording: Wording = _AS_ASKED) -> None:
        self._plain = labelled.schema
        self._wording = wording
        self._schema = wording.reword(labelled.schema)
        self.lessons: list[Lesson] = []

    def read(self, document: Document) -> dict[str, Any]:
        """Return what the product says of a document now."""
        given = answer_for(document.file, document.pages, self._schema)
        nearest = of_layout(self.lessons, document.signature)
        return filled_from(given, recalled_from(nearest, document.pages, self._schema)).data

    def compared(self, document: Document) -> list[Comparison]:
        return self._compared(document, self.read(document))

    def verify(self, document: Document) -> None:
        """Correct a document and learn from it."""
        given = answer_for(document.file, document.pages, self._schema)
        data = self._corrected(document, self.read(document))
        truth = builtin_model.Placed(data, grounding_of(document.pages, data, self._schema))
        nearest = of_layout(self.lessons, document.signature)
        taught = teach(document.pages, self._schema, truth, given, truth.data.__contains__, nearest)
        memories = {path: memory.as_json() for path, memory in taught.memories.items()}
        name = document.file.name
        lesson = Lesson(name, name, document.signature, memories, {}, _SOME_DAY)
        records = records_with(nearest, name, taught.verdicts)
        self.lessons = [
            replace(one, record=records.get(one.document_id, one.record)) for one in (*self.lessons, lesson)
        ]

    def _corrected(self, document: Document, data: dict[str, Any]) -> dict[str, Any]:
        """Return the labelled values as a person would leave them: what is right stays as it was given."""
        given = self._wording.restore(data)
        compared: dict[str, list[Comparison]] = {}
        for one in self._compared(document, data):
            compared.setdefault(one.field.partition(".")[0], []).append(one)
        truth = {}
        for name, value in document.labels.values.items():
            right = all(one.right for one in compared.get(name, ())) and name in compared
            truth[name] = given.get(name) if right else _typed(value, document.labels, name)
        said: dict[str, Any] = self._wording.say(truth)
        return said

    def _compared(self, document: Document, given: dict[str, Any]) -> list[Comparison]:
        return compare(self._plain, document.labels, self._wording.restore(given), document.printed)


@dataclass
class Pile:
    """The documents of a set, asked in one way."""

    labelled: LabelledSet
    documents: Sequence[Document]
    wording: Wording = _AS_ASKED

    def in_random_orders(self) -> dict[str, float]:
        """Return F1 of the documents that are left after 0 to 5 of the whole set, and how far it fell."""
        before = [Tally() for _ in range(MOST_VERIFIED + 1)]
        learnt = [Tally() for _ in range(MOST_VERIFIED + 1)]
        alone = Desk(self.labelled, self.wording)
        for order in _orders(self.documents):
            for count, desk, left in self._course(order):
                for document in left:
                    before[count].add_document(alone.compared(document))
                    learnt[count].add_document(desk.compared(document))
        figures = {f"f1_after_{count}": one.f1 for count, one in enumerate(learnt) if one.wanted}
        return figures | {
            f"fall_after_{count}": max(0.0, before[count].f1 - learnt[count].f1)
            for count in range(1, MOST_VERIFIED + 1)
            if learnt[count].wanted
        }

    def by_layout(self) -> Learning:
        """Return the errors in what is left of each layout after 0 to 5 documents of it."""
        found = Learning()
        for group in layouts_of(self.documents):
            found.groups += 1
            for order in _orders(group):
                known: dict[str, list[int]] = {document.file.name: [] for document in order}
                for count, desk, left in self._course(order):
                    for document in left:
                        known[document.file.name].append(_errors(desk.compared(document), document.labels))
                    found.add(count, [known[document.file.name] for document in left])
        return found

    def _course(self, order: Sequence[Document]) -> Iterator[tuple[int, Desk, Sequence[Document]]]:
        """Verify the documents in order, and yield after how many of them which others are left."""
        desk = Desk(self.labelled, self.wording)
        for count in range(min(MOST_VERIFIED + 1, len(order))):
            if count:
                desk.verify(order[count - 1])
            yield count, desk, order[count:]


class Learning:
    """Errors in documents of layouts that repeat, after so many of a layout were verified."""

    def __init__(self) -> None:
        self.groups = 0
        self.before: Counter[int] = Counter()
        self.left: Counter[int] = Counter()
        self.worse: Counter[int] = Counter()
        """How often what is left of a group had more errors than with one lesson less, or with none."""

    def add(self, count: int, errors: Sequence[Sequence[int]]) -> None:
        """Count what is left of a group: of each document the errors after 0, 1, 2, ... lessons."""
        now = sum(one[count] for one in errors)
        self.before[count] += sum(one[0] for one in errors)
        self.left[count] += now
        self.worse[count] += any(
            now > sum(one[earlier] for one in errors) for earlier in {0, max(0, count - 1)}
        )

    def figures(self, name: str) -> dict[str, float]:
        found: dict[str, float] = {f"{name}_errors_wrong": self.before[0]}
        for count in range(1, MOST_VERIFIED + 1):
            found[f"{name}_worse_after_{count}_wrong"] = self.worse[count]
            if self.before[count]:
                gone = self.before[count] - self.left[count]
                found[f"{name}_mended_after_{count}"] = share(gone, self.before[count])
        return found

    def __iadd__(self, other: Learning) -> Learning:
        for mine, theirs in ((self.before, other.before), (self.left, other.left), (self.worse, other.worse)):
            mine.update(theirs)
        self.groups += other.groups
        return self


def layouts_of(documents: Sequence[Document]) -> list[list[Document]]:
    """Return the groups of at least two documents of one layout: those whose lessons the first would be told."""
    groups: list[list[Document]] = []
    for document in documents:
        alike = (one for one in groups if likeness(one[0], document) >= LEAST_LIKENESS)
        group = max(alike, key=lambda one: likeness(one[0], document), default=None)
        if group is None:
            groups.append([document])
        else:
            group.append(document)
    return [group for group in groups if len(group) > 1]


def _orders(documents: Sequence[Document]) -> Iterator[list[Document]]:
    for seed in range(ORDERS):
        yield random.Random(seed).sample(documents, len(documents))


def run(folder: Path) -> Results:
    """Return the figures of each set, and how many errors are left in documents of one layout."""
    results: Results = {}
    for labelled in SETS:
        if (folder / labelled.folder).is_dir():
            documents = documents_of(labelled, folder)
            plain = Pile(labelled, documents)
            learnt = plain.by_layout()
            figures = plain.in_random_orders() | {"layouts": learnt.groups} | learnt.figures("layout")
            results[labelled.folder] = figures | (reworded(labelled, documents) if learnt.groups else {})
    return results


def documents_of(labelled: LabelledSet, folder: Path) -> list[Document]:
    found = []
    for row in labelled_rows(folder / labelled.folder):
        file = folder / labelled.folder / row["file"]
        pages, labels = read_pages(file), labelled.labels(row["fields"])
        printed = Printed.on(pages, day_first=labels.day_first)
        found.append(Document(file, pages, labels, printed, builtin_model.signature_of(pages)))
    return found


def reworded(
    labelled: LabelledSet, documents: Sequence[Document], half: Half = Half.JUDGING
) -> dict[str, float]:
    """Return the errors in documents of one layout, over other ways to ask for their fields."""
    text = "\n".join(page.text for document in documents for page in document.pages)
    learnt = Learning()
    for wording in wordings(labelled.folder, half, text)[:WAYS]:
        learnt += Pile(labelled, documents, wording).by_layout()
    return learnt.figures("reworded")


def likeness(one: Document, other: Document) -> float:
    return builtin_model.likeness(one.signature, other.signature)


def _typed(value: Any, labels: Labels, name: str) -> Any:
    """Return a labelled value in the type that the schema asks for, as the product's editor would."""
    if isinstance(value, list):
        return [_typed(one, labels, name) for one in value]
    if isinstance(value, Mapping):
        return {inner: _typed(one, labels, f"{name}.{inner}") for inner, one in value.items()}
    kind = labels.kinds.get(name)
    if kind is Kind.AMOUNT and (amount := as_amount(value)) is not None:
        return float(amount)
    day = as_day(value, labels.day_first) if kind is Kind.DATE else None
    return day.isoformat() if day is not None else value


def _errors(compared: Sequence[Comparison], labels: Labels) -> int:
    """Count the fields that are not as they should be: missed, wrong, or filled without being there.

    A label that is not even the same as itself, such as a date that was cut off, can be met by nothing.
    """
    return sum(
        not one.right
        for one in compared
        if (one.wanted is None and one.given is not None)
        or (one.wanted is not None and _can_be_met(one, labels))
    )


def _can_be_met(one: Comparison, labels: Labels) -> bool:
    kind = labels.kinds.get(one.field, Kind.NAME)
    return same(one.wanted, one.wanted, kind, day_first=labels.day_first)
