"""What the model sees: questions and a window of words as arrays. Training and reading share it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docagent.reader_model.pieces import Pieces
from docagent.reader_model.questions import Question

LONGEST = 512
"""Pieces of questions and words together."""
_LONGEST_QUESTION = 30
LONGEST_QUESTIONS = 192
_TWO_DECIMALS = re.compile(r"[.,]\d\d\D?$")
_LIKE_DATE = re.compile(r"\d[/.-]\d")


class SeenWord(NamedTuple):
    """A word with its place as fractions of its page, whose number is counted from 0."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    page: int


@dataclass(frozen=True)
class Asked:
    """The pieces of questions. Each begins with a mark, at which the model answers."""

    pieces: list[int]
    marks: list[int]

    @classmethod
    def of(cls, questions: Sequence[Question], pieces: Pieces) -> Asked:
        """Take the questions in turn until they are too long together."""
        numbers, marks = [pieces.start], list[int]()
        for question in questions:
            own = question_pieces(question, pieces)
            if marks and len(numbers) + len(own) + 1 > LONGEST_QUESTIONS:
                break
            marks.append(len(numbers))
            numbers += own
        return cls([*numbers, pieces.end], marks)


def question_pieces(question: Question, pieces: Pieces) -> list[int]:
    words, kind = question.text.rsplit(" ; ", 1)
    said = pieces.of_text(words)[:_LONGEST_QUESTION]
    return [pieces.mark, *said, *pieces.of_text(f"; {kind}")]


class Arrays(NamedTuple):
    """One window as arrays. `places` are left, top, right, bottom; further pages lie below the first."""

    pieces: NDArray[np.int64]
    cases: NDArray[np.int64]
    places: NDArray[np.float32]
    in_words: NDArray[np.int64]
    positions: NDArray[np.int64]
    marks: NDArray[np.int64]
    firsts: NDArray[np.int64]
    """Where each word of the window begins."""


def arrays_of(asked: Asked, words: Sequence[SeenWord], word_pieces: Sequence[tuple[int, ...]]) -> Arrays:
    """Return the arrays of a window; the words and their pieces are those of the window alone."""
    counts = [len(own) for own in word_pieces]
    lead, total = len(asked.pieces), len(asked.pieces) + sum(counts)
    pieces = np.zeros(total, np.int64)
    cases, in_words, positions = (np.zeros(total, np.int64) for _ in range(3))
    places = np.zeros((total, 4), np.float32)
    pieces[:lead] = asked.pieces
    pieces[lead:] = [number for own in word_pieces for number in own]
    positions[:lead] = np.arange(lead)
    positions[lead:] = np.arange(total - lead)
    in_words[lead:] = 1
    if words:
        cases[lead:] = np.repeat([case_of(word.text) for word in words], counts)
        first_page = words[0].page
        boxes = []
        for word in words:
            below = min(3, word.page - first_page)
            boxes.append((word.left, word.top + below, word.right, word.bottom + below))
        places[lead:] = np.repeat(np.array(boxes, np.float32), counts, axis=0)
    firsts = lead + np.concatenate([[0], np.cumsum(counts)[:-1]]) if counts else np.zeros(0)
    marks = np.array(asked.marks, np.int64)
    return Arrays(pieces, cases, places, in_words, positions, marks, firsts.astype(np.int64))


def windows(counts: Sequence[int], room: int) -> list[tuple[int, int]]:
    """Cut words, given by how many pieces each has, into windows that fit and overlap by a quarter."""
    found: list[tuple[int, int]] = []
    start = 0
    while True:
        stop, filled = start, 0
        while stop < len(counts) and filled + counts[stop] <= room:
            filled += counts[stop]
            stop += 1
        found.append((start, stop))
        if stop >= len(counts):
            return found
        back, shared = stop, 0
        while back - 1 > start and shared < room // 4:
            back -= 1
            shared += counts[back]
        start = back


def case_of(word: str) -> int:
    """Return how a word is written: what the pieces, all in lower case, do not say."""
    letters = [sign for sign in word if sign.isalpha()]
    digits = any(map(str.isdigit, word))
    if digits and letters:
        return 5
    if digits:
        return 6 if _TWO_DECIMALS.search(word) else 7 if _LIKE_DATE.search(word) else 4
    if not letters:
        return 8
    in_capitals = word.isupper() and len(letters) > 1
    kind = 3 if in_capitals else 2 if letters[0].isupper() else 1
    return kind + 8 if word.endswith(":") else kind
