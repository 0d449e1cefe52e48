"""Answers questions about a document: spans of its words, each with the network's chance that it is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from docagent.domain.documents.text import Page
from docagent.reader_model.questions import KINDS, KindOfDocument, Question, Span
from docagent.reader_model.seen import Window, windows_of
from docagent.reader_model.spans import chances_of_several, span_at

_MOST_STARTS = 3
_UNLIKELY = 0.02
_LIKELY = 0.5
_SEVERAL = frozenset({"list", "column"})
_WHAT_IT_IS = (Question("document_type", "What kind of document it is", "text"),)
"""The network tells the kind beside any answer."""


def answer(pages: Sequence[Page], questions: Sequence[Question]) -> list[list[Span]]:
    """Return for each question what the document may say: the likeliest first, or in reading order for lists."""
    found: list[dict[str, Span]] = [{} for _ in questions]
    for window in windows_of(pages, questions):
        for number, question in enumerate(questions):
            for span in _spans(window, number, several=question.type in _SEVERAL):
                _keep(found[number], span)
    return [
        sorted(
            spans.values(),
            key=lambda span: span.first if question.type in _SEVERAL else -span.chance,
        )
        for spans, question in zip(found, questions, strict=True)
    ]


def kind_of(pages: Sequence[Page]) -> KindOfDocument | None:
    """Return what the network takes the document for, by its beginning."""
    beginning = next(windows_of(pages[:1], _WHAT_IT_IS), None)
    if beginning is None:
        return None
    scores = beginning.scores.kinds.astype(np.float64)
    chances = np.exp(scores - scores.max())
    best = int(np.argmax(chances))
    return KindOfDocument(KINDS[best], float(chances[best] / chances.sum()))


def _keep(found: dict[str, Span], span: Span) -> None:
    """Keep the likelier of two spans that say the same."""
    said = "".join(filter(str.isalnum, span.text.casefold()))
    known = found.get(said)
    if said and (known is None or known.chance < span.chance):
        found[said] = span


def _spans(window: Window, question: int, *, several: bool) -> Iterator[Span]:
    if several:
        chances = chances_of_several(window, question)
        chosen = np.flatnonzero(chances > _LIKELY)
    else:
        starts = window.scores.starts[question].astype(np.float64)
        nothing = float(window.scores.nothing[question])
        top = max(nothing, float(starts.max()))
        chances = np.exp(starts - top)
        chances /= chances.sum() + np.exp(nothing - top)
        chosen = np.argsort(-chances, kind="stable")[:_MOST_STARTS]
    for start in map(int, chosen):
        if chances[start] >= _UNLIKELY:
            yield span_at(window, question, start, float(chances[start]))
