"""The grounding suite on a made invoice: hits and absences go through one function, the product's."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.judging import Place
from evals.judging.places import Locate
from evals.suites.grounding import Document, Gold, Scores, score_document

from docagent.domain.documents.text import Page
from docagent.services.extraction.checking import grounding_of
from tests.unit.evals.papers import INVOICE, SCHEMA, VALUES, boxes

OTHER = {"number": "B-99", "date": "2019-12-24", "seller": "Fabrikam", "total": 17.3, "lines": []}
GOLDS = [
    Gold(("number",), (Place(boxes(INVOICE, "A-17")),), "pdf"),
    Gold(("total",), (Place(boxes(INVOICE, "241.57")),), "jpg"),
]


def scored(golds: list[Gold], locate: Locate = grounding_of) -> dict[str, float]:
    scores = Scores()
    document = Document(Path("made.pdf"), VALUES, golds)
    score_document(document, [INVOICE], OTHER, SCHEMA, random.Random(1), scores, locate)
    return scores.figures


def page_for_everything(pages: Sequence[Page], data: Any, _schema: Any) -> Any:
    if isinstance(data, dict):
        return {name: page_for_everything(pages, value, None) for name, value in data.items()}
    if isinstance(data, list):
        return [page_for_everything(pages, value, None) for value in data]
    word = {"text": "", "page": 1, "box": [0.0, 0.0, 1.0, 1.0]}
    return None if data is None else {"match": "exact", "words": [word]}


def test_the_product_hits_what_is_there_and_nothing_else() -> None:
    for golds in (GOLDS, []):
        figures = scored(golds)

        assert (figures["hit"], figures["word_f1"], figures["located"]) == (1.0, 1.0, 1.0)
        assert figures["absent"] > 10
        assert figures["absent_located"] == 0


def test_a_figure_of_its_own_counts_beside_the_sets() -> None:
    figures = scored(GOLDS)

    assert (figures["hit_pdf"], figures["hit_jpg"], figures["word_f1_jpg"]) == (1.0, 1.0, 1.0)


def test_check_marks_count_only_for_themselves() -> None:
    document = Document(
        Path("made.pdf"),
        {"number": "A-17", "paid": "selected"},
        [GOLDS[0], Gold(("paid",), (Place(boxes(INVOICE, "Total")),), "check_marks")],
    )
    scores = Scores()
    score_document(document, [INVOICE], OTHER, None, random.Random(1), scores)

    assert scores.figures["hit"] == 1.0
    assert scores.figures["hit_check_marks"] == 0.0


def test_a_locator_that_finds_everything_everywhere_loses_twice() -> None:
    for golds in (GOLDS, []):
        figures = scored(golds, page_for_everything)

        assert (figures["hit"], figures["word_f1"]) == (0.0, 0.0)
        assert figures["absent_located"] == 1.0
