"""A document as the network sees it: its words in windows, whose vectors are made once for all that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from docagent.domain.documents.text import Page
from docagent.reader_model.features import SeenWord, question_arrays, window_arrays, windows
from docagent.reader_model.pieces import Pieces
from docagent.reader_model.questions import Question
from docagent.reader_model.session import Floats, Scores, scores_of, vectors_of

_FIRST_WINDOWS, _LAST_WINDOWS = 16, 8
"""Of long documents the beginning and the end are read."""
_WINDOWS_KEPT = 64
_QUESTIONS_KEPT = 1024


@dataclass(frozen=True)
class Window:
    """Some words of a document, counted from `start`, and what the network says of them."""

    start: int
    words: Sequence[SeenWord]
    scores: Scores


def windows_of(pages: Sequence[Page], questions: Sequence[Question]) -> Iterator[Window]:
    """Yield the windows of a document with their answers to questions."""
    words = [
        SeenWord(word.text, word.box.left, word.box.top, word.box.right, word.box.bottom, number)
        for number, page in enumerate(pages)
        for word in page.without_hidden_words().words
    ]
    spans = windows(len(words)) if words and questions else []
    if len(spans) > _FIRST_WINDOWS + _LAST_WINDOWS:
        spans = [*spans[:_FIRST_WINDOWS], *spans[-_LAST_WINDOWS:]]
    for start, stop in spans:
        some = tuple(words[start:stop])
        asked = np.stack([_asked(question) for question in questions])
        yield Window(start, some, scores_of(_seen(some), asked))


@lru_cache(_WINDOWS_KEPT)
def _seen(words: tuple[SeenWord, ...]) -> Floats:
    return vectors_of(window_arrays(words, _pieces()))


@lru_cache(_QUESTIONS_KEPT)
def _asked(question: Question) -> Floats:
    first: Floats = vectors_of(question_arrays(question, _pieces()))[0]
    return first


@cache
def _pieces() -> Pieces:
    return Pieces()
