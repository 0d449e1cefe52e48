"""Finds texts that begin at the end of one page and continue at the start of the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.normal import tokens
from docagent.reading.printed import fold, squeezed

_LEAST_LENGTH = 8
"""A shorter text may be cut into pieces that stand at the edges of two pages by chance."""
_EDGE_LINES = 4
"""How many lines at the top and at the bottom of a page may be repeated on other pages."""
_DIGITS = re.compile(r"\d+")


def runs_over_breaks(index: DocumentIndex, wanted: Sequence[str]) -> list[tuple[int, ...]]:
    """Find the value's words, the first ones last on a page and the others first on the next."""
    if len(wanted) < 2 or sum(map(len, wanted)) < _LEAST_LENGTH:
        return []
    return [
        run
        for page in _pages_of(index, wanted[0])
        if page + 1 < len(index.pages) and index.on_page(wanted[-1], page + 1)
        for run in _over_break(index, wanted, page)
    ]


def _pages_of(index: DocumentIndex, token: str) -> list[int]:
    return list(dict.fromkeys(index.page_of[number] for number in index.by_token.get(token, ())))


def _over_break(index: DocumentIndex, wanted: Sequence[str], page: int) -> Iterator[tuple[int, ...]]:
    before = _spelled(index, reversed(_body(index, page)), len(wanted), backwards=True)
    after = _spelled(index, _body(index, page + 1), len(wanted))
    if not before or not after:
        return
    cuts = [
        cut for cut in range(1, len(wanted)) if (wanted[cut - 1], wanted[cut]) == (before[0][0], after[0][0])
    ]
    for cut in cuts:
        first = _words_that_spell(before, wanted[cut - 1 :: -1])
        second = _words_that_spell(after, wanted[cut:])
        if first and second:
            yield *reversed(first), *second


def _spelled(
    index: DocumentIndex, words: Iterator[int] | Sequence[int], most: int, *, backwards: bool = False
) -> list[tuple[str, int, bool]]:
    """Return the first tokens of the words, the word of each, and whether it is the last token of its word."""
    found: list[tuple[str, int, bool]] = []
    for number in words:
        runs = tokens(index.words[number].text)
        ordered = runs[::-1] if backwards else runs
        found += [(token, number, place == len(runs)) for place, token in enumerate(ordered, 1)]
        if len(found) >= most:
            break
    return found


def _words_that_spell(found: list[tuple[str, int, bool]], wanted: Sequence[str]) -> list[int]:
    """Return the words that spell the wanted tokens to the last letter; none if they spell anything else."""
    part = found[: len(wanted)]
    if len(part) < len(wanted) or not part[-1][2]:
        return []
    if any(token != other for (token, _, _), other in zip(part, wanted, strict=True)):
        return []
    return list(dict.fromkeys(number for _, number, _ in part))


def _body(index: DocumentIndex, page: int) -> range:
    """Return the words of a page without the lines at its edges that other pages repeat, such as page numbers."""
    lines = _lines(index, page)
    around = [
        text
        for other in (page - 2, page - 1, page + 1, page + 2)
        if 0 <= other < len(index.pages)
        for text in _edges(index, other)
    ]
    start, end = 0, len(lines)
    while start < min(end, _EDGE_LINES) and _is_repeated(_without_digits(index, lines[start]), around):
        start += 1
    while end > max(start, len(lines) - _EDGE_LINES) and _is_repeated(
        _without_digits(index, lines[end - 1]), around
    ):
        end -= 1
    return range(lines[start].start, lines[end - 1].stop) if start < end else range(0)


def _is_repeated(text: str, around: Sequence[str]) -> bool:
    return not squeezed(text) or text in around


def _edges(index: DocumentIndex, page: int) -> list[str]:
    lines = _lines(index, page)
    return [_without_digits(index, line) for line in (*lines[:_EDGE_LINES], *lines[-_EDGE_LINES:])]


def _lines(index: DocumentIndex, page: int) -> list[range]:
    numbers = index.words_of_page(page)
    if not numbers:
        return []
    first, last = index.line_of[numbers[0]], index.line_of[numbers[-1]]
    return index.lines[first : last + 1]


def _without_digits(index: DocumentIndex, line: range) -> str:
    return _DIGITS.sub("", " ".join(fold(index.words[number].text) for number in line))
