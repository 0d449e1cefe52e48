"""The judge of places on made papers: locators that do not look for the value lose clearly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evals.judging import Located, Place, PlaceTally, judge_places, leaves

from docagent.domain.documents.text import Box, Page, Word
from tests.support.tables import table
from tests.unit.evals.papers import INVOICE, SCHEMA, VALUES, boxes, page

PLACES = {
    ("number",): [Place(boxes(INVOICE, "A-17"))],
    ("date",): [Place(boxes(INVOICE, "3 April 2024"))],
    ("seller",): [Place(boxes(INVOICE, "Northwind Traders"))],
    ("buyer",): [Place(boxes(INVOICE, "Contoso Ltd"))],
    ("total",): [Place(boxes(INVOICE, "241.57"))],
    ("lines", 1, "name"): [Place(boxes(INVOICE, "Oak desk"))],
    ("lines", 1, "amount"): [Place(boxes(INVOICE, "99.00", nth=1))],
}
Choose = Callable[[Sequence[Page]], Sequence[Word]]


def locator(choose: Choose) -> Any:
    """A locator that says the same of every value."""

    def locate(pages: Sequence[Page], data: Any, _schema: Any) -> Any:
        if isinstance(data, dict):
            return {name: locate(pages, value, None) for name, value in data.items()}
        if isinstance(data, list):
            return [locate(pages, value, None) for value in data]
        words = [
            {
                "text": word.text,
                "page": 1,
                "box": [word.box.left, word.box.top, word.box.right, word.box.bottom],
            }
            for word in choose(pages)
        ]
        return {"match": "exact" if words else "unproven", "words": words} if data is not None else None

    return locate


def every_word(pages: Sequence[Page]) -> Sequence[Word]:
    return pages[0].words


def one_box(_: Sequence[Page]) -> Sequence[Word]:
    return [Word("page", Box(0, 0, 1, 1))]


def first_word(pages: Sequence[Page]) -> Sequence[Word]:
    return pages[0].words[:1]


def nothing(_: Sequence[Page]) -> Sequence[Word]:
    return []


def with_boxes(choose: Choose) -> PlaceTally:
    return judge_places([INVOICE], VALUES, PLACES, SCHEMA, locator(choose))


def without_boxes(choose: Choose) -> PlaceTally:
    located = Located([INVOICE], VALUES, SCHEMA, locator(choose))
    total = PlaceTally()
    for where, value in leaves(VALUES):
        total += located.judge(where, value)
    return total


def test_the_products_own_places_are_right_with_boxes_and_without() -> None:
    judged = judge_places([INVOICE], VALUES, PLACES, SCHEMA)
    assert (judged.hit, judged.f1) == (1.0, 1.0)

    located = Located([INVOICE], VALUES, SCHEMA)
    assert all(located.judge(where, value).f1 == 1.0 for where, value in leaves(VALUES))


@table("judged", [with_boxes, without_boxes])
@table("choose", [every_word, one_box])
def test_the_whole_page_is_no_place(judged: Callable[[Choose], PlaceTally], choose: Choose) -> None:
    assert (judged(choose).hits, judged(choose).f1) == (0, 0.0)


@table("judged", [with_boxes, without_boxes])
@table("choose", [first_word, nothing])
def test_the_first_word_is_no_place(judged: Callable[[Choose], PlaceTally], choose: Choose) -> None:
    assert (judged(choose).hits, judged(choose).f1) == (0, 0.0)


def test_a_neighbour_costs_precision_where_there_are_no_boxes() -> None:
    words = INVOICE.lines[1].words

    def judged(chosen: Sequence[Word]) -> PlaceTally:
        located = Located([INVOICE], {"date": "2024-04-03"}, None, locator(lambda _: chosen))
        return located.judge(("date",), "2024-04-03")

    assert (judged(words[2:]).hits, judged(words[2:]).precision) == (1, 1.0)
    assert (judged(words[1:]).hits, judged(words[1:]).precision) == (1, 0.75)
    assert (judged(INVOICE.words[4:]).hits, judged(INVOICE.words[4:]).f1) == (0, 0.0)


def test_another_value_in_the_place_is_no_hit() -> None:
    wrong = Located([INVOICE], {"number": "A-17"}, None, locator(lambda _: INVOICE.lines[1].words[:1]))

    tally = wrong.judge(("number",), "A-17")
    assert (tally.hits, tally.right_words, tally.located) == (0, 0, 1)


def test_words_that_are_said_to_be_two_values_must_hold_both() -> None:
    paper = page(["5/1/20-5/7/20 Radio"])
    first = locator(lambda _: paper.words[:1])
    both = Located([paper], {"start": "5/1/20", "end": "5/7/20"}, None, first)
    one = Located([paper], {"start": "5/1/20", "kind": "Radio"}, None, first)

    assert both.judge(("start",), "5/1/20").hits == 1
    assert one.judge(("start",), "5/1/20").hits == 0


def test_any_of_several_labelled_places_may_be_meant() -> None:
    paper = page(["Sum 8.20", "Cash 8.20"])
    places = [Place(boxes(paper, "8.20")), Place(boxes(paper, "8.20", nth=1))]
    located = Located([paper], {"total": 8.2}, None, locator(lambda _: paper.lines[1].words[1:]))

    assert located.judge(("total",), 8.2, places).f1 == 1.0


def test_of_a_labelled_line_only_the_words_that_spell_the_value_count() -> None:
    paper = page(["Date: 05 MAR 2018 18:24"])
    line = paper.lines[0]
    places = [Place(((1, line.box),), only_value=False)]
    located = Located([paper], {"date": "05 MAR 2018"}, None, locator(lambda _: line.words[1:4]))

    assert located.judge(("date",), "05 MAR 2018", places).f1 == 1.0


def test_a_labelled_word_that_was_not_read_is_missed() -> None:
    paper = page(["John Michael"])
    places = [Place((*boxes(paper, "John Michael"), (1, Box(0.5, 0.5, 0.6, 0.6))))]
    located = Located([paper], {"name": "John Michael Doe"}, None, locator(lambda _: paper.words))

    tally = located.judge(("name",), "John Michael Doe", places)
    assert (tally.hits, tally.right_words, tally.located_words, tally.labelled_words) == (1, 2, 2, 3)
