"""Scores what the built-in model learns from verified documents: F1 on the others after 0, 1, 3 and 10 of them.

Labels take the part of a person's verification. `layouts` counts the errors in documents of which at least three others
have the same layout, before any of these is verified and after.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.builtin_model import Memory
from docagent.domain.text import Page
from docagent.services.checking import grounding_of
from docagent.services.learning import LEAST_LIKENESS, MOST_VOTES
from evals.asking import answer
from evals.judging import Comparison, Kind, Labels, Printed, Tally, compare
from evals.judging.values import as_amount, as_day
from evals.matching import share
from evals.reading import read
from evals.sets import SETS, LabelledSet, labelled_rows
from evals.suite import Results

NAME = "learning"
FOLDER = "documents"

VERIFIED = (1, 3, 10)
ORDERS = 5
OF_A_LAYOUT = 3


@dataclass
class Document:
    """A labelled document, what the built-in model says of it by itself, and what it teaches."""

    pages: Sequence[Page]
    labels: Labels
    given: dict[str, Any]
    printed: Printed
    signature: list[int] = field(default_factory=list)
    memories: dict[str, Memory] = field(default_factory=dict)


def run(folder: Path) -> Results:
    """Return the figures of each set, and how many errors are left in documents of one layout."""
    results: Results = {}
    for labelled in SETS:
        if (folder / labelled.folder).is_dir():
            documents = [
                taught(labelled.schema, read(folder / labelled.folder / row["file"]).pages, labels)
                for row in labelled_rows(folder / labelled.folder)
                for labels in [labelled.labels(row["fields"])]
            ]
            results[labelled.folder] = _figures(labelled, documents)
    return results


def taught(schema: dict[str, Any], pages: Sequence[Page], labels: Labels) -> Document:
    given = answer(pages, "document", schema)
    document = Document(pages, labels, given, Printed.on(pages, day_first=labels.day_first))
    truth = _verified(schema, document)
    document.signature = builtin_model.signature_of(pages)
    places = grounding_of(pages, truth, schema)
    document.memories = builtin_model.remember(pages, schema, truth, given, places, truth.__contains__)
    return document


def _verified(schema: dict[str, Any], document: Document) -> dict[str, Any]:
    """Return the labelled values as a person would leave them: what is right stays as it was given."""
    compared: dict[str, list[Comparison]] = {}
    for one in compare(schema, document.labels, document.given, document.printed):
        compared.setdefault(one.field, []).append(one)
    truth = {}
    for name, value in document.labels.values.items():
        right = all(one.right for one in compared.get(name, ())) and name in compared
        truth[name] = document.given.get(name) if right else _typed(value, document.labels, name)
    return truth


def _typed(value: Any, labels: Labels, name: str) -> Any:
    """Return a labelled value in the type that the schema asks for, as the product's editor would."""
    kind = labels.kinds.get(name)
    if kind is Kind.AMOUNT and (amount := as_amount(value)) is not None:
        return float(amount)
    day = as_day(value, labels.day_first) if kind is Kind.DATE else None
    return day.isoformat() if day is not None else value


def after(schema: dict[str, Any], document: Document, verified: Sequence[Document]) -> list[Comparison]:
    """Return what becomes of a document when the others are verified."""
    alike = [(builtin_model.likeness(document.signature, one.signature), one) for one in verified]
    nearest = sorted((pair for pair in alike if pair[0] >= LEAST_LIKENESS), key=lambda pair: -pair[0])
    memories = [one.memories for _, one in nearest[:MOST_VOTES]]
    recalled = builtin_model.recall(document.pages, schema, memories) if memories else {}
    filled = builtin_model.fill_from_memory(document.given, recalled)
    return compare(schema, document.labels, filled, document.printed)


def _figures(labelled: LabelledSet, documents: Sequence[Document]) -> dict[str, float]:
    figures: dict[str, float] = {"f1_after_0": _tally(labelled.schema, documents, []).f1}
    for count in VERIFIED:
        before, learnt = Tally(), Tally()
        for seed in range(ORDERS):
            order = random.Random(seed).sample(documents, len(documents))
            verified, others = order[:count], order[count:]
            _add(before, _tally(labelled.schema, others, []))
            _add(learnt, _tally(labelled.schema, others, verified))
        figures[f"f1_after_{count}"] = learnt.f1
        figures[f"fall_after_{count}"] = max(0.0, before.f1 - learnt.f1)
    return figures | _of_one_layout(labelled.schema, documents)


def _of_one_layout(schema: dict[str, Any], documents: Sequence[Document]) -> dict[str, float]:
    before = left = count = 0
    for document in documents:
        alike = sorted(
            (one for one in documents if one is not document),
            key=lambda one: -builtin_model.likeness(document.signature, one.signature),
        )[:OF_A_LAYOUT]
        if len(alike) == OF_A_LAYOUT and all(
            builtin_model.likeness(document.signature, one.signature) >= LEAST_LIKENESS for one in alike
        ):
            count += 1
            before += _errors(after(schema, document, []))
            left += _errors(after(schema, document, alike))
    return {"layouts": count, "layout_errors_wrong": before, "layout_errors_left_wrong": left} | (
        {"layout_mended": share(before - left, before)} if before else {}
    )


def _tally(schema: dict[str, Any], documents: Sequence[Document], verified: Sequence[Document]) -> Tally:
    tally = Tally()
    for document in documents:
        tally.add_document(after(schema, document, verified))
    return tally


def _add(whole: Tally, part: Tally) -> None:
    whole.right += part.right
    whole.given += part.given
    whole.wanted += part.wanted


def _errors(compared: Sequence[Comparison]) -> int:
    """Count the fields that are not as they should be: missed, wrong, or filled without being there."""
    return sum(not one.right for one in compared if one.given is not None or one.wanted is not None)
