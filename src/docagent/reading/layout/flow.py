"""A page as headings, paragraphs, list items and tables, for the views that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from docagent.domain.documents.text import CHECKED, UNCHECKED, Line, Page, Word
from docagent.reading.layout.tables import Table, find_tables
from docagent.reading.layout.typeface import Extent, type_extents

_HEADING_STEPS = ((1.8, 1), (1.45, 2), (1.25, 3))
"""How many times taller than the page's usual line a heading is, and the level that this gives it."""
_LONGEST_HEADING = 14
_PARAGRAPH_PITCH = 1.75
"""Lines farther apart than this many line heights, from middle to middle, are different paragraphs."""
_FULL_LINE = 0.88
_RUNNING_WORDS = 6
_BULLETS = frozenset("\u2022\u25aa\u25cf\u25e6\u2023\u2043\u00b7\u2013-*")
_NUMBERED = re.compile(r"(\d{1,3})[.)]")
_LETTERED = re.compile(r"\(?(?:[a-zA-Z]|[ivx]{1,4}|\d{1,3})\)")
_SHOWN_MARKS = {CHECKED: "\u2611", UNCHECKED: "\u2610"}
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])(?:[-\u00ad\u2010\x02])$")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A line clearly taller than the page's usual one. Level 1 is the largest."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph. Wrapped lines are joined; lines that belong apart, as in an address, are kept apart."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListItem:
    """A list item, with its number or the state of its check box if it has one."""

    text: str
    number: int | None = None
    checked: bool | None = None


Part = Heading | Paragraph | ListItem | Table


def flow_of(page: Page) -> list[Part]:
    """Return the parts of a page in reading order."""
    extents = type_extents(page)
    usual = _usual_height(page, extents)
    parts: list[Part] = []
    text_lines: list[_Measured] = []
    for part in parts_in_order(page):
        if isinstance(part, Table):
            parts += [*_text_parts(text_lines, usual), part]
            text_lines = []
        else:
            text_lines.append(_measured(Line(part), extents))
    return parts + _text_parts(text_lines, usual)


def parts_in_order(page: Page) -> Iterator[Table | tuple[Word, ...]]:
    """Yield the tables of a page and the words of each line outside them, in reading order."""
    tables = find_tables(page)
    table_of_word = {
        id(word): index
        for index, table in enumerate(tables)
        for row in table.rows
        for cell in row
        for word in cell.words
    }
    shown: set[int] = set()
    for line in page.lines:
        inside = {table_of_word[id(word)] for word in line.words if id(word) in table_of_word}
        yield from (tables[index] for index in sorted(inside - shown))
        shown |= inside
        outside = tuple(
            word
            for word in line.words
            if id(word) not in table_of_word and not (inside and not any(map(str.isalnum, word.text)))
        )
        if outside:
            yield outside


def printable(text: str) -> str:
    """Return the text without control characters and with single spaces."""
    return " ".join(_UNPRINTABLE.sub(" ", text).split())


def _usual_height(page: Page, extents: dict[int, Extent]) -> float:
    heights = [_height(line, extents) for line in page.lines for _ in line.words]
    return median(heights) if heights else 0.0


def _height(line: Line, extents: dict[int, Extent]) -> float:
    return median(extents[id(word)][1] - extents[id(word)][0] for word in line.words)


@dataclass(frozen=True, slots=True)
class _Measured:
    """A line with the position and height of its type."""

    line: Line
    left: float
    right: float
    middle: float
    height: float


def _measured(line: Line, extents: dict[int, Extent]) -> _Measured:
    middle = median(sum(extents[id(word)]) / 2 for word in line.words)
    return _Measured(line, line.box.left, line.box.right, middle, _height(line, extents))


@dataclass(slots=True)
class _Open:
    """A part that may still continue after its last line so far."""

    part: Heading | Paragraph | ListItem
    last: _Measured
    left: float
    right: float


