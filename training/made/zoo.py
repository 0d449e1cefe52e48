"""Lessons from the zoo's building half."""

from __future__ import annotations

from evals.wordings import Half
from evals.zoo.asking import FOREIGN, catalogue
from evals.zoo.making import draw_paper

from training.made.lesson import Fact, Lesson, Reader
from training.made.wording import Column, ConceptRows, ConceptWays

_TYPES = {"amount": "number", "date": "date", "list": "list"}
_UNSPOKEN = ("boolean", "choice")
"""Kinds that are ticked and not written."""


def zoo_lesson(seed: int, kind: str | None = None) -> Lesson:
    drawn = draw_paper(seed, Half.BUILDING, kind)
    paper, kinds = drawn.paper, catalogue()
    reader = Reader(drawn.pages, drawn.places)
    lesson = Lesson(reader.words, kind=drawn.kind)
    for concept in (*drawn.wish.fields, *FOREIGN):
        kind = kinds["field"][concept]["kind"]
        if concept in paper.unclear or kind in _UNSPOKEN:
            continue
        ways = ConceptWays("field", concept, drawn.language)
        said = paper.said.get(concept)
        spans = reader.spans(said.marks) if said else ()
        if spans or said is None:
            lesson.facts.append(Fact(_TYPES.get(kind, "text"), ways, spans))
    named = ConceptRows(drawn.wish.rows or "")
    for column in drawn.wish.columns:
        cells = [(number, row[column].marks) for number, row in enumerate(paper.rows) if column in row]
        found = [(number, span) for number, marks in cells for span in reader.spans(marks)]
        if len(found) == sum(len(marks) for _, marks in cells):
            ways = Column(ConceptWays("column", column, drawn.language), named)
            spans, rows = tuple(span for _, span in found), tuple(number for number, _ in found)
            lesson.facts.append(Fact("column", ways, spans, rows))
    return lesson
