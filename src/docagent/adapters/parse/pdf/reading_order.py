"""Puts the words of a page into lines, and the lines into the order in which a person reads them.

Words at the same height form one line, so that a label and its value, or the cells of a table row, stay
together. Only where two blocks of running text stand side by side is the left one read before the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter

from docagent.adapters.parse.tokens import UNITS
from docagent.reading.page_codec import Token

_PHRASE_GAP = 2.0
"""Words farther apart than this many times their height belong to different phrases."""
_COLUMN_LINES = 4
_COLUMN_WORDS = 3
_COLUMN_FILL = 0.55
_COLUMN_EDGE_SLACK = UNITS // 200


@dataclass(slots=True)
class _Phrase:
    left: int
    top: int
    right: int
    bottom: int
    words: list[Token]


_Row = list[_Phrase]


def arrange(words: Sequence[Token], width: float, height: float) -> list[list[Token]]:
    """Return lines in reading order. `words` come in the order of the file; `width` and `height` are the page's."""
    aspect = width / height
    upright, turned = _sorted_out(words, aspect)
    lines = _lines(upright, aspect)
    if turned:
        lay_flat, set_up = _turns(turned)
        flat = _lines([lay_flat(word) for word in turned], 1 / aspect)
        lines.extend([set_up(word) for word in line] for line in flat)
    return lines


def _sorted_out(words: Sequence[Token], aspect: float) -> tuple[Sequence[Token], list[Token]]:
    """Separate upright words from those that run up or down the page. Most pages have only upright ones."""
    steep = 2 * aspect
    tall = [word for word in words if word[4] - word[2] > steep * (word[3] - word[1])]
    if not any(len(word[0]) >= 3 for word in tall):
        return words, []
    upright: list[Token] = []
    turned: list[Token] = []
    for word in words:
        (turned if _stands_on_end(word, aspect, turned) else upright).append(word)
    return upright, turned


def _stands_on_end(word: Token, aspect: float, turned: list[Token]) -> bool:
    text, left, top, right, bottom, _, _ = word
    if len(text) >= 3:
        return bottom - top > 2 * aspect * (right - left)
    if not turned:
        return False
    _, before_left, before_top, before_right, before_bottom, _, _ = turned[-1]
    thickness = before_right - before_left
    gap = min(abs(top - before_bottom), abs(before_top - bottom))
    return (
        gap < 2 * aspect * thickness and before_left - thickness < left and right < before_right + thickness
    )


def _lay_flat_downwards(word: Token) -> Token:
    text, left, top, right, bottom, confidence, source = word
    return (text, top, -right, bottom, -left, confidence, source)


def _lay_flat_upwards(word: Token) -> Token:
    text, left, top, right, bottom, confidence, source = word
    return (text, -bottom, left, -top, right, confidence, source)


def _turns(turned: list[Token]) -> tuple[Callable[[Token], Token], Callable[[Token], Token]]:
    """Return functions that turn words running down or up the page so that they read rightwards, and back again."""
    downwards = sum(1 if after[2] > before[2] else -1 for before, after in pairwise(turned))
    if downwards > 0:
        return _lay_flat_downwards, _lay_flat_upwards
    return _lay_flat_upwards, _lay_flat_downwards


def _lines(words: Sequence[Token], aspect: float) -> list[list[Token]]:
    only_ascii = all(word[0].isascii() for word in words)
    lines: list[list[Token]] = []
    for row in _read_by_columns(_rows(_phrases(words, aspect))):
        placed = row[0].words
        if len(row) > 1:
            placed = [word for phrase in row for word in phrase.words]
            placed.sort(key=itemgetter(1))
        if not only_ascii:
            placed = _in_bidirectional_order(placed)
        lines.append(placed)
    return lines


def _phrases(words: Sequence[Token], aspect: float) -> list[_Phrase]:
    """Join words that follow one another in the file and stand close together at one height."""
    phrases: list[_Phrase] = []
    if not words:
        return phrases
    near = _PHRASE_GAP / aspect
    overlap = -0.5 / aspect
    run: list[Token] = []
    first_left = last_right = run_top = run_bottom = run_height = 0
    nearest = furthest = 0.0
    for word in words:
        _, left, top, right, bottom, _, _ = word
        if run_top <= top <= bottom <= run_bottom and nearest < left - last_right < furthest:
            # The common case: the word is within the height of the run before it.
            run.append(word)
            if right > last_right:
                last_right = right
            continue
        height = bottom - top
        if run:
            lower_top = top if top > run_top else run_top
            upper_bottom = bottom if bottom < run_bottom else run_bottom
            smaller, larger = (height, run_height) if height < run_height else (run_height, height)
            if (
                2 * (upper_bottom - lower_top) >= smaller
                and overlap * larger < left - last_right < near * larger
            ):
                run.append(word)
                if right > last_right:
                    last_right = right
                if top < run_top:
                    run_top = top
                if bottom > run_bottom:
                    run_bottom = bottom
                run_height = run_bottom - run_top
                nearest, furthest = overlap * run_height, near * run_height
                continue
            phrases.append(_Phrase(first_left, run_top, last_right, run_bottom, run))
        run = [word]
        first_left, run_top, last_right, run_bottom, run_height = left, top, right, bottom, height
        nearest, furthest = overlap * run_height, near * run_height
    phrases.append(_Phrase(first_left, run_top, last_right, run_bottom, run))
    return phrases