def _text_parts(lines: list[_Measured], usual: float) -> list[Part]:
    groups: list[_Open] = []
    for line in lines:
        started = _start(line, usual)
        if groups and _follows(groups[-1], line) and _takes(groups[-1], started, line):
            _extend(groups[-1], started, line)
        else:
            groups.append(_Open(started, line, line.left, line.right))
    return [group.part for group in groups if _has_text(group.part)]


def _has_text(part: Heading | Paragraph | ListItem) -> bool:
    return any(part.lines) if isinstance(part, Paragraph) else bool(part.text or isinstance(part, ListItem))


def _start(measured: _Measured, usual: float) -> Heading | Paragraph | ListItem:
    line = measured.line
    first = line.words[0]
    rest = _words_text(line, 1)
    if first.text in (CHECKED, UNCHECKED):
        return ListItem(rest, checked=first.text == CHECKED)
    if rest:
        numbered = _NUMBERED.fullmatch(first.text)
        if first.text in _BULLETS:
            return ListItem(rest)
        if numbered is not None:
            return ListItem(rest, number=int(numbered[1]))
        if _LETTERED.fullmatch(first.text):
            return ListItem(_words_text(line, 0))
    text = _words_text(line, 0)
    level = _heading_level(measured, text, usual)
    return Paragraph((text,)) if level is None else Heading(level, text)


def _words_text(line: Line, first: int) -> str:
    text = " ".join(_SHOWN_MARKS.get(word.text, word.text) for word in line.words[first:])
    tail = text[-1:] if _BROKEN_WORD.search(text) else ""
    return printable(text.removesuffix(tail) if tail else text) + ("-" if tail else "")


def _heading_level(measured: _Measured, text: str, usual: float) -> int | None:
    if not any(character.isalpha() for character in text) or len(measured.line.words) > _LONGEST_HEADING:
        return None
    return next((level for ratio, level in _HEADING_STEPS if measured.height >= ratio * usual), None)


def _follows(group: _Open, below: _Measured) -> bool:
    """Return whether the line stands right below the group's last line."""
    above = group.last
    pitch = (
        (below.middle - above.middle) / min(above.height, below.height)
        if above.height and below.height
        else 0.0
    )
    overlap = min(above.right, below.right) - max(above.left, below.left)
    return overlap > 0 and 0.5 < pitch < _PARAGRAPH_PITCH


def _takes(group: _Open, started: Heading | Paragraph | ListItem, line: _Measured) -> bool:
    """Return whether the line may continue the group's part instead of starting a part of its own."""
    part = group.part
    if isinstance(started, ListItem):
        return False
    if isinstance(part, Heading) or isinstance(started, Heading):
        return isinstance(part, Heading) and isinstance(started, Heading) and part.level == started.level
    if isinstance(part, ListItem):
        return line.left > group.left + 0.15 * line.height
    return True


def _extend(group: _Open, started: Heading | Paragraph | ListItem, line: _Measured) -> None:
    part = group.part
    group.left, group.right = min(group.left, line.left), max(group.right, line.right)
    if isinstance(part, Paragraph) and isinstance(started, Paragraph):
        if _wraps(group, started.lines[0]):
            joined = _joined(part.lines[-1], started.lines[0])
            group.part = Paragraph((*part.lines[:-1], joined))
        else:
            group.part = Paragraph((*part.lines, started.lines[0]))
    elif isinstance(part, Heading) and isinstance(started, Heading):
        group.part = Heading(part.level, _joined(part.text, started.text))
    elif isinstance(part, ListItem) and isinstance(started, Paragraph):
        group.part = ListItem(_joined(part.text, started.lines[0]), part.number, part.checked)
    group.last = line


def _wraps(group: _Open, below: str) -> bool:
    """Return whether the group's last line is running text that wrapped, and not a line of an address."""
    reaches_edge = group.last.right - group.left >= _FULL_LINE * (group.right - group.left)
    return reaches_edge and (len(group.last.line.words) >= _RUNNING_WORDS or below[:1].islower())


def _joined(above: str, below: str) -> str:
    """Join two lines of running text, and a word that was hyphenated between them."""
    if _BROKEN_WORD.search(above) and below[:1].islower():
        return above[:-1] + below
    return f"{above} {below}"
