"""Turns a page whose text runs up, down, upside down or askew, so that it runs level from left to right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from statistics import median

from docagent.domain.documents.text import Box, Line, Page, WordSource

_FEWEST_STEPS = 5
_MOST = 0.6
"""The share of the steps from word to word that must go the same way."""
_FEWEST_LINES = 5
_LONG = 0.2
"""The share of the page's width from which on a line tells how far the page is askew."""
_ASKEW = 0.003
_TOO_FAR = 0.1


def upright(page: Page) -> Page:
    """Return the page as somebody turns it to read it. Places on it are no longer those of the page as shown."""
    way = _way(page)
    if way != "right":
        page = _moved(page, _TURNS[way])
        if way != "left":
            page = replace(page, width=page.height, height=page.width)
    slope = _slope(page)
    if not _ASKEW < abs(slope) < _TOO_FAR:
        return page
    rise = slope * page.width / page.height

    def level(box: Box) -> Box:
        by = -rise * (box.left + box.right) / 2
        return Box(box.left, box.top + by, box.right, box.bottom + by)

    return _moved(page, level)


def _moved(page: Page, move: Callable[[Box], Box]) -> Page:
    return replace(
        page,
        lines=tuple(
            Line(tuple(replace(word, box=move(word.box)) for word in line.words)) for line in page.lines
        ),
        ruling=tuple(map(move, page.ruling)),
    )


def _slope(page: Page) -> float:
    """Return how far the recognised lines of the page fall to the right, in points for each point."""
    slopes = []
    for line in page.lines:
        first, last = line.words[0], line.words[-1]
        across = last.box.left + last.box.right - first.box.left - first.box.right
        if first.source is WordSource.OCR and across > 2 * _LONG:
            down = last.box.top + last.box.bottom - first.box.top - first.box.bottom
            slopes.append(down * page.height / (across * page.width))
    return median(slopes) if len(slopes) >= _FEWEST_LINES else 0.0


def _way(page: Page) -> str:
    """Return where most words of a line lead: to the right on nearly every page."""
    steps = Counter(
        _direction(first.box, second.box, page)
        for line in page.lines
        for first, second in pairwise(line.words)
    )
    if not steps:
        return "right"
    way, count = steps.most_common(1)[0]
    if count < max(_FEWEST_STEPS, _MOST * steps.total()):
        return "right"
    return "right" if way == "left" and not _lines_go_up(page) else way


def _direction(first: Box, second: Box, page: Page) -> str:
    across = (second.left + second.right - first.left - first.right) * page.width
    down = (second.top + second.bottom - first.top - first.bottom) * page.height
    if abs(across) >= abs(down):
        return "right" if across >= 0 else "left"
    return "down" if down > 0 else "up"


def _lines_go_up(page: Page) -> bool:
    """Return whether the page is upside down, and not in a script that is written from right to left."""
    steps = [second.box.top - first.box.top for first, second in pairwise(page.lines)]
    return sum(step < 0 for step in steps) > sum(step > 0 for step in steps)


_TURNS: dict[str, Callable[[Box], Box]] = {
    "down": lambda box: Box(box.top, 1 - box.right, box.bottom, 1 - box.left),
    "up": lambda box: Box(1 - box.bottom, box.left, 1 - box.top, box.right),
    "left": lambda box: Box(1 - box.right, 1 - box.bottom, 1 - box.left, 1 - box.top),
}
