"""Finds values that continue in the next line of a cell or a field, although other columns are read in between."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.normal import tokens

_LINE_GAP = 4.5
_WORD_GAP = 4.0
_INDENT = 3.0
"""The widest gaps in line heights: to the next line, to the next word, and from the left edge of the lines above."""
_MOST_STARTS = 300


def wrapped_runs(index: DocumentIndex, wanted: Sequence[str]) -> list[tuple[int, ...]]:
    """Find the value's words in order, each beside the one before or at the start of a line below."""
    if len(wanted) < 2 or any(word not in index.by_token for word in wanted):
        return []
    runs = []
    for start in dict.fromkeys(index.by_token[wanted[0]][:_MOST_STARTS]):
        run = _follow(index, wanted, start)
        if run is not None:
            runs.append(run)
    return runs


def _follow(index: DocumentIndex, wanted: Sequence[str], start: int) -> tuple[int, ...] | None:
    run = [start]
    used = _tokens_used(index, start, wanted, 0)
    block_left = index.boxes[start][0]
    while used and used < len(wanted):
        following = _next(index, wanted, used, run[-1], block_left)
        if following is None:
            return None
        run.append(following)
        block_left = min(block_left, index.boxes[following][0])
        used += _tokens_used(index, following, wanted, used)
    return tuple(run) if used else None


def _tokens_used(index: DocumentIndex, number: int, wanted: Sequence[str], place: int) -> int:
    """Return how many tokens of the value this word spells; 0 if it spells anything else."""
    runs = tokens(index.words[number].text)
    return len(runs) if runs and tuple(wanted[place : place + len(runs)]) == runs else 0


def _next(
    index: DocumentIndex, wanted: Sequence[str], place: int, last: int, block_left: float
) -> int | None:
    page = index.page_of[last]
    _, top, right, bottom = index.boxes[last]
    height = max(bottom - top, 1.0)
    best: tuple[float, float, int] | None = None
    for number in index.on_page(wanted[place], page):
        if number == last or not _tokens_used(index, number, wanted, place):
            continue
        left, other_top, _, other_bottom = index.boxes[number]
        down = (other_top + other_bottom - top - bottom) / 2 / height
        if abs(down) <= 0.5:
            gap = (left - right) / height
            if not -0.5 <= gap <= _WORD_GAP:
                continue
            rank = (0.0, gap, number)
        elif 0.5 < down <= _LINE_GAP and -_INDENT * height <= left - block_left <= _INDENT * height + (
            right - block_left
        ):
            rank = (down, abs(left - block_left), number)
        else:
            continue
        if best is None or rank < best:
            best = rank
    return None if best is None else best[2]
