"""Reads a field's value from the words that a trace leads to, and finds these words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from docagent.builtin_model.choosing import Json, as_json
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import Field, Schema, field_of
from docagent.builtin_model.learning.memory import Direction, Memory, Trace
from docagent.builtin_model.reading import read_values
from docagent.builtin_model.sheet import Segment, Sheet
from docagent.jsonschema import resolved, types_of
from docagent.printed import fold

LONGEST_LABEL = 4
ROWS_ABOVE = 3
_PLACE_REACH = 0.02
_DEEPEST = 8
_EDGES = " :;,|=*#"
_AS_WORDS = frozenset({Kind.NAME, Kind.TEXT, Kind.ADDRESS})


def fields_of(schema: Schema) -> dict[str, Field]:
    """Return the schema's fields that hold one value and are in no list, by dotted path."""
    found: dict[str, Field] = {}
    _collect(resolved(schema, schema), schema, (), found)
    return found


def _collect(part: Schema, root: Schema, path: tuple[str, ...], found: dict[str, Field]) -> None:
    for name, child in (part.get("properties") or {}).items():
        inner = resolved(child, root)
        types = types_of(inner)
        if "object" in types:
            if len(path) < _DEEPEST:
                _collect(inner, root, (*path, name), found)
        elif not types & {"array", "boolean"} and "const" not in inner:
            found[".".join((*path, name))] = field_of(name, inner, path)


def plain_words(text: str) -> list[str]:
    """Return the text's words in lower case, without figures and marks."""
    words = ("".join(filter(str.isalpha, fold(word))) for word in text.split())
    return [word for word in words if word]


def values_in(text: str, field: Field, sheet: Sheet) -> list[Json]:
    """Return every value of the field's kind in the text."""
    read = read_values(field.kind, text, sheet.style, field.side)
    return [as_json(value.value, value.text, field) for value in read]


def value_of(text: str, trace: Trace, field: Field, sheet: Sheet) -> Json:
    """Return the value that a trace reads in the text it leads to; None if there is none."""
    if trace.nth is not None:
        values = values_in(text, field, sheet)
        return values[trace.nth] if trace.nth < len(values) else None
    words = text.split()
    if "string" not in field.types or (trace.words is not None and len(words) < trace.words):
        return None
    chosen = " ".join(words[: trace.words]).strip(_EDGES)
    if not chosen or (field.kind not in _AS_WORDS and not any(map(str.isdigit, chosen))):
        return None
    return as_json(chosen, chosen, field)


class Words:
    """The pieces of a document's text by the words in them."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    @cached_property
    def _by_text(self) -> Mapping[str, list[Segment]]:
        found: dict[str, list[Segment]] = {}
        for segment in self.sheet.segments:
            found.setdefault(" ".join(plain_words(segment.text)[-LONGEST_LABEL:]), []).append(segment)
        return found

    @cached_property
    def _inside(self) -> Mapping[str, list[tuple[Segment, int]]]:
        """Every run of words that is followed by more text: the segment, and where the text goes on."""
        found: dict[str, list[tuple[Segment, int]]] = {}
        for segment in self.sheet.segments:
            words = segment.text.split()
            plain = ["".join(filter(str.isalpha, fold(word))) for word in words]
            for end in range(1, min(len(words), len(segment.starts))):
                run: list[str] = []
                for place in range(end - 1, max(-1, end - 1 - 2 * LONGEST_LABEL), -1):
                    if plain[place]:
                        run.insert(0, plain[place])
                    if run and len(run) <= LONGEST_LABEL:
                        found.setdefault(" ".join(run), []).append((segment, segment.starts[end]))
        return found

    def led_to(self, trace: Trace, memory: Memory) -> list[tuple[Segment, str]]:
        """Return the pieces of text that a trace leads to, those nearest to the remembered place first."""
        found = list(self._led_to(trace, memory))
        return sorted(found, key=lambda one: self._distance(one[0], memory))

    def _led_to(self, trace: Trace, memory: Memory) -> Iterator[tuple[Segment, str]]:
        sheet = self.sheet
        if trace.direction is Direction.INLINE:
            for segment, start in self._inside.get(trace.label, ()):
                yield segment, segment.text[start:]
        elif trace.direction is Direction.PLACE:
            for segment in sheet.segments:
                if segment.page == memory.page and self._is_near(segment, memory):
                    yield segment, segment.text
        else:
            for segment in self._by_text.get(trace.label, ()):
                led = self._beside(segment) if trace.direction is Direction.LEFT else self._below(segment)
                if led is not None:
                    yield led, led.text

    def _beside(self, segment: Segment) -> Segment | None:
        return next(iter(self.sheet.after(segment)), None)

    def _below(self, segment: Segment) -> Segment | None:
        for row in self.sheet.rows_below(segment, ROWS_ABOVE):
            for one in row:
                if one.left < segment.right and one.right > segment.left:
                    return one
        return None

    def _is_near(self, segment: Segment, memory: Memory) -> bool:
        left, top = self.place(segment)
        return abs(left - memory.left) < _PLACE_REACH and abs(top - memory.top) < _PLACE_REACH

    def _distance(self, segment: Segment, memory: Memory) -> float:
        left, top = self.place(segment)
        return abs(segment.page - memory.page) + abs(left - memory.left) + abs(top - memory.top)

    def place(self, segment: Segment) -> tuple[float, float]:
        width, height = self.sheet.page_sizes[segment.page]
        return segment.left / max(width, 1.0), segment.top / max(height, 1.0)


def above(sheet: Sheet, segment: Segment) -> Segment | None:
    """Return the nearest piece of text over a segment."""
    for row in reversed(sheet.rows[max(0, segment.row - ROWS_ABOVE) : segment.row]):
        over: Sequence[Segment] = [
            one
            for one in row
            if one.page == segment.page and one.left < segment.right and one.right > segment.left
        ]
        if over:
            return over[0]
    return None
