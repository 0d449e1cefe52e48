"""Answers questions about a document: spans of its words, each with the network's chance that it is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from docagent.domain.text import Page
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
from docagent.reader_model.questions import Question, Span
from docagent.reader_model.session import Scores, scores_of

_FIRST_WINDOWS, _LAST_WINDOWS = 16, 8
"""Of long documents the beginning and the end are read."""
_MOST_STARTS = 3
_UNLIKELY = 0.02
_APART, _ASIDE = 0.025, 0.2
"""Shares of the page's width: a gap that parts blocks, and how far away another column begins."""
_SEVERAL = frozenset({"list", "column"})
_PIECES: list[Pieces] = []


def answer(pages: Sequence[Page], questions: Sequence[Question]) -> list[list[Span]]:
    """Return for each question what the document may say: the likeliest first, or in reading order for lists."""
    pieces = _pieces()
    words = [
        SeenWord(word.text, word.box.left, word.box.top, word.box.right, word.box.bottom, number)
        for number, page in enumerate(pages)
        for word in page.without_hidden_words().words
    ]
    found: list[dict[str, Span]] = [{} for _ in questions]
    if not words:
        return [[] for _ in questions]
    cut = [pieces.of_word(word.text) for word in words]
    counts = [len(own) for own in cut]
    for first, some in _groups(questions, pieces):
        asked = Asked.of(some, pieces)
        for start, stop in _read_windows(counts, LONGEST - len(asked.pieces)):
            scores = scores_of(arrays_of(asked, words[start:stop], cut[start:stop]))
            for number, question in enumerate(some):
                for span in _spans(
                    scores, number, words[start:stop], start, several=question.type in _SEVERAL
                ):
                    _keep(found[first + number], span)
    return [
        sorted(
            spans.values(),
            key=lambda span: span.first if question.type in _SEVERAL else -span.chance,
        )
        for spans, question in zip(found, questions, strict=True)
    ]


def _pieces() -> Pieces:
    if not _PIECES:
        _PIECES.append(Pieces())
    return _PIECES[0]


def _groups(questions: Sequence[Question], pieces: Pieces) -> Iterator[tuple[int, Sequence[Question]]]:
    """Yield as many questions at a time as fit, with the number of the first."""
    start, filled = 0, 2
    for number, question in enumerate(questions):
        own = len(question_pieces(question, pieces))
        if number > start and filled + own > LONGEST_QUESTIONS:
            yield start, questions[start:number]
            start, filled = number, 2
        filled += own
    if questions:
        yield start, questions[start:]


def _read_windows(counts: Sequence[int], room: int) -> list[tuple[int, int]]:
    every = windows(counts, room)
    if len(every) <= _FIRST_WINDOWS + _LAST_WINDOWS:
        return every
    return [*every[:_FIRST_WINDOWS], *every[-_LAST_WINDOWS:]]


def _keep(found: dict[str, Span], span: Span) -> None:
    """Keep the likelier of two spans that say the same."""
    said = "".join(filter(str.isalnum, span.text.casefold()))
    known = found.get(said)
    if said and (known is None or known.chance < span.chance):
        found[said] = span


def _spans(
    scores: Scores, question: int, words: Sequence[SeenWord], offset: int, *, several: bool
) -> Iterator[Span]:
    starts, nothing = scores.starts[question].astype(np.float64), float(scores.nothing[question])
    if several:
        chances = 1 / (1 + np.exp(np.clip(nothing - starts, -50, 50)))
        chosen = np.flatnonzero(chances > 0.5)
    else:
        top = max(nothing, float(starts.max()))
        chances = np.exp(starts - top)
        chances /= chances.sum() + np.exp(nothing - top)
        chosen = np.argsort(-chances, kind="stable")[:_MOST_STARTS]
    for start in map(int, chosen):
        if chances[start] >= _UNLIKELY:
            stop = start + int(np.argmax(scores.end_scores(question, start)))
            text = " ".join(word.text for word in _block(words[start : stop + 1]))
            yield Span(text, float(chances[start]), offset + start)


def _block(words: Sequence[SeenWord]) -> list[SeenWord]:
    """Leave out what stands beside a value of several lines, and was read between them."""
    runs: list[list[SeenWord]] = []
    for word in words:
        last = runs[-1][-1] if runs else None
        if (
            last
            and abs(last.top - word.top) < last.bottom - last.top
            and -_APART < word.left - last.right < _APART
        ):
            runs[-1].append(word)
        else:
            runs.append([word])
    own = runs[0][0].left
    below = [run for run in runs[1:] if abs(run[0].left - own) < _APART and run[0].top > words[0].top]
    aside = [run for run in runs[1:] if run[0].left - own > _ASIDE]
    return [word for run in (runs[0], *below) for word in run] if below and aside else list(words)
