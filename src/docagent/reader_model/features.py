"""What the network sees: words with their pieces, how they are written and where they stand. Training shares it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docagent.reader_model.pieces import MOST_PIECES, Pieces
from docagent.reader_model.questions import Question

LONGEST = 256
"""Words of a window."""
_SHARED = 48
"""Words that a window shares with the one before it."""
_LONGEST_QUESTION = 24
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


class Arrays(NamedTuple):
    """One sequence of words. Those that stand on no page have the case 0."""

    pieces: NDArray[np.int64]
    """The numbers of each word's pieces, filled up with 0."""
    cases: NDArray[np.int64]
    places: NDArray[np.float32]
    """Left, top, right, bottom; further pages lie below the first."""


def question_arrays(question: Question, pieces: Pieces) -> Arrays:
    """Return a question's words behind a mark, at which the network answers."""
    said, kind = question.text.rsplit(" ; ", 1)
    cut = [pieces.of_word(word) for word in [*said.split()[:_LONGEST_QUESTION], ";", kind]]
    count = len(cut) + 1
    return Arrays(
        _filled([(pieces.mark,), *cut]), np.zeros(count, np.int64), np.zeros((count, 4), np.float32)
    )


def window_arrays(words: Sequence[SeenWord], pieces: Pieces) -> Arrays:
    """Return the words of a window behind a mark, at which the network tells the document's kind."""
    places = np.zeros((len(words) + 1, 4), np.float32)
    for number, word in enumerate(words, 1):
        below = min(3, word.page - words[0].page)
        places[number] = (word.left, word.top + below, word.right, word.bottom + below)
    cases = np.array([0, *(case_of(word.text) for word in words)], np.int64)
    return Arrays(_filled([(pieces.start,), *(pieces.of_word(word.text) for word in words)]), cases, places)


def _filled(cut: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    pieces = np.zeros((len(cut), MOST_PIECES), np.int64)
    for number, own in enumerate(cut):
        pieces[number, : len(own)] = own
    return pieces


def windows(count: int) -> list[tuple[int, int]]:
    """Cut so many words into windows that overlap."""
    starts = range(0, max(1, count - _SHARED), LONGEST - _SHARED)
    return [(start, min(count, start + LONGEST)) for start in starts]


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
