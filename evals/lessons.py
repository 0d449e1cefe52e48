"""What labelled papers teach: candidates and given values of fields, what speaks for each, and which are right.

Papers belong to families: the kinds of a collection, or a set of papers of one kind. What is fitted on some families is
judged on others. Where rules were written while looking at the papers of a family, they are right more often than on
other papers: such families are `tuned`. To learn what else tells a right value, half of the lessons hide what rules
chose, or have them choose a wrong value.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.builtin_model.values.candidates import Candidate
from docagent.builtin_model.values.choosing import Json, as_json
from docagent.builtin_model.values.evidence import Evidence, Features, Proposals, scalars_in
from docagent.builtin_model.values.network import same as say_the_same
from docagent.domain.documents.text import Box, Line, Page, Word, WordSource
from docagent.evidence.confidence import Known, Signals, default_calibration, weighed, weighed_values
from docagent.jsonschema import SchemaValidator
from docagent.services.extraction.checking import grounding_of
from evals.judging import Comparison, Kind, Labels, Printed, compare, same
from evals.judging.values import kind_of
from evals.kept import kept_of, read_pages
from evals.made import document_of, labels_of
from evals.sets import SETS, labelled_rows
from evals.zoo import Half

ZOO_DOCUMENTS, RECEIPTS, AGREEMENTS = 150, 150, 20
"""How many made papers, and papers that are only there to teach, are read."""
_STATES = {"as it is": 1.0, "rules hidden": 0.5, "page alone": 0.3, "rules wrong": 0.5}
"""How much a lesson counts, by what voices are heard in it."""
_RECOGNISED = 0.97
Where = tuple[str, ...]


@dataclass(frozen=True)
class Paper:
    family: str
    """What is left out together."""
    name: str
    pages: Sequence[Page]
    schema: dict[str, Any]
    labels: Labels
    tuned: bool = False


@dataclass(frozen=True)
class Lesson:
    """A candidate for a field."""

    field: str
    state: str
    features: Features
    right: bool
    given: bool
    """Whether the model gives it today."""
    open: bool
    """Whether rules say nothing of the field."""
    absent: bool

    @property
    def weight(self) -> float:
        return _STATES[self.state]


@dataclass(frozen=True)
class Given:
    """A value that the model gives; `signals` do not have the evidence, which depends on what is left out."""

    path: Where
    signals: Signals
    features: Features | None
    page_features: Features | None
    """As of a value that another model gives."""
    right: bool


@dataclass(frozen=True)
class Taught:
    family: str
    name: str
    tuned: bool
    lessons: list[Lesson] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    compared: list[Comparison] = field(default_factory=list)


def taught(data: Path) -> Iterator[Taught]:
    """Yield what each labelled paper teaches, worked out now or in an earlier run."""
    for paper in papers(data):
        yield kept_of(("taught", paper.family, paper.name), partial(teach, paper))


def papers(data: Path) -> Iterator[Paper]:
    documents, teaching = data / "documents", data / "teaching"
    yield from _other_papers(documents / "other_papers")
    for labelled in SETS:
        folder = documents / labelled.folder
        for row in labelled_rows(folder) if folder.is_dir() else ():
            pages, labels = read_pages(folder / row["file"]), labelled.labels(row["fields"])
            yield Paper(labelled.folder, row["file"], pages, labelled.schema, labels, tuned=True)
    for number in range(ZOO_DOCUMENTS):
        made = document_of(number, Half.BUILDING)
        yield Paper("zoo", made.name, made.pages, made.schema, labels_of(made), tuned=True)
    yield from _teachers(teaching)


def _other_papers(folder: Path) -> Iterator[Paper]:
    for row in labelled_rows(folder) if folder.is_dir() else ():
        kinds = {name: Kind(kind) for name, kind in row["kinds"].items()}
        labels = Labels(row["fields"], frozenset(row["absent"]), kinds=kinds, day_first=row["day_first"])
        family = f"other_papers {row['kind']}"
        yield Paper(family, row["file"], read_pages(folder / row["file"]), row["schema"], labels)


def _teachers(folder: Path) -> Iterator[Paper]:
    by_name = {one.folder: one for one in SETS}
    if not folder.is_dir():
        return
    receipts = [json.loads(line) for line in (folder / "receipts_lines.jsonl").read_text().splitlines()]
    random.Random(1).shuffle(receipts)
    asked = by_name["receipts_sroie"]
    for row in receipts[:RECEIPTS]:
        yield Paper(
            "receipts_lines", row["file"], pages_of_lines(row), asked.schema, asked.labels(row["fields"])
        )
    asked = by_name["contracts_nda"]
    for row in labelled_rows(folder / "contracts_nda")[:AGREEMENTS]:
        pages = read_pages(folder / "contracts_nda" / row["file"])
        yield Paper("agreements", row["file"], pages, asked.schema, asked.labels(row["fields"]))


def pages_of_lines(row: Mapping[str, Any]) -> list[Page]:
    """Return the page of a receipt of which only lines are known. Words share their line by their length."""
    width, height = row["image_px"]
    lines = []
    for line in row["lines"]:
        words = line["text"].split()
        across, down = line["quad"][0::2], line["quad"][1::2]
        left, right = min(across) / width, max(across) / width
        step = (right - left) / max(1, len(" ".join(words)))
        placed = []
        for word in words:
            end = left + step * len(word)
            box = Box(left, min(down) / height, end, max(down) / height)
            placed.append(Word(word, box, _RECOGNISED, WordSource.OCR))
            left = end + step
        if placed:
            lines.append(Line(tuple(placed)))
    lines.sort(key=lambda line: (line.box.top, line.box.left))
    return [Page(1, float(width), float(height), tuple(lines))]


def teach(paper: Paper) -> Taught:
    """Extract, ground and weigh as the product does, and compare candidates and values with the labels."""
    filled = builtin_model.fill_heard(paper.pages, paper.schema)
    printed = Printed.on(paper.pages, day_first=paper.labels.day_first)
    compared = compare(paper.schema, paper.labels, filled.data, printed)
    assert filled.evidence is not None
    lessons = list(lessons_of(paper, filled.evidence, filled.data, compared))
    known = Known(
        problems=[problem.path for problem in SchemaValidator(paper.schema).errors(filled.data)],
        voices={path: one.voices for path, one in filled.heard.items()},
    )
    tree = grounding_of(paper.pages, filled.data, paper.schema)
    tree = weighed(tree, filled.data, known, default_calibration())
    given = list(given_of(filled.evidence, tree, filled.data, compared))
    return Taught(paper.family, paper.name, paper.tuned, lessons, given, compared)


def lessons_of(
    paper: Paper, evidence: Evidence, data: Any, compared: Sequence[Comparison]
) -> Iterator[Lesson]:
    wanted: dict[str, list[Any]] = defaultdict(list)
    for one in compared:
        if one.wanted is not None or one.known_absent:
            wanted[one.field] += [] if one.wanted is None else [one.wanted]
    given = scalars_in(data, evidence.fields)
    for path, asked in evidence.fields.items():
        name = ".".join(path)
        if name not in wanted:
            continue
        values = evidence.candidates(path)
        mine = given.get(path)
        if mine is not None and not any(say_the_same(mine, value) for value in values):
            values.insert(0, mine)
        rights = [
            any(_is_right(paper.labels, name, asked.schema, one, value) for one in wanted[name])
            for value in values
        ]
        rest = {other: value for other, value in given.items() if other != path}
        is_open = evidence.proposals.chosen.get(path) in (None, "")
        for state, heard in _states(evidence, path, values, rights, paper.name):
            for value, right in zip(values, rights, strict=True):
                is_given = state == "as it is" and mine is not None and say_the_same(mine, value)
                told = heard.of(path, value, rest)
                yield Lesson(name, state, told, right, is_given, is_open, not wanted[name])


def _is_right(labels: Labels, name: str, schema: Mapping[str, Any], wanted: Any, value: Json) -> bool:
    kind = labels.kinds.get(name) or kind_of(schema, wanted)
    return same(wanted, value, kind, day_first=labels.day_first)


def _states(
    evidence: Evidence, path: Where, values: Sequence[Json], rights: Sequence[bool], name: str
) -> Iterator[tuple[str, Evidence]]:
    said = evidence.proposals
    yield "as it is", evidence
    yield "rules hidden", evidence.with_proposals(Proposals(network=said.network))
    yield "page alone", evidence.with_proposals(Proposals())
    wrong = [value for value, right in zip(values, rights, strict=True) if not right][:3]
    if wrong and said.rules is not None and said.chosen.get(path) not in (None, ""):
        instead = random.Random(f"{name} {path}").choice(wrong)
        yield "rules wrong", evidence.with_proposals(_misled(evidence, path, instead))


def _misled(evidence: Evidence, path: Where, instead: Json) -> Proposals:
    """Return the proposals with another value in the place of the one that rules chose, as sure as that one."""
    said, asked = evidence.proposals, evidence.fields[path]
    before = said.chosen[path]
    others: list[Candidate] = []
    for one in (said.rules or {}).get(path, ()):
        value = as_json(one.value, one.text, asked)
        if say_the_same(value, before):
            others.append(replace(one, value=str(instead), text=str(instead)))
        elif not say_the_same(value, instead):
            others.append(one)
    return replace(said, rules={**(said.rules or {}), path: others}, chosen={**said.chosen, path: instead})


def given_of(evidence: Evidence, tree: Any, data: Any, compared: Sequence[Comparison]) -> Iterator[Given]:
    """Yield the values that are given, each with whether it is right."""
    values = scalars_in(data, evidence.fields)
    alone = evidence.with_proposals(Proposals())
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for one in weighed_values(tree, data):
        found[str(one.path.column), str(one.value)].append(one)
    for judged in compared:
        places = found[judged.field, str(judged.given)]
        if judged.given is None or not places:
            continue
        one = places.pop(0)
        told = page = None
        if one.path in values:
            told, page = evidence.of(one.path, one.value, values), alone.of(one.path, one.value, values)
        yield Given(one.path, one.signals, told, page, judged.right)
