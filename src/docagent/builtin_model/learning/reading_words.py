"""Finds the words of a document that a trace leads to, and reads a field's value in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.learning.layouts import letters
from docagent.builtin_model.learning.memory import Direction, Memory, Trace
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.values.choosing import Json, as_json, matching_choice
from docagent.domain.field_path import ROOT, FieldPath
from docagent.jsonschema import resolved, types_of
from docagent.reading.printed import squeezed

LONGEST_LABEL = 4
SHORT_LABEL = 2
"""Labels are also known by their last words: what stands before these may be another value."""
ROWS_ABOVE = 3
_PLACE_REACH = 0.02
_CLOSE = 3.0
"""In line heights: pieces of one value that is printed with wide gaps."""
_DEEPEST = 8
_SHORTEST_CONSTANT = 4
"""In letters and digits. Shorter texts stand on any page by chance."""
_EDGES = " :;,|=*#"
AS_WORDS = frozenset({Kind.NAME, Kind.TEXT, Kind.ADDRESS})


def fields_of(schema: Schema) -> Mapping[str, Field]:
    """Return the schema's fields that hold one value and are in no list, by the text of their paths."""
    return _fields_of(json.dumps(schema))


@lru_cache(maxsize=64)
def _fields_of(schema_text: str) -> Mapping[str, Field]:
    schema = json.loads(schema_text)
    return {
        str(path): field_of(path.name, part, tuple(map(str, path.parent)))
        for path, part in parts_of(schema).items()
        if not types_of(part) & {"array", "boolean"} and "const" not in part
    }


def parts_of(schema: Schema) -> dict[FieldPath, Schema]:
    """Return the parts of the schema that are no objects, by path."""
    found: dict[FieldPath, Schema] = {}
    _collect(resolved(schema, schema), schema, ROOT, found)
    return found


def _collect(part: Schema, root: Schema, path: FieldPath, found: dict[FieldPath, Schema]) -> None:
    for name, child in (part.get("properties") or {}).items():
        inner = resolved(child, root)
        if "object" not in types_of(inner):
            found[path / name] = inner
        elif len(path) < _DEEPEST:
            _collect(inner, root, path / name, found)


def plain_words(text: str) -> list[str]:
    """Return the text's words in lower case, without figures and marks."""
    return [word for word in map(letters, text.split()) if word]


def negated(value: Json) -> Json:
    """Return a number with the other sign, and anything else as it is."""
    return -value if isinstance(value, int | float) and not isinstance(value, bool) else value


@dataclass(frozen=True, slots=True)
class Led:
    """A piece of text that a trace leads to: a segment, from one of its words on."""

    segment: Segment
    word: int = 0

    @property
    def text(self) -> str:
        return self.segment.text[self.segment.starts[self.word] :]

    @property
    def left(self) -> float:
        return self.segment.lefts[self.word]