def _rows(phrases: list[_Phrase]) -> list[_Row]:
    """Group phrases at the same height into rows, from the top down. A row's widest phrase defines its height."""
    rows: list[_Row] = []
    guide: _Phrase | None = None
    for phrase in sorted(phrases, key=lambda phrase: phrase.top + phrase.bottom):
        if guide is not None:
            shared = min(guide.bottom, phrase.bottom) - max(guide.top, phrase.top)
            if 2 * shared >= min(guide.bottom - guide.top, phrase.bottom - phrase.top):
                rows[-1].append(phrase)
                if phrase.right - phrase.left > guide.right - guide.left:
                    guide = phrase
                continue
        rows.append([phrase])
        guide = phrase
    for row in rows:
        row.sort(key=lambda phrase: phrase.left)
    return rows


def _read_by_columns(rows: list[_Row]) -> list[_Row]:
    split = _widest_split(rows)
    if split is None:
        return rows
    start, stop, edge = split
    left = [[phrase for phrase in row if phrase.left < edge] for row in rows[start:stop]]
    right = [[phrase for phrase in row if phrase.left >= edge] for row in rows[start:stop]]
    return [
        *_read_by_columns(rows[:start]),
        *_read_by_columns([row for row in left if row]),
        *_read_by_columns([row for row in right if row]),
        *_read_by_columns(rows[stop:]),
    ]


def _widest_split(rows: list[_Row]) -> tuple[int, int, int] | None:
    """Return the longest run of rows that form two columns (start and end), and the right column's left edge."""
    best: tuple[int, int, int] | None = None
    for edge in _column_edges(rows):
        start = 0
        for crossed, run in groupby(rows, key=lambda row: any(p.left < edge < p.right for p in row)):
            stop = start + len(list(run))
            if not crossed and (best is None or stop - start > best[1] - best[0]):
                trimmed = _two_columns(rows, start, stop, edge)
                if trimmed is not None and (best is None or trimmed[1] - trimmed[0] > best[1] - best[0]):
                    best = (*trimmed, edge)
            start = stop
    return best


def _column_edges(rows: list[_Row]) -> list[int]:
    """Return the left edges, except the leftmost, that many phrases of running text share."""
    starts = sorted(phrase.left for row in rows for phrase in row if len(phrase.words) >= _COLUMN_WORDS)
    if len(starts) < 2 * _COLUMN_LINES:
        return []
    edges: list[int] = []
    first = 0
    for position in range(1, len(starts) + 1):
        if position == len(starts) or starts[position] - starts[position - 1] > _COLUMN_EDGE_SLACK:
            if first and position - first >= _COLUMN_LINES:
                edges.append(starts[first])
            first = position
    return edges


def _two_columns(rows: list[_Row], start: int, stop: int, edge: int) -> tuple[int, int] | None:
    """Return the part of the run in which both sides have text, if both look like running text."""
    has_right = [any(phrase.left >= edge for phrase in rows[i]) for i in range(start, stop)]
    if not any(has_right):
        return None
    stop = start + len(has_right) - has_right[::-1].index(True)
    start += has_right.index(True)
    for is_right in (False, True):
        side = [[p for p in row if (p.left >= edge) == is_right] for row in rows[start:stop]]
        side = [row for row in side if row]
        if len(side) < _COLUMN_LINES:
            return None
        words = sum(len(phrase.words) for row in side for phrase in row)
        filled = sum(phrase.right - phrase.left for row in side for phrase in row)
        wide = max(row[-1].right for row in side) - min(row[0].left for row in side)
        if words < _COLUMN_WORDS * len(side) or filled < _COLUMN_FILL * wide * len(side):
            return None
    return start, stop


def _reads_leftwards(word: Token) -> bool:
    return any("\u0590" <= character <= "\u08ff" for character in word[0])


def _in_bidirectional_order(words: list[Token]) -> list[Token]:
    """Order mostly right-to-left words from right to left. Runs of others, such as numbers, keep their own order."""
    if 2 * sum(map(_reads_leftwards, words)) <= len(words):
        return words
    ordered: list[Token] = []
    for leftwards, run in groupby(reversed(words), key=_reads_leftwards):
        words_of_run = list(run)
        ordered.extend(words_of_run if leftwards else reversed(words_of_run))
    return ordered
