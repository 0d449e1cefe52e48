"""Fills schemas from labelled documents and counts right, wrong, missed and invented values for each set.

Every document is also asked for fields that it does not have (`evals/foreign.py`), and for its own fields in other
words (`evals/wordings`). Figures by kind and by layout stand beside those of the set. Any model behind the port can be
scored; the built-in one is the default.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from docagent.domain.models.llm import Model
from evals.asking import answer
from evals.foreign import foreign_schema
from evals.groups import LAYOUT, Grouped, Layouts
from evals.judging import Comparison, Printed, Tally, compare
from evals.matching import share
from evals.reading import read
from evals.sets import ALL, SETS, Task
from evals.suite import Results
from evals.wordings import Half, wordings

NAME = "extraction"
FOLDER = "documents"
TAKES_MODEL = True

Ask = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class Scores:
    """The counts of one set."""

    plain: Tally = field(default_factory=Tally)
    by_field: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    reworded: dict[Half, Tally] = field(default_factory=lambda: {half: Tally() for half in Half})
    before: dict[Half, Tally] = field(default_factory=lambda: {half: Tally() for half in Half})
    """The documents that are reworded, asked in their own words."""
    by_way: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    """How the wordings for building fare. Of those for judging only the sum is told."""
    foreign: int = 0
    foreign_filled: int = 0
    groups: Grouped = field(default_factory=Grouped)
    layouts: Layouts = field(default_factory=Layouts)

    @property
    def figures(self) -> dict[str, float]:
        plain = self.plain
        figures: dict[str, float] = {
            "f1": plain.f1,
            "precision": plain.precision,
            "recall": plain.recall,
            "wrong": share(plain.wrong, plain.given),
            "invented": share(plain.invented, plain.given),
            "absent": plain.absent,
            "absent_filled": plain.absent_filled,
            "foreign": self.foreign,
            "foreign_filled": self.foreign_filled,
            "documents": plain.documents,
        }
        for half, tally in self.reworded.items():
            if tally.documents:
                figures |= {f"{half}_f1": tally.f1, f"{half}_precision": tally.precision}
                figures[f"fall_{half}"] = max(0.0, self.before[half].f1 - tally.f1)
        figures |= {f"building: {way}": tally.f1 for way, tally in self.by_way.items()}
        return figures | {f"{name}_f1": tally.f1 for name, tally in self.by_field.items() if tally.wanted}


def run(folder: Path, model: Model | None = None) -> Results:
    """Return the figures of each set, over all fields and for each."""
    results: Results = {}
    for labelled in ALL:
        if (folder / labelled.folder).is_dir():
            scores = score(labelled.folder, labelled.tasks(folder), model)
            if labelled not in SETS:
                scores.by_field.clear()
            results[labelled.folder] = scores.figures
            results[f"{labelled.folder} groups"] = scores.groups.figures
    return results


def score(name: str, tasks: Iterator[Task], model: Model | None = None) -> Scores:
    scores = Scores()
    console = Console(stderr=True, highlight=False)
    for number, task in enumerate(tasks, 1):
        started = time.monotonic()
        reading = read(task.path)
        was_read = time.monotonic()
        ask: Ask = partial(answer, reading.pages, task.path.name, model=model)
        compared = score_document(name, task, ask, reading.text, scores)
        scores.groups.add({LAYOUT: scores.layouts.of(reading.pages), **task.groups}, compared)
        console.print(
            f"{name} {number} {task.path.name}: read {was_read - started:.1f} s, "
            f"asked {time.monotonic() - was_read:.1f} s, f1 so far {scores.plain.f1:.3f}",
            markup=False,
            soft_wrap=True,
        )
    return scores


def score_document(name: str, task: Task, ask: Ask, text: str, scores: Scores) -> list[Comparison]:
    """Ask for a document's fields, for the same fields in other words, and for fields that it does not have.

    Return what became of its own fields. A document whose labels name absent fields is asked for no others.
    """
    printed = Printed(text, day_first=task.labels.day_first)
    compared = compare(task.schema, task.labels, ask(task.schema), printed)
    scores.plain.add_document(compared)
    for one in compared:
        scores.by_field[one.field].add(one)
    for half, tally in scores.reworded.items():
        for wording in wordings(task.worded_as, half, text):
            reply = wording.restore(ask(wording.reword(task.schema)))
            reworded = compare(task.schema, task.labels, reply, printed)
            tally.add_document(reworded)
            scores.before[half].add_document(compared)
            if half is Half.BUILDING:
                scores.by_way[wording.way].add_document(reworded)
    if not task.labels.absent:
        unknown = foreign_schema(name)
        given = ask(unknown)
        scores.foreign += len(unknown["properties"])
        scores.foreign_filled += sum(given.get(name) is not None for name in unknown["properties"])
    return compared
