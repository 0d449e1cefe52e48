"""Finds headings, fences and lists of a markdown text and their positions, with a CommonMark parser.

Tables are read too, since the client shows them. A heading inside a list or a quote is only a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

LINE_BREAK = re.compile(r"\r\n|\r|\n")
MOST_LINES = 50_000
"""A longer text counts as one without headings: parsing takes long for each line, however short."""
_FRONT_MATTER = re.compile(
    r"---[ \t]*(?:\r\n|\r|\n)[\w-]+:[^\r\n]*(?:\r\n|\r|\n)(?:[^\r\n]+(?:\r\n|\r|\n))*?---[ \t]*(?:\r\n|\r|\n|\Z)"
)
"""Front matter is skipped: it is not CommonMark, and its last lines would be taken for a heading."""
_LISTS = ("bullet_list_open", "ordered_list_open")
_MOST_REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    line: int
    """The number of its line, from 1. Only line feeds are counted."""
    start: int
    body: int
    """Where the text below the heading begins."""
    path: tuple[str, ...]
    """The titles of the headings that it stands under, and its own."""


@dataclass(frozen=True, slots=True)
class _Outline:
    headings: tuple[Heading, ...] = ()
    unclosed_fence: int | None = None
    first_list: str | None = None
    """The mark of the list that the text begins with."""
    last_lists: frozenset[str] = frozenset()
    """The marks of the lists that the last line is part of."""


@dataclass(frozen=True, slots=True)
class LineStarts:
    """Where CommonMark begins in a text, after front matter, and where each line of it starts; the last is the end."""

    begin: int
    starts: Sequence[int]


def line_starts(text: str) -> LineStarts:
    front = _FRONT_MATTER.match(text)
    begin = front.end() if front else 0
    starts = [begin, *(match.end() for match in LINE_BREAK.finditer(text, begin))]
    if starts[-1] < len(text):
        starts.append(len(text))
    return LineStarts(begin, starts)


def headings(text: str) -> list[Heading]:
    """Return all headings in order."""
    return list(_outline(text).headings)


def with_own_text(text: str) -> list[tuple[Heading, str]]:
    """Return the headings, each with the text between it and the next one."""
    known = headings(text)
    ends = [*(one.start for one in known[1:]), len(text)]
    return [(one, text[one.body : end]) for one, end in zip(known, ends, strict=False)]


def unclosed_fence(text: str) -> int | None:
    """Return the line of the first code fence that is never closed, counted from 1; None if there is none."""
    return _outline(text).unclosed_fence


def goes_on(before: str, after: str) -> bool:
    """Whether `after` begins with the next item of the list, or the next row of the table, that `before` ends with."""
    last_line, first_line = LINE_BREAK.split(before)[-1], LINE_BREAK.split(after)[0]
    if last_line.lstrip().startswith("|") and first_line.lstrip().startswith("|"):
        return True
    return _outline(after).first_list in _outline(before).last_lists


@lru_cache(_MOST_REMEMBERED)
def _outline(text: str) -> _Outline:
    lines = line_starts(text)
    starts = lines.starts
    if len(starts) > MOST_LINES:
        return _Outline()
    # The last line gets a line break, so that every line of a fence has one.
    tokens = _PARSER.parse(text[lines.begin :] + "\n")
    return _Outline(
        tuple(_headings(text, tokens, starts)),
        _unclosed_fence(text, tokens, starts),
        tokens[0].markup if tokens and tokens[0].type in _LISTS else None,
        frozenset(
            one.markup for one in tokens if one.type in _LISTS and one.map and one.map[1] >= len(starts) - 1
        ),
    )


def _headings(text: str, tokens: Sequence[Token], starts: Sequence[int]) -> Iterator[Heading]:
    above: list[tuple[int, str]] = []
    line, counted = 1, 0
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.level or opening.map is None:
            continue
        level = int(opening.tag[1:])
        title = " ".join(part.strip() for part in inline.content.split("\n"))
        above = [*(one for one in above if one[0] < level), (level, title)]
        start, body = (starts[place] for place in opening.map)
        line, counted = line + text.count("\n", counted, start), start
        yield Heading(level, title, line, start, body, tuple(one for _, one in above))


def _unclosed_fence(text: str, tokens: Sequence[Token], starts: Sequence[int]) -> int | None:
    for token in tokens:
        if token.type == "fence" and token.map is not None:
            first, end = token.map
            if end - first < token.content.count("\n") + 2:
                return text.count("\n", 0, starts[first]) + 1
    return None


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    # The text inside blocks is not parsed, since it cannot contain a heading.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _parser()
