"""Scores what the built-in model learns from verified documents: F1 on the others after 0, 1, 3 and 10 of them.

Labels take the part of a person's verification. `layout_...` counts the errors in documents of which at least three
others have the same layout, before any of these is verified and after; `reworded_...` does so where the fields are
asked for in words that nobody who writes rules has read, in two ways. Readings and answers are kept under
`build/`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.builtin_model import Memory
from docagent.domain.documents.text import Page
from docagent.services.extraction.checking import grounding_of
from docagent.services.extraction.learning import LEAST_LIKENESS, MOST_VOTES
from evals.judging import Comparison, Kind, Labels, Printed, Tally, compare, same
from evals.judging.values import as_amount, as_day
from evals.kept import answer_for, read_pages
from evals.matching import share
from evals.sets import SETS, LabelledSet, labelled_rows
from evals.suite import Results
from evals.wordings import Half, Wording, wordings

NAME = "learning"
FOLDER = "documents"

VERIFIED = (1, 3, 10)
ORDERS = 5
OF_A_LAYOUT = 3
WAYS = 2
"""Of the other ways to ask: each asks all documents of a set anew."""
_AS_ASKED = Wording("as asked", "", {})


@dataclass
class Document:
    """A labelled document, and what the built-in model says of it by itself."""

    file: Path
    pages: Sequence[Page]
    labels: Labels
    printed: Printed
    signature: list[int]


@dataclass
class Lesson:
    """A document asked in one way, and what it teaches."""

    document: Document
    given: dict[str, Any]
    alone: list[Comparison]
    """What becomes of the document when none that is like it is verified."""
    memories: dict[str, Memory] = field(default_factory=dict)


class Pile:
    """The documents of a set, all asked in the same words."""

    def __init__(
        self, labelled: LabelledSet, documents: Sequence[Document], wording: Wording = _AS_ASKED
    ) -> None:
        self._plain = labelled.schema
        self._wording = wording
        self._schema = wording.reword(labelled.schema)
        self.lessons = [self._taught(document) for document in documents]

    def _taught(self, document: Document) -> Lesson:
        given = answer_for(document.file, document.pages, self._schema)
        lesson = Lesson(document, given, self._compared(document, given))
        truth = self._wording.say(self._verified(lesson))
        places = grounding_of(document.pages, truth, self._schema)
        lesson.memories = builtin_model.remember(
            document.pages, self._schema, truth, lesson.given, places, truth.__contains__
        )
        return lesson

    def _verified(self, lesson: Lesson) -> dict[str, Any]:
        """Return the labelled values as a person would leave them: what is right stays as it was given."""
        document, given = lesson.document, self._wording.restore(lesson.given)
        compared: dict[str, list[Comparison]] = {}
        for one in lesson.alone:
            compared.setdefault(one.field.partition(".")[0], []).append(one)
        truth = {}
        for name, value in document.labels.values.items():
            right = all(one.right for one in compared.get(name, ())) and name in compared
            truth[name] = given.get(name) if right else _typed(value, document.labels, name)
        return truth

    def after(self, lesson: Lesson, verified: Sequence[Lesson]) -> list[Comparison]:
        """Return what becomes of a document when others are verified."""
        document = lesson.document
        alike = [(likeness(document, one.document), one) for one in verified]
        nearest = sorted((pair for pair in alike if pair[0] >= LEAST_LIKENESS), key=lambda pair: -pair[0])
        if not nearest:
            return lesson.alone
        memories = [one.memories for _, one in nearest[:MOST_VOTES]]
        recalled = builtin_model.recall(document.pages, self._schema, memories)
        return self._compared(document, builtin_model.fill_from_memory(lesson.given, recalled))

    def _compared(self, document: Document, given: dict[str, Any]) -> list[Comparison]:
        return compare(self._plain, document.labels, self._wording.restore(given), document.printed)

    def in_random_orders(self) -> dict[str, float]:
        figures: dict[str, float] = {"f1_after_0": self._tally(self.lessons, []).f1}
        for count in VERIFIED:
            before, learnt = Tally(), Tally()
            for seed in range(ORDERS):
                order = random.Random(seed).sample(self.lessons, len(self.lessons))
                verified, others = order[:count], order[count:]
                _add(before, self._tally(others, []))
                _add(learnt, self._tally(others, verified))
            figures[f"f1_after_{count}"] = learnt.f1
            figures[f"fall_after_{count}"] = max(0.0, before.f1 - learnt.f1)
        return figures

    def of_one_layout(self) -> tuple[int, int, int]:
        """Return how many documents have three others of their layout, and their errors before and after these."""
        count = before = left = 0
        for lesson in self.lessons:
            alike = sorted(
                (one for one in self.lessons if one is not lesson),
                key=lambda one: -likeness(lesson.document, one.document),
            )[:OF_A_LAYOUT]
            if len(alike) == OF_A_LAYOUT and all(
                likeness(lesson.document, one.document) >= LEAST_LIKENESS for one in alike
            ):
                count += 1
                before += _errors(self.after(lesson, []), lesson.document.labels)
                left += _errors(self.after(lesson, alike), lesson.document.labels)
        return count, before, left

    def _tally(self, lessons: Sequence[Lesson], verified: Sequence[Lesson]) -> Tally:
        tally = Tally()
        for lesson in lessons:
            tally.add_document(self.after(lesson, verified))
        return tally


def run(folder: Path) -> Results:
    """Return the figures of each set, and how many errors are left in documents of one layout."""
    results: Results = {}
    for labelled in SETS:
        if (folder / labelled.folder).is_dir():
            documents = documents_of(labelled, folder)
            plain = Pile(labelled, documents)
            figures = plain.in_random_orders()
            count, before, left = plain.of_one_layout()
            figures |= {"layouts": count} | _mended("layout", before, left)
            results[labelled.folder] = figures | (reworded(labelled, documents) if count else {})
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
    counts = [
        Pile(labelled, documents, wording).of_one_layout()
        for wording in wordings(labelled.folder, half, text)[:WAYS]
    ]
    return _mended("reworded", sum(before for _, before, _ in counts), sum(left for *_, left in counts))


def likeness(one: Document, other: Document) -> float:
    return builtin_model.likeness(one.signature, other.signature)


def _mended(name: str, before: int, left: int) -> dict[str, float]:
    figures: dict[str, float] = {f"{name}_errors_wrong": before, f"{name}_errors_left_wrong": left}
    return figures | ({f"{name}_mended": share(before - left, before)} if before else {})


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


def _add(whole: Tally, part: Tally) -> None:
    whole.right += part.right
    whole.given += part.given
    whole.wanted += part.wanted


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
