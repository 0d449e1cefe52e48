"""What the network said of the last documents."""

from __future__ import annotations

from collections.abc import Callable

from docagent import reader_model
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.reader_model import Question
from docagent.reader_model.kept import Kept
from docagent.reader_model.seen import SeenDocument
from tests.support.tables import table

TOTAL = Question("total", "", "number")
DATE = Question("date", "", "date")


def page(text: str = "Invoice total 12.50", left: float = 0.1) -> Page:
    words = text.split()
    boxes = [Box(left + 0.1 * number, 0.1, left + 0.1 * number + 0.08, 0.12) for number in range(len(words))]
    return Page(1, 595, 842, (Line(tuple(map(Word, words, boxes))),))


def counted() -> tuple[list[int], Callable[[], int]]:
    """What was made, and what makes it: the number of the time."""
    made: list[int] = []

    def make() -> int:
        made.append(len(made) + 1)
        return made[-1]

    return made, make


def test_the_same_questions_about_the_same_words_are_answered_once() -> None:
    kept, (made, make) = Kept[int](), counted()
    assert kept.of(SeenDocument([page()]), [TOTAL, DATE], make) == 1
    assert kept.of(SeenDocument([page()]), [TOTAL, DATE], make) == 1
    assert made == [1]


@table(
    ("other", "questions"),
    [
        (page("Invoice total 12.51"), [TOTAL, DATE]),
        (page(left=0.2), [TOTAL, DATE]),
        (page(), [DATE, TOTAL]),
        (page(), [TOTAL]),
        (page(), [TOTAL, Question("date", "The day", "date")]),
        (page(), [TOTAL, Question("date", "", "text")]),
    ],
)
def test_other_words_places_or_questions_are_answered_by_themselves(
    other: Page, questions: list[Question]
) -> None:
    kept, (made, make) = Kept[int](), counted()
    kept.of(SeenDocument([page()]), [TOTAL, DATE], make)
    kept.of(SeenDocument([other]), questions, make)
    assert made == [1, 2]


def test_the_longest_unused_answers_are_dropped() -> None:
    kept, (made, make) = Kept[int](most=2), counted()
    for text in ("one", "two", "one", "three", "one", "two"):
        kept.of(SeenDocument([page(text)]), [TOTAL], make)
    assert made == [1, 2, 3, 4], "one is kept, as it is used; two makes room for three"


def test_whoever_gets_an_answer_may_change_it() -> None:
    first = reader_model.answer([page()], [TOTAL])
    told = [list(spans) for spans in first]
    first[0].clear()
    first.clear()
    assert reader_model.answer([page()], [TOTAL]) == told
    rows = reader_model.rows_of([page()], [TOTAL, DATE])
    before = [dict(row) for row in rows]
    rows.append({})
    assert reader_model.rows_of([page()], [TOTAL, DATE]) == before
    assert reader_model.kind_of([page()]) == reader_model.kind_of([page()])
