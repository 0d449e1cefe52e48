"""Where a value that begins at a word ends, and which of the words between belong to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from docagent.reader_model.features import SeenWord
from docagent.reader_model.questions import Span
from docagent.reader_model.seen import Window

_APART, _ASIDE = 0.025, 0.2
"""Shares of the page's width: a gap that parts blocks, and how far away another column begins."""


def chances_of_several(window: Window, question: int) -> NDArray[np.float64]:
    """Return for each word the chance that one of several values begins with it."""
    over = window.scores.starts[question].astype(np.float64) - float(window.scores.nothing[question])
    chances: NDArray[np.float64] = 1 / (1 + np.exp(np.clip(-over, -50, 50)))
    return chances


def span_at(window: Window, question: int, start: int, chance: float) -> Span:
    stop = start + int(np.argmax(window.scores.end_scores(question, start)))
    text = " ".join(word.text for word in _block(window.words[start : stop + 1]))
    return Span(text, chance, window.start + start)


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
