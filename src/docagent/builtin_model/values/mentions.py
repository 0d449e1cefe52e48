"""Every printed value of a field's type with its place, and the captions that may name it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.labels import labels_in
from docagent.builtin_model.page.reading import clean_text, read_values
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.values.choosing import Json, as_json
from docagent.reading.printed import squeezed

_NEAR_ABOVE = 2.6
"""In line heights: a caption above its value."""
_MOST_ROWS_UP = 30
_LONGEST_CAPTION = 60
_COLON = re.compile(r"[:=]\s+")
_GROUPS = re.compile(r"(?:(?<=[:#.] )|^)(?:[A-Z]{1,4} )?\d[A-Z0-9]{0,4}(?: [A-Z0-9]{1,5})+$")
"""An identifier printed in groups, to the end of its line: `8501 4427 903` is one value, and none of its parts."""
_WORDY = frozenset({Kind.NAME, Kind.TEXT, Kind.ADDRESS, Kind.PLACE})
_CODES = frozenset({Kind.CODE, Kind.VAT_ID, Kind.PHONE})


class Direction(StrEnum):
    """Where a caption stands, seen from its value."""

    INLINE = "inline"
    LEFT = "left"
    ABOVE = "above"
    HEAD = "head"
    """Far above, over a column."""


@dataclass(frozen=True)
class Caption:
    """Words that may name a value: a segment up to `end`."""

    direction: Direction
    segment: Segment
    end: int

    @cached_property
    def meanings(self) -> frozenset[str]:
        return frozenset(atom.meaning for atom in self.segment.atoms if atom.end <= self.end)


@dataclass(frozen=True)
class Mention:
    """A value where it is printed."""

    value: Json
    segment: Segment
    start: int
    text: str


class Mentions:
    """The printed values and captions of one document. What was looked up is kept."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._by_type: dict[tuple[object, ...], list[Mention]] = {}
        self._captions: dict[tuple[int, int, int], list[Caption]] = {}
        self._strengths: dict[tuple[int, int, int, int], float] = {}
        self._wanted: dict[int, frozenset[str]] = {}

    def of(self, field: Field) -> list[Mention]:
        """Return every printed value of the field's type, in reading order."""
        key = (field.kind, field.side, field.types, str(field.schema.get("enum")))
        found = self._by_type.get(key)
        if found is None:
            found = self._by_type[key] = [
                mention for segment in self.sheet.segments for mention in self._in(segment, field)
            ]
        return found

    def _in(self, segment: Segment, field: Field) -> Iterator[Mention]:
        group = _GROUPS.search(segment.text) if field.kind in _CODES and "string" in field.types else None
        if group is not None and not segment.dates:
            yield Mention(group[0], segment, group.start(), group[0])
            return
        seen: set[tuple[int, str]] = set()
        for start, text in _pieces(segment.text, field.kind):
            for value in read_values(field.kind, text, self.sheet.style, field.side):
                given = as_json(value.value, value.text, field)
                place = start + value.start
                if given not in (None, "") and (place, str(given)) not in seen:
                    seen.add((place, str(given)))
                    yield Mention(given, segment, place, value.text)

    def saying(self, field: Field, value: Json) -> list[Mention]:
        """Return where a value is printed: as a value of the field's type, or else in a line that has its letters."""
        letters = squeezed(str(value))
        found = [one for one in self.of(field) if one.value == value or squeezed(str(one.value)) == letters]
        if found or isinstance(value, bool | int | float) or not letters:
            return found
        first = str(value).split()[0]
        return [
            Mention(value, one, max(0, one.text.find(first)), one.text)
            for one in self.sheet.segments
            if letters in squeezed(one.text) or (len(one.text) > 3 and squeezed(one.text) in letters)
        ]

    def captions(self, mention: Mention) -> list[Caption]:
        """Return what may name a value: words before it in its line, to its left, above it, and its column's head."""
        segment = mention.segment
        key = (segment.row, segment.place, mention.start)
        found = self._captions.get(key)
        if found is None:
            found = self._captions[key] = list(self._find_captions(segment, mention.start))
        return found

    def _find_captions(self, segment: Segment, start: int) -> Iterator[Caption]:
        if segment.text[:start].strip(" :#-."):
            yield Caption(Direction.INLINE, segment, start)
        if segment.place:
            left = self.sheet.rows[segment.row][segment.place - 1]
            yield Caption(Direction.LEFT, left, len(left.text))
        at = segment.left_at(start)
        direction = Direction.ABOVE
        for row in reversed(self.sheet.rows[max(0, segment.row - _MOST_ROWS_UP) : segment.row]):
            if row[0].page != segment.page:
                return
            over = [one for one in row if one.left < segment.right and one.right > at - self.sheet.height]
            if not over:
                continue
            nearest = min(over, key=lambda one: abs(one.left - at))
            if (
                segment.top - nearest.bottom > _NEAR_ABOVE * self.sheet.height
                and direction is Direction.ABOVE
            ):
                direction = Direction.HEAD
            if direction is Direction.ABOVE:
                yield Caption(direction, nearest, len(nearest.text))
                direction = Direction.HEAD
            elif not nearest.amounts and not nearest.dates:
                yield Caption(direction, nearest, len(nearest.text))
                return

    def strength(self, caption: Caption, field: Field) -> float:
        """Return how surely a caption names a field, 0..1."""
        segment = caption.segment
        wanted = self._wanted.get(id(field))
        if wanted is None:
            wanted = self._wanted[id(field)] = frozenset(one for label in field.labels for one in label)
        if segment.meanings.isdisjoint(wanted):
            return 0.0
        key = (id(field), segment.row, segment.place, caption.end)
        known = self._strengths.get(key)
        if known is None:
            found = (one.strength for one in labels_in(segment, field) if one.start < caption.end)
            known = self._strengths[key] = max(found, default=0.0)
        return known


def _pieces(text: str, kind: Kind) -> Iterator[tuple[int, str]]:
    """Yield the parts of a line that may be values: all of it, and what follows a caption with a colon."""
    yield 0, text
    if kind in _WORDY:
        for match in _COLON.finditer(text):
            if match.start() <= _LONGEST_CAPTION and clean_text(text[match.end() :]):
                yield match.end(), text[match.end() :]
