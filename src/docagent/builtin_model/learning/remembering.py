"""Makes memories of a verified result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field, Schema
from docagent.builtin_model.learning.memory import Direction, Memory, Trace, shape_of
from docagent.builtin_model.learning.reading_words import (
    AS_WORDS,
    LONGEST_LABEL,
    SHORT_LABEL,
    Led,
    Words,
    above,
    corner,
    fields_of,
    negated,
    plain_words,
)
from docagent.builtin_model.learning.sameness import is_same
from docagent.builtin_model.learning.tables import remember_table, tables_of
from docagent.builtin_model.page.sheet import upright_of
from docagent.builtin_model.values.choosing import Json
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath

_LONGEST_VALUE = 24
"""In words. Longer ones are prose, and no place tells where they end."""
_MOST_LINES = 6
_ROWS = "[]"
"""The shape of a list."""
_EMPTY = (None, "")
_ABSENT = Memory((), 0, 0.0, 0.0, "", was_right=False)
_LONGEST_CONSTANT = 200


@dataclass(frozen=True, slots=True)
class Placed:
    """Values of a document, and where they stand on its pages."""

    data: Any
    grounding: Any

    def at(self, path: str) -> tuple[Any, Any]:
        """Return a value and its place."""
        at = FieldPath.parse(path)
        return at.get(self.data), at.get(self.grounding)


def remember(
    pages: Sequence[Page],
    schema: Schema,
    truth: Placed,
    given: Placed,
    is_verified: Callable[[str], bool],
) -> dict[str, Memory]:
    """Return how each verified value is found, by path. A value that is not found again has a memory without a way:
    it says nothing of where others are, but whether the model was right.

    `given` is what the model said by itself: an answer that other lessons have changed would praise the model for them.
    """
    words = Words(upright_of(pages).sheet)
    numbers = {page.number: index for index, page in enumerate(pages)}
    found: dict[str, Memory] = {}
    for path, field in fields_of(schema).items():
        if is_verified(path):
            (value, place), (wrong, elsewhere) = truth.at(path), given.at(path)
            was_right = is_same(value, wrong) or (value in _EMPTY and wrong in _EMPTY)
            if value and is_same(value, negated(wrong)):
                place = elsewhere  # no page prints the sign: the number stands where the model found it
            memory = _memory(words, numbers, field, path, value, place)
            mistake = None if was_right else _memory(words, numbers, field, path, wrong, elsewhere)
            found[path] = replace(memory, was_right=was_right, mistake=mistake)
    for path, fields in tables_of(schema).items():
        rows, places = truth.at(path)
        if is_verified(path) and isinstance(rows, list) and rows:
            table = remember_table(words, numbers, fields, rows, places)
            was_right = is_same(rows, given.at(path)[0])
            found[path] = Memory((), 0, 0.0, 0.0, _ROWS, was_right, table)
    return found


def _memory(
    words: Words, numbers: Mapping[int, int], field: Field, path: str, value: Json, place: Any
) -> Memory:
    """Return how a value, right or wrong, is found."""
    if value in _EMPTY:
        return _ABSENT
    led = _start(words, numbers, place)
    traces = [*(_traces(words, field, path, value, led) if led else ()), *_values(field, value)]
    page = led.segment.page if led else 0
    left, top = words.place(led) if led else (0.0, 0.0)
    return Memory(tuple(traces), page, left, top, shape_of(str(value)), was_right=False)


def _start(words: Words, numbers: Mapping[int, int], place: Any) -> Led | None:
    """Return the word with which a value begins."""
    if not isinstance(place, Mapping) or not place.get("words"):
        return None
    word = place["words"][0]
    page = numbers.get(word["page"])
    if page is None:
        return None
    width, height = words.sheet.page_sizes[page]
    left, top, right, bottom = word["box"]
    across, down = (left + right) / 2 * width, (top + bottom) / 2 * height
    for segment in words.sheet.segments:
        beside = segment.page == page and segment.left <= across <= segment.right
        if beside and segment.top <= down <= segment.bottom:
            return Led(segment, max(sum(start <= across for start in segment.lefts) - 1, 0))
    return None


def _values(field: Field, value: Json) -> Iterator[Trace]:
    """Yield the value itself, where documents of a layout may share it."""
    if value in (field.schema.get("enum") or ()):
        yield Trace(Direction.CHOICE, str(value), None, None)
    elif isinstance(value, str) and field.kind is not Kind.DATE and len(value) <= _LONGEST_CONSTANT:
        yield Trace(Direction.CONSTANT, value, None, None)


def _traces(words: Words, field: Field, path: str, value: Json, led: Led) -> Iterator[Trace]:
    """Yield the ways that lead to the value, if it can be read again in the text they lead to."""
    read = _reading(words, field, path, value, led)
    if read is None:
        return
    segment = led.segment
    before = plain_words(segment.text[: segment.starts[led.word]])
    yield from _labelled(read, Direction.INLINE, before)
    if not before:
        row = words.sheet.rows[segment.row]
        if segment.place:
            yield from _labelled(read, Direction.LEFT, plain_words(row[segment.place - 1].text))
        for way, found in ((Direction.ABOVE, above), (Direction.CORNER, corner)):
            over = found(words.sheet, segment)
            if over is not None:
                yield from _labelled(read, way, plain_words(over.text))
    if not before or field.kind not in AS_WORDS:
        yield read  # where a name stands in the middle of a text, the next one has other words


def _labelled(read: Trace, way: Direction, label: list[str]) -> Iterator[Trace]:
    if label:
        yield replace(read, direction=way, label=" ".join(label[-LONGEST_LABEL:]))
    if len(label) > SHORT_LABEL:
        yield replace(read, direction=way, label=" ".join(label[-SHORT_LABEL:]))


def _reading(words: Words, field: Field, path: str, value: Json, led: Led) -> Trace | None:
    """Return how the value is read from where it begins, which is the way by its place."""
    for number, read in enumerate(words.values_in(led.text, field, path)):
        if is_same(value, read):
            return Trace(Direction.PLACE, "", number, None)
        if value and is_same(value, negated(read)):
            return Trace(Direction.PLACE, "", number, None, negated=True)
    length = len(str(value).split())
    for lines in range(1, _MOST_LINES + 1) if length <= _LONGEST_VALUE else ():
        for wide in (False, True):
            for count in (None, length):
                trace = Trace(Direction.PLACE, "", None, count, lines, wide)
                text = words.text_of(led, trace)
                if text and is_same(value, words.value_of(text, trace, field, path)):
                    return trace
    return None
