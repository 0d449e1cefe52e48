"""Makes memories of a verified result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from docagent.builtin_model.choosing import Json
from docagent.builtin_model.fields import Field, Schema
from docagent.builtin_model.learning.memory import Direction, Memory, Trace, shape_of
from docagent.builtin_model.learning.reading_words import (
    LONGEST_LABEL,
    Words,
    above,
    fields_of,
    plain_words,
    value_of,
    values_in,
)
from docagent.builtin_model.sheet import Segment, Sheet, sheet_of
from docagent.domain.extraction.paths import found_at
from docagent.domain.text import Page
from docagent.printed import squeezed

_LONGEST_VALUE = 12
"""In words. Longer ones are prose, and no place tells where they end."""


def remember(
    pages: Sequence[Page],
    schema: Schema,
    data: Any,
    model_data: Any,
    grounding: Any,
    is_verified: Callable[[str], bool],
) -> dict[str, Memory]:
    """Return how each verified value is found, by path. Values that no page shows are left out."""
    sheet = sheet_of(pages)
    words = Words(sheet)
    numbers = {page.number: index for index, page in enumerate(pages)}
    found: dict[str, Memory] = {}
    for path, field in fields_of(schema).items():
        if not is_verified(path):
            continue
        steps = path.split(".")
        value, given = found_at(data, steps), found_at(model_data, steps)
        if value in (None, ""):
            found[path] = Memory((), 0, 0.0, 0.0, "", was_right=given in (None, ""))
            continue
        start = _start(sheet, numbers, found_at(grounding, steps))
        if start is None:
            continue
        segment, offset = start
        traces = tuple(_traces(words, field, value, segment, offset))
        if traces:
            left, top = words.place(segment)
            found[path] = Memory(
                traces, segment.page, left, top, shape_of(str(value)), was_right=is_same(value, given)
            )
    return found


def is_same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return float(one) == float(other)
    return squeezed(str(one)) == squeezed(str(other))


def _start(sheet: Sheet, numbers: Mapping[int, int], place: Any) -> tuple[Segment, int] | None:
    """Return the segment in which a value begins, and at which character."""
    if not isinstance(place, Mapping) or not place.get("words"):
        return None
    word = place["words"][0]
    page = numbers.get(word["page"])
    if page is None:
        return None
    width, height = sheet.page_sizes[page]
    left, top, right, bottom = word["box"]
    across, down = (left + right) / 2 * width, (top + bottom) / 2 * height
    for segment in sheet.segments:
        beside = segment.page == page and segment.left <= across <= segment.right
        if beside and segment.top <= down <= segment.bottom:
            nearest = sum(start <= across for start in segment.lefts) - 1
            return segment, segment.starts[max(nearest, 0)]
    return None


def _traces(words: Words, field: Field, value: Json, segment: Segment, offset: int) -> Iterator[Trace]:
    """Yield the ways that lead to the value, if it can be read again in the text they lead to."""
    before = plain_words(segment.text[:offset])
    if before:
        yield from _readable(words, field, value, Direction.INLINE, before, segment.text[offset:])
        return
    row = words.sheet.rows[segment.row]
    if segment.place:
        label = plain_words(row[segment.place - 1].text)
        yield from _readable(words, field, value, Direction.LEFT, label, segment.text)
    over = above(words.sheet, segment)
    if over is not None:
        yield from _readable(words, field, value, Direction.ABOVE, plain_words(over.text), segment.text)
    yield from _readable(words, field, value, Direction.PLACE, [], segment.text)


def _readable(
    words: Words, field: Field, value: Json, direction: Direction, label: list[str], text: str
) -> Iterator[Trace]:
    if not label and direction is not Direction.PLACE:
        return
    said = " ".join(label[-LONGEST_LABEL:])
    for number, read in enumerate(values_in(text, field, words.sheet)):
        if is_same(value, read):
            yield Trace(direction, said, number, None)
            return
    length = len(str(value).split())
    for count in (None, length):
        trace = Trace(direction, said, None, count)
        if length <= _LONGEST_VALUE and is_same(value, value_of(text, trace, field, words.sheet)):
            yield trace
            return
