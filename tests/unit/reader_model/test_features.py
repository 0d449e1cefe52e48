"""What the network sees of questions and words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from docagent.reader_model.features import LONGEST, Asked, SeenWord, arrays_of, case_of, windows
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


def test_every_question_has_a_mark_until_there_are_too_many(pieces: Pieces) -> None:
    few = Asked.of([Question("total", "", "number"), Question("date", "", "date")], pieces)
    assert [few.pieces[mark] for mark in few.marks] == [pieces.mark, pieces.mark]
    many = Asked.of([Question("field", "a description of some length " * 4, "text")] * 40, pieces)
    assert 1 < len(many.marks) < 40
    assert len(many.pieces) < LONGEST / 2


def test_places_and_positions_belong_to_words_alone(pieces: Pieces) -> None:
    asked = Asked.of([Question("total", "", "number")], pieces)
    words = [SeenWord("Total", 0.1, 0.2, 0.2, 0.22, 0), SeenWord("9.50", 0.3, 0.1, 0.4, 0.12, 1)]
    arrays = arrays_of(asked, words, [pieces.of_word(word.text) for word in words])
    lead = len(asked.pieces)
    assert not arrays.places[:lead].any()
    assert arrays.firsts.tolist() == [lead, lead + 1]
    assert arrays.positions[lead] == 0
    assert arrays.places[lead + 1].tolist() == pytest.approx([0.3, 1.1, 0.4, 1.12]), (
        "the next page lies below"
    )


def test_windows_cover_all_words_and_overlap() -> None:
    counts = [3] * 100
    found = windows(counts, 60)
    assert found[0][0] == 0
    assert found[-1][1] == 100
    assert all(sum(counts[start:stop]) <= 60 for start, stop in found)
    assert all(later[0] < earlier[1] for earlier, later in pairwise(found))
    assert windows([], 60) == [(0, 0)]


@table(
    ("word", "other"),
    [("Total", "total"), ("TOTAL", "Total"), ("12.50", "12/50"), ("A-17", "17"), ("Total:", "Total")],
)
def test_words_that_are_written_differently_have_different_cases(word: str, other: str) -> None:
    assert case_of(word) != case_of(other)
