from __future__ import annotations

import pytest

from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.reading.layout.flow import Heading, Paragraph, flow_of
from docagent.reading.layout.tables import find_tables
from docagent.reading.layout.typeface import type_extents
from tests.unit.layout.made_pages import PageMaker

RISING, HANGING = set("bdfhkltABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789("), set("gjpqy,()")


def _with_ink_boxes(page: Page) -> Page:
    """The same page as a reader gives it that measures the ink: the base line is at four fifths of the type."""
    return Page(
        page.number,
        page.width,
        page.height,
        tuple(Line(tuple(_with_ink_box(word) for word in line.words)) for line in page.lines),
    )


def _with_ink_box(word: Word) -> Word:
    size = word.box.height
    base_line = word.box.top + 0.8 * size
    top = base_line - (0.7 if RISING & set(word.text) else 0.48) * size
    bottom = base_line + (0.22 if HANGING & set(word.text) else 0) * size
    return Word(word.text, Box(word.box.left, top, word.box.right, bottom), word.confidence, word.source)


def test_boxes_as_tall_as_the_type_are_taken_as_they_are() -> None:
    page = PageMaker().write(72, 100, "some high Type").page()

    assert set(type_extents(page).values()) == {(page.words[0].box.top, page.words[0].box.bottom)}


def test_ink_of_low_and_high_words_gives_the_same_height() -> None:
    page = _with_ink_boxes(PageMaker().write(72, 100, "sun Tab gym Type 120 (x)").page())

    tops, bottoms = zip(*type_extents(page).values(), strict=True)

    assert tops == pytest.approx([tops[0]] * 6)
    assert bottoms == pytest.approx([bottoms[0]] * 6)
    assert (bottoms[0] - tops[0]) * page.height == pytest.approx(11.2)


def test_a_dash_is_as_tall_as_its_line() -> None:
    line = _with_ink_boxes(PageMaker().write(72, 100, "one Two 3").page()).lines[0]
    dash = Word("-", Box(0.5, 0.135, 0.51, 0.136))
    page = Page(1, 612, 792, (Line((*line.words, dash)),))

    top, bottom = type_extents(page)[id(dash)]

    assert (bottom - top) * page.height == pytest.approx(11.2)


def test_lines_of_ink_in_one_size_are_no_headings() -> None:
    maker = PageMaker()
    for index in range(6):
        maker.write(72, 100 + 30 * index, f"1{index} 2{index} 3{index}")
    maker.write(72, 300, "Typography gives jolly tall lines")

    parts = flow_of(_with_ink_boxes(maker.page()))

    assert all(isinstance(part, Paragraph) for part in parts)


def test_a_larger_line_of_ink_is_a_heading() -> None:
    maker = PageMaker().write(72, 60, "summer sun", size=16)
    for index in range(6):
        maker.write(72, 100 + 14 * index, "Typography gives jolly tall lines, and this is one of them")

    assert flow_of(_with_ink_boxes(maker.page()))[0] == Heading(2, "summer sun")


def test_a_table_is_the_same_with_boxes_of_ink() -> None:
    maker = PageMaker()
    for index, (name, amount) in enumerate(
        [("Fruit", "Tonnes"), ("oranges", "12"), ("Pears", "1,030"), ("-", "7")]
    ):
        maker.row(100 + 13 * index, {72: name, 260: amount})
    page = maker.page()

    [table] = find_tables(_with_ink_boxes(page))

    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Fruit", "Tonnes"],
        ["oranges", "12"],
        ["Pears", "1,030"],
        ["-", "7"],
    ]
