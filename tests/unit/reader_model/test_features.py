"""What the network sees of questions and words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from docagent.reader_model.features import (
    LONGEST,
    SeenWord,
    case_of,
    question_arrays,
    window_arrays,
    windows,
)
from docagent.reader_model.pieces import Pieces
from docagent.reader_model.questions import Question
from tests.support.tables import table


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces()


def test_a_word_is_cut_into_the_longest_known_pieces_without_case_and_accents(pieces: Pieces) -> None:
    assert pieces.of_word("Invoices") == pieces.of_word("invoices")
    assert pieces.of_word("Café") == pieces.of_word("cafe")
    assert len(pieces.of_word("total:")) == 2
    assert pieces.of_word("\u0378") == (pieces.unknown,)


def test_names_are_told_in_words(pieces: Pieces) -> None:
    assert Question("invoiceNumber", "", "text").text == "invoice Number ; text"
    assert Question("due_date", "Last day to pay", "date").text == "due date : Last day to pay ; date"
    assert Question("Total", "total", "number").text == "Total ; number"


def test_a_question_is_its_words_behind_a_mark_however_long_it_is(pieces: Pieces) -> None:
    arrays = question_arrays(Question("total", "", "number"), pieces)
    assert arrays.pieces[:, 0].tolist() == [
        pieces.mark,
        *(pieces.of_word(one)[0] for one in ("total", ";", "number")),
    ]
    assert not arrays.cases.any()
    many = question_arrays(Question("field", "a description of some length " * 40, "text"), pieces)
    assert len(many.pieces) < LONGEST / 2
    assert many.pieces[-1, 0] == pieces.of_word("text")[0], "its type is never cut off"


def test_words_have_places_behind_a_mark_that_has_none(pieces: Pieces) -> None:
    words = [SeenWord("Total", 0.1, 0.2, 0.2, 0.22, 0), SeenWord("9.50", 0.3, 0.1, 0.4, 0.12, 1)]
    arrays = window_arrays(words, pieces)
    assert not arrays.places[0].any()
    assert arrays.cases[0] == 0 < arrays.cases[1:].min()
    assert arrays.places[2].tolist() == pytest.approx([0.3, 1.1, 0.4, 1.12]), "the next page lies below"
    assert tuple(arrays.pieces[2][arrays.pieces[2] > 0]) == pieces.of_word("9.50")


def test_windows_cover_all_words_and_overlap() -> None:
    for count in (0, 1, LONGEST, LONGEST + 1, 5 * LONGEST):
        found = windows(count)
        assert found[0][0] == 0
        assert found[-1][1] == count
        assert all(0 <= stop - start <= LONGEST for start, stop in found)
        assert all(later[0] < earlier[1] < later[1] for earlier, later in pairwise(found))


@table(
    ("word", "other"),
    [("Total", "total"), ("TOTAL", "Total"), ("12.50", "12/50"), ("A-17", "17"), ("Total:", "Total")],
)
def test_words_that_are_written_differently_have_different_cases(word: str, other: str) -> None:
    assert case_of(word) != case_of(other)
