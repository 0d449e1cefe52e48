"""Lessons of one layout: a wrong correction among right ones changes nothing, at any number of documents."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.services.extraction.checking import grounding_of
from docagent.services.extraction.lessons import filled_from, of_layout, recalled_from, records_with, teach
from docagent.store.extraction.learning import Lesson
from tests.support.made.pages import page_of

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"berth": {"type": ["string", "null"]}}}
SOME_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def paper(number: int) -> list[Page]:
    return [
        page_of(
            [
                [(0.1, "All ships keep to the orders of the pilot and of the harbour office")],
                [(0.1, "Kendetegn"), (0.5, f"R-{number}1")],
                [(0.1, "Skibets liggeplads"), (0.5, f"K-{number}7")],
            ]
        )
    ]


def given_for(number: int) -> dict[str, Any]:
    """What the model says by itself, which is always the wrong one of the two."""
    return {"berth": f"R-{number}1"}


class Harbour:
    def __init__(self) -> None:
        self.lessons: list[Lesson] = []

    def read(self, number: int) -> Any:
        pages = paper(number)
        nearest = of_layout(self.lessons, builtin_model.signature_of(pages))
        return filled_from(given_for(number), recalled_from(nearest, pages, SCHEMA)).data["berth"]

    def verify(self, number: int, berth: str) -> None:
        pages, data = paper(number), {"berth": berth}
        signature = builtin_model.signature_of(pages)
        truth = builtin_model.Placed(data, grounding_of(pages, data, SCHEMA))
        nearest = of_layout(self.lessons, signature)
        taught = teach(pages, SCHEMA, truth, given_for(number), lambda path: True, nearest)
        memories = {path: memory.as_json() for path, memory in taught.memories.items()}
        records = records_with(nearest, str(number), taught.verdicts)
        lesson = Lesson(str(number), "", signature, memories, {}, SOME_DAY)
        self.lessons = [
            replace(one, record=records.get(one.document_id, one.record)) for one in (*self.lessons, lesson)
        ]


def test_a_wrong_correction_among_right_ones_changes_nothing() -> None:
    """The third one is typed wrongly, so it contradicts the others and they contradict it."""
    harbour = Harbour()
    read = []
    for number in range(1, 7):
        harbour.verify(number, "X-99" if number == 3 else f"K-{number}7")
        read.append(harbour.read(9))
    assert read == ["K-97"] * 6


def test_what_one_document_says_of_itself_counts_nowhere_where_it_is_left_out() -> None:
    harbour = Harbour()
    harbour.verify(1, "K-17")
    pages = paper(1)
    lessons = of_layout(harbour.lessons, builtin_model.signature_of(pages))
    assert recalled_from(lessons, pages, SCHEMA)["berth"].value == "K-17"
    assert recalled_from(lessons, pages, SCHEMA, without="1") == {}