class Words:
    """The pieces of a document's text by the words in them."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._read: dict[tuple[str, str], list[Json]] = {}
        self._runs: dict[int, str] = {}

    # --- values ---------------------------------------------------------------------------------------------------

    def values_in(self, text: str, field: Field, path: str) -> list[Json]:
        """Return every value of the field's kind in the text; of a field with choices, the one that it names."""
        known = self._read.get((path, text))
        if known is None:
            known = self._read[path, text] = list(self._values(text, field))
        return known

    def _values(self, text: str, field: Field) -> Iterator[Json]:
        choices = field.schema.get("enum")
        if choices:
            named = matching_choice(text, choices)
            if named is not None:
                yield named
            return
        for value in read_values(field.kind, text, self.sheet.style, field.side):
            yield as_json(value.value, value.text, field)

    def value_of(self, text: str, trace: Trace, field: Field, path: str) -> Json:
        """Return the value that a trace reads in the text it leads to; None if there is none."""
        if trace.nth is not None:
            values = self.values_in(text, field, path)
            value = values[trace.nth] if trace.nth < len(values) else None
            return negated(value) if trace.negated else value
        words = text.split()
        if "string" not in field.types or (trace.words is not None and len(words) < trace.words):
            return None
        chosen = " ".join(words[: trace.words]).strip(_EDGES)
        if not chosen or (field.kind not in AS_WORDS and not any(map(str.isdigit, chosen))):
            return None
        return as_json(chosen, chosen, field)

    def has(self, value: str) -> bool:
        """Return whether the document prints a text, in whole words."""
        wanted = squeezed(value)
        return len(wanted) >= _SHORTEST_CONSTANT and f" {wanted} " in self._runs_of(len(value.split()))

    def _runs_of(self, length: int) -> str:
        """Return every run of so many words of a segment, one after the other."""
        known = self._runs.get(length)
        if known is None:
            split = [segment.text.split() for segment in self.sheet.segments]
            runs = [
                squeezed("".join(words[n : n + length]))
                for words in split
                for n in range(len(words) - length + 1)
            ]
            known = self._runs[length] = f" {' '.join(runs)} "
        return known

    # --- places ---------------------------------------------------------------------------------------------------

    @cached_property
    def _plain(self) -> list[list[list[str]]]:
        """The plain words of each segment, by row and place; empty ones keep their places."""
        return [[[letters(word) for word in one.text.split()] for one in row] for row in self.sheet.rows]

    @cached_property
    def _by_text(self) -> Mapping[str, list[Segment]]:
        found: dict[str, list[Segment]] = {}
        for segment in self.sheet.segments:
            plain = [word for word in self._plain[segment.row][segment.place] if word]
            for label in {"".join(plain[-LONGEST_LABEL:]), "".join(plain[-SHORT_LABEL:])}:
                found.setdefault(label, []).append(segment)
        return found

    @cached_property
    def _by_last_word(self) -> Mapping[str, list[Led]]:
        """Where the text goes on after a word, by that word; words without letters are passed over."""
        found: dict[str, list[Led]] = {}
        for segment in self.sheet.segments:
            last = ""
            for place, word in enumerate(self._plain[segment.row][segment.place]):
                if last and place < len(segment.starts):
                    found.setdefault(last, []).append(Led(segment, place))
                last = word or last
        return found

    def led_to(self, trace: Trace, memory: Memory) -> list[tuple[Led, str]]:
        """Return the pieces of text that a trace leads to, those nearest to the remembered place first."""
        found = sorted(self._led_to(trace, memory), key=lambda led: self._distance(led, memory))
        return [(led, self.text_of(led, trace)) for led in found]

    def text_of(self, led: Led, trace: Trace) -> str:
        """Return the text that a trace reads: a piece, perhaps with those beside it and the lines below."""
        first = [led.segment, *(self._close_beside(led.segment) if trace.wide else ())]
        texts = [led.text, *(one.text for one in first[1:])]
        left, right = led.left, first[-1].right
        rows = self.sheet.rows_below(led.segment, trace.lines - 1)
        for row in rows:
            below = [one for one in row if one.left < right and one.right > left]
            if not below:
                return ""
            texts += [one.text for one in (below if trace.wide else below[:1])]
        return " ".join(texts) if len(rows) == trace.lines - 1 else ""

    def _close_beside(self, segment: Segment) -> Iterator[Segment]:
        reach = segment.right
        for one in self.sheet.rows[segment.row][segment.place + 1 :]:
            if one.left - reach > _CLOSE * segment.height:
                return
            yield one
            reach = one.right

    def _led_to(self, trace: Trace, memory: Memory) -> Iterator[Led]:
        if trace.direction is Direction.INLINE:
            yield from self._after_words(trace.label.split())
        elif trace.direction is Direction.PLACE:
            yield from self._at_place(memory)
        else:
            direction, label = trace.way
            follow = self._following[direction]
            for segment in self._by_text.get(label, ()):
                led = follow(segment)
                if led is not None:
                    yield Led(led)

    @property
    def _following(self) -> Mapping[Direction, Callable[[Segment], Segment | None]]:
        return {
            Direction.LEFT: self._beside,
            Direction.ABOVE: self._below,
            Direction.CORNER: self._in_box_below,
        }

    def _after_words(self, label: list[str]) -> Iterator[Led]:
        for led in self._by_last_word.get(label[-1], ()) if label else ():
            plain = self._plain[led.segment.row][led.segment.place][: led.word]
            if [word for word in plain if word][-len(label) :] == label:
                yield led

    def _at_place(self, memory: Memory) -> Iterator[Led]:
        for row in self.sheet.rows:
            if row[0].page != memory.page:
                continue
            width, height = self.sheet.page_sizes[memory.page]
            for segment in row:
                if abs(segment.top / max(height, 1.0) - memory.top) < _PLACE_REACH:
                    for word, left in enumerate(segment.lefts):
                        if abs(left / max(width, 1.0) - memory.left) < _PLACE_REACH:
                            yield Led(segment, word)

    def _beside(self, segment: Segment) -> Segment | None:
        return next(iter(self.sheet.after(segment)), None)

    def _below(self, segment: Segment) -> Segment | None:
        below = (one for row in self.sheet.rows_below(segment, ROWS_ABOVE) for one in row)
        return next((one for one in below if one.stands_over(segment)), None)

    def _in_box_below(self, segment: Segment) -> Segment | None:
        ends = [one.left for one in self.sheet.rows[segment.row][segment.place + 1 :]]
        below = (one for row in self.sheet.rows_below(segment, 1) for one in row)
        inside = (one for one in below if one.left > segment.left - segment.height)
        return next((one for one in inside if not (ends and one.left >= ends[0])), None)

    def _distance(self, led: Led, memory: Memory) -> float:
        left, top = self.place(led)
        return abs(led.segment.page - memory.page) + abs(left - memory.left) + abs(top - memory.top)

    def is_at(self, led: Led, memory: Memory) -> bool:
        """Return whether a text begins where a remembered value did."""
        left, top = self.place(led)
        return (
            led.segment.page == memory.page
            and abs(left - memory.left) < _PLACE_REACH
            and abs(top - memory.top) < _PLACE_REACH
        )

    def place(self, led: Led) -> tuple[float, float]:
        width, height = self.sheet.page_sizes[led.segment.page]
        return led.left / max(width, 1.0), led.segment.top / max(height, 1.0)


def above(sheet: Sheet, segment: Segment) -> Segment | None:
    """Return the nearest piece of text over a segment."""
    rows = reversed(sheet.rows[max(0, segment.row - ROWS_ABOVE) : segment.row])
    near = (one for row in rows for one in row if one.page == segment.page)
    return next((one for one in near if one.stands_over(segment)), None)


def corner(sheet: Sheet, segment: Segment) -> Segment | None:
    """Return the piece of text in the row over a segment with which the box begins in which it stands."""
    over = sheet.rows[segment.row - 1] if segment.row else []
    before = [one for one in over if one.page == segment.page and one.left < segment.left + segment.height]
    return before[-1] if before else None
