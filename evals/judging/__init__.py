"""The judge that all suites share: what is right, wrong, invented or missed, and whether a place is the right one.

    labels = Labels({"number": "A-17", "lines": [...], "iban": None}, absent=frozenset({"bic"}))
    compared = compare(schema, labels, reply, Printed.on(pages))     # one Comparison for each labelled value
    tally = Tally()
    tally.add_document(compared)                                     # precision, recall, f1, wrong, invented, ...

    places = {("number",): [Place(((1, box),))]}                     # labelled boxes, by the way to each value
    judge_places(pages, values, places, schema)                      # grounds as the product does; hit, f1 by words

`score` does both for one document. A list has one value or row for each item; what is null in the labels, and what
`absent` names, must stay empty; a field of which the labels say nothing is not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.documents.text import Page
from evals.judging.fields import Comparison, Labels, Tally, compare
from evals.judging.places import Located, Place, PlaceTally, Where, judge_places, leaves
from evals.judging.values import Kind, Printed, same

__all__ = [
    "Comparison",
    "Kind",
    "Labels",
    "Located",
    "Place",
    "PlaceTally",
    "Printed",
    "Score",
    "Tally",
    "Where",
    "compare",
    "judge_places",
    "leaves",
    "same",
    "score",
]


@dataclass(frozen=True)
class Score:
    """What became of one document."""

    compared: list[Comparison]
    places: PlaceTally

    @property
    def tally(self) -> Tally:
        tally = Tally()
        tally.add_document(self.compared)
        return tally


def score(
    schema: dict[str, Any],
    labels: Labels,
    places: Mapping[Where, Sequence[Place]],
    reply: Any,
    pages: Sequence[Page],
) -> Score:
    """Judge a reply's values, and the places that the product finds for the labelled values."""
    printed = Printed.on(pages, day_first=labels.day_first)
    return Score(
        compare(schema, labels, reply, printed),
        judge_places(pages, labels.values, places, schema) if places else PlaceTally(),
    )
