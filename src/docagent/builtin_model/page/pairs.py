"""Captions and their values, wherever they stand: in one line, side by side, or one above the other.

No word is known here. That something is a caption shows by its place, by its neighbours, and by what stands in line
with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from docagent.builtin_model.page import shapes
from docagent.builtin_model.page.meant import dates_in, numbers_in
from docagent.builtin_model.page.reading import before_next_label, is_sentence
from docagent.builtin_model.page.sheet import Segment, Sheet

_MARKED = re.compile(r"(?P<caption>[^\W\d][^:=]{0,44}?)\s?(?::(?=\s|$)|=)\s*")
_NUMBERED = re.compile(r"(?P<number>\d{1,2})[a-z]?[.)]?\s+(?=[^\W\d])")
"""The number of a box in a form, before its caption."""
_FEWEST_BOXES = 2
_FIGURE_LAST = re.compile(r"(?<=[^\W\d_)\].])\s+(?=[-+€$£]{0,2}\s?\d\S*(?:\s[A-Z€$£]{1,3})?$)")
_BRACKETS = re.compile(r"\([^()]{1,12}\)")
_MOST_WORDS = 5
_MOST_IN_VALUE = 8
_LONGEST_VALUE = 80
_IN_LINE = 0.6
_BELOW = 2.4
_FAR = 2.0
"""In line heights."""
_FEWEST_ROWS = 2
_NEAR_ROWS = 4
_MOST_ROWS = 600
"""Captions name what a document is about on its first pages; books would only take time."""


@dataclass(frozen=True)
class Piece:
    """A part of a segment that is a caption or a value."""

    segment: Segment
    start: int
    end: int
    marked: bool = False
    """Whether a colon or the number of a box says that it is a caption."""

    @cached_property
    def text(self) -> str:
        return self.segment.text[self.start : self.end].strip(" :=")

    @cached_property
    def left(self) -> float:
        numbered = self.marked and self.segment.text[0].isdigit()
        return self.segment.left if numbered else self.segment.left_at(self.start)

    @cached_property
    def right(self) -> float:
        if self.end >= len(self.segment.text):
            return self.segment.right
        return self.segment.left_at(self.end)

    @cached_property
    def look(self) -> str:
        """Return what kind of figure it is; empty for words."""
        text, style = self.text, self.segment.style
        words = text.split()
        if not any(map(str.isdigit, text)) or len(words) > _MOST_IN_VALUE or is_sentence(text):
            return ""
        if dates_in(text, style):
            return "date"
        numbers = numbers_in(text, style)
        if len(numbers) == 1 and len(words) <= 2 and numbers[0].end - numbers[0].start > len(text) / 2:
            return "count" if text.isdigit() else "amount"
        return "" if shapes.is_address_line(text) else "code"

    @cached_property
    def may_be_caption(self) -> bool:
        text = _BRACKETS.sub("", self.text).strip()
        words = max((part.split() for part in text.split(" / ")), key=len)
        if not 0 < len(words) <= _MOST_WORDS or sum(map(str.isalpha, text)) < 2 or not words[0][0].isalpha():
            return False
        if self.marked:
            return True
        return not (
            any(map(str.isdigit, text))
            or text.endswith((",", "-"))
            or shapes.has_legal_form(text)
            or shapes.is_address_line(text)
            or shapes.EMAIL.search(text)
        )

    @property
    def may_be_value(self) -> bool:
        text = self.text
        return bool(text) and not self.marked and len(text) <= _LONGEST_VALUE and not is_sentence(text)


@dataclass(frozen=True)
class Pair:
    """A caption and its value."""

    label: Piece
    at: Piece

    @property
    def caption(self) -> str:
        return self.label.text

    @property
    def value(self) -> str:
        return self.at.text


@dataclass(frozen=True)
class Headed:
    """A table: the captions of its columns, and rows with as many cells."""

    heads: list[Piece]
    body: list[list[Piece]]


def find_pairs(sheet: Sheet) -> list[Pair]:
    """Return the captions with their values, in reading order."""
    return _Pairing(sheet).run()


def find_headed(sheet: Sheet) -> list[Headed]:
    """Return the tables in which figures of one look follow captions of columns, from the top down."""
    return _Pairing(sheet).tables()


class _Pairing:
    def __init__(self, sheet: Sheet) -> None:
        self._height = sheet.height
        boxes = _boxes(sheet)
        first = sheet.rows[:_MOST_ROWS]
        rows = [[piece for segment in row for piece in _marked(segment, boxes)] for row in first]
        edges = [
            (one.left, other.left) for row in rows for one, other in pairwise(row) if _is_pair(one, other)
        ]
        self._rows = [list(self._parted(row, edges)) for row in rows]
        self._pairs: list[Pair] = []
        self._used: set[int] = set()

    def run(self) -> list[Pair]:
        in_tables = self._in_tables()
        rows = [row for number, row in enumerate(self._rows) if number not in in_tables]
        for row in rows:
            self._beside(row, marked=True)
        self._below(rows, marked=True)
        for row in rows:
            self._beside(row)
        self._below(rows, marked=False)
        for row in rows:
            self._in_line(row)
        self._pairs.sort(key=lambda one: (one.label.segment.row, one.label.left))
        return self._pairs

    def _parted(self, row: Sequence[Piece], edges: Sequence[tuple[float, float]]) -> Iterator[Piece]:
        """Cut pieces where values of other rows begin, and before a figure that ends a few words."""
        for number, piece in enumerate(row):
            cut = None
            if not piece.marked and not (number and row[number - 1].may_be_caption):
                cut = self._at_edge(piece, edges) or (self._before_figure(piece) if len(row) > 1 else None)
            if cut is None:
                yield piece
            else:
                yield Piece(piece.segment, piece.start, cut)
                yield Piece(piece.segment, cut, piece.end)

    def _at_edge(self, piece: Piece, edges: Sequence[tuple[float, float]]) -> int | None:
        """Return where a value begins in line with another whose caption is in line with the piece."""
        near = _IN_LINE * self._height
        values = [value for caption, value in edges if abs(caption - piece.left) < near]
        for start, left in zip(piece.segment.starts, piece.segment.lefts, strict=True):
            inside = piece.start < start < piece.end and any(abs(left - value) < near / 2 for value in values)
            if inside and Piece(piece.segment, piece.start, start).may_be_caption:
                return start
        return None

    def _before_figure(self, piece: Piece) -> int | None:
        text = piece.segment.text
        match = _FIGURE_LAST.search(text, piece.start, piece.end)
        if match is None or any(day.start < match.end() < day.end for day in piece.segment.dates):
            return None
        before = text[piece.start : match.start()]
        named = any(map(str.islower, before)) and not shapes.is_address_line(piece.text)
        return (
            match.end() if named and Piece(piece.segment, piece.start, match.end()).may_be_caption else None
        )

    def _take(self, caption: Piece, value: Piece) -> None:
        self._used |= {id(caption), id(value)}
        self._pairs.append(Pair(caption, value))

    def _beside(self, row: Sequence[Piece], *, marked: bool = False) -> None:
        """Pair what a colon marks with what follows it, and words with a figure to their right."""
        found = []
        place = 0
        while place + 1 < len(row):
            one, other = row[place], row[place + 1]
            if {id(one), id(other)} & self._used:
                place += 1
                continue
            if _is_pair(one, other) or (one.marked and one.may_be_caption and other.may_be_value):
                found.append((one, other))
                place += 1
            place += 1
        taken = self._used | {id(piece) for pair in found for piece in pair}
        left = sum(bool(piece.look) for piece in row if id(piece) not in taken)
        for one, other in found:
            # A figure that belongs to no caption tells that this is a row of a table.
            if one.marked or (not left and not marked):
                self._take(one, other)

    def _in_line(self, row: Sequence[Piece]) -> None:
        """Pair words with words where both stand in line with a pair of other rows."""
        for one, other in pairwise(row):
            if {id(one), id(other)} & self._used or not (one.may_be_caption and other.may_be_value):
                continue
            if any(self._goes_on(pair, one, other, even=len(row) % 2 == 0) for pair in self._pairs):
                self._take(one, other)

    def _goes_on(self, pair: Pair, caption: Piece, value: Piece, *, even: bool) -> bool:
        """Return whether two pieces stand in line with a pair of a row nearby."""
        apart = abs(pair.label.segment.row - caption.segment.row)
        if apart > _NEAR_ROWS or pair.label.segment.page != caption.segment.page:
            return False
        if abs(pair.label.left - caption.left) > _IN_LINE * self._height:
            return False
        return self._is_in_column(pair.at, value) or (even and apart <= 1)

    def _below(self, rows: Sequence[Sequence[Piece]], *, marked: bool) -> None:
        """Pair captions with the values that stand right below them, unless more such values follow: a table."""
        for number, row in enumerate(rows[:-1]):
            heads = [one for one in row if one.may_be_caption and id(one) not in self._used]
            under = [(one, self._under(one, rows[number + 1 : number + 4])) for one in heads]
            pairs = [(one, other) for one, other in under if other is not None]
            told = any(other.look for _, other in pairs) and 2 * len(pairs) >= len(row)
            for one, other in pairs:
                alone = other.look not in ("", "code") or (other.look and " " not in other.text)
                if one.marked if marked else told and (alone or len(pairs) > 1):
                    self._take(one, other)

    def _under(self, caption: Piece, rows: Sequence[Sequence[Piece]]) -> Piece | None:
        """Return the value right below a caption, if no other of its look follows."""
        column: list[Piece] = []
        bottom = caption.segment.bottom
        for piece in (piece for row in rows for piece in row):
            if (
                piece.segment.page != caption.segment.page
                or piece.segment.top - bottom > _BELOW * self._height
            ):
                break
            if self._is_in_column(caption, piece):
                column.append(piece)
                bottom = piece.segment.bottom
        if not column or not column[0].may_be_value or id(column[0]) in self._used:
            return None
        if shapes.is_address_line(column[0].text) or (
            len(column) > 1 and column[0].look == column[1].look != ""
        ):
            return None
        return column[0]

    def _is_in_column(self, one: Piece, other: Piece) -> bool:
        near = _IN_LINE * self._height
        return abs(one.left - other.left) < near or abs(one.right - other.right) < near / 2

    def tables(self) -> list[Headed]:
        rows = self._rows
        return [Headed(rows[one], [rows[place] for place in self._body(one)]) for one in self._heads()]

    def _in_tables(self) -> set[int]:
        return {row for number in self._heads() for row in (number, *self._body(number))}

    def _heads(self) -> list[int]:
        """Return the rows that are captions of columns: some rows follow that end in figures of one look."""
        return [
            number
            for number, row in enumerate(self._rows)
            if len(row) > 1
            and all(one.may_be_caption and not one.marked for one in row)
            and len(self._body(number)) >= _FEWEST_ROWS
        ]

    def _body(self, head: int) -> list[int]:
        body: list[int] = []
        looks: list[str] = []
        total = 0.0
        for number in range(head + 1, len(self._rows)):
            row, before = self._rows[number], self._rows[number - 1]
            gap = row[0].segment.top - before[0].segment.bottom
            if row[0].segment.page != before[0].segment.page or gap > _FAR * self._height:
                break
            here = [one.look for one in row]
            alternate = len(row) > 2 and all(here[1::2]) and not any(here[::2])
            uneven = body and len(row) != len(self._rows[body[0]])
            if alternate or uneven or not any(here) or len(row) < 2 or (looks and here[-1] != looks[-1]):
                break
            amounts = numbers_in(row[-1].text, row[-1].segment.style)
            amount = float(amounts[0].value) if amounts else 0.0
            if "total" in row[0].segment.meanings or (
                len(body) > 1 and amount and abs(amount - total) < 0.01
            ):
                break
            total += amount
            looks.append(here[-1])
            body.append(number)
        return body


def _boxes(sheet: Sheet) -> dict[int, int]:
    """Return where the captions of a form's numbered boxes begin, by the id of their segments."""
    found = [(one, match) for one in sheet.segments if (match := _NUMBERED.match(one.text))]
    found = [
        (one, match)
        for one, match in found
        if not any(map(str.isdigit, one.text[match.end() :]))
        and not shapes.is_address_line(one.text)
        and all(_NUMBERED.match(other.text) or not other.amounts for other in sheet.rows[one.row])
    ]
    numbers = [int(match["number"]) for _, match in found]
    if sum(after == before + 1 for before, after in pairwise(numbers)) + 1 < _FEWEST_BOXES:
        return {}
    return {id(one): match.end() for one, match in found}


def _marked(segment: Segment, boxes: Mapping[int, int]) -> list[Piece]:
    """Cut a segment behind captions that a colon ends."""
    text, start = segment.text, 0
    if id(segment) in boxes and ":" not in text:
        return [Piece(segment, boxes[id(segment)], len(text), marked=True)]
    pieces = []
    while match := _MARKED.match(text, start):
        pieces.append(Piece(segment, start, match.end(), marked=True))
        rest = text[match.end() :]
        start = match.end() + (len(rest) - len(rest.lstrip(" :"))) + len(before_next_label(rest))
        if rest.strip():
            pieces.append(Piece(segment, match.end(), start))
        start += len(text[start:]) - len(text[start:].lstrip())
        if start >= len(text):
            return pieces
    return [*pieces, Piece(segment, start, len(text))]


def _is_pair(one: Piece, other: Piece) -> bool:
    return bool(one.may_be_caption and other.may_be_value and other.look and not one.look)
