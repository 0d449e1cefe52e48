"""A document as the network sees it: words, their pieces, and the windows in which they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from docagent.domain.documents.text import Page
from docagent.reader_model.features import (
    LONGEST,
    LONGEST_QUESTIONS,
    Asked,
    SeenWord,
    arrays_of,
    question_pieces,
    windows,
)
from docagent.reader_model.pieces import Pieces
from docagent.reader_model.questions import Question
from docagent.reader_model.session import Scores, scores_of

_FIRST_WINDOWS, _LAST_WINDOWS = 16, 8
"""Of long documents the beginning and the end are read."""


@dataclass(frozen=True)
class Window:
    """Some words of a document, counted from `start`, and what the network says of them."""

    start: int
    words: Sequence[SeenWord]
    scores: Scores


class SeenDocument:
    def __init__(self, pages: Sequence[Page]) -> None:
        self.words = [
            SeenWord(word.text, word.box.left, word.box.top, word.box.right, word.box.bottom, number)
            for number, page in enumerate(pages)
            for word in page.without_hidden_words().words
        ]

    @cached_property
    def _cut(self) -> list[tuple[int, ...]]:
        return [pieces().of_word(word.text) for word in self.words]

    def windows(self, questions: Sequence[Question], room: int | None = None) -> Iterator[Window]:
        """Yield the windows with the scores of questions that fit into one."""
        asked = Asked.of(questions, pieces())
        for start, stop in self._spans(room or LONGEST - len(asked.pieces)):
            words = self.words[start:stop]
            yield Window(start, words, scores_of(arrays_of(asked, words, self._cut[start:stop])))

    def _spans(self, room: int) -> list[tuple[int, int]]:
        every = windows([len(own) for own in self._cut], room) if self.words else []
        if len(every) <= _FIRST_WINDOWS + _LAST_WINDOWS:
            return every
        return [*every[:_FIRST_WINDOWS], *every[-_LAST_WINDOWS:]]


def groups(questions: Sequence[Question]) -> Iterator[tuple[int, Sequence[Question]]]:
    """Yield as many questions at a time as fit, with the number of the first."""
    start, filled = 0, 2
    for number, question in enumerate(questions):
        own = len(question_pieces(question, pieces()))
        if number > start and filled + own > LONGEST_QUESTIONS:
            yield start, questions[start:number]
            start, filled = number, 2
        filled += own
    if questions:
        yield start, questions[start:]


@cache
def pieces() -> Pieces:
    return Pieces()
