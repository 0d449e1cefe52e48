"""Finds values as those of verified documents of the same layout were found. Each such document has one vote."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.builtin_model.choosing import Json
from docagent.builtin_model.fields import Field, Schema
from docagent.builtin_model.learning.layouts import letters
from docagent.builtin_model.learning.memory import Direction, Memory, Trace, Way, shape_of
from docagent.builtin_model.learning.reading_words import Words, fields_of
from docagent.builtin_model.learning.sameness import is_same, sense_of
from docagent.builtin_model.learning.tables import read_rows, tables_of
from docagent.builtin_model.sheet import upright_of
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath

_MAJORITY = 0.5


@dataclass(frozen=True, slots=True)
class Recalled:
    """What verified documents say of a field."""

    value: Any
    """None if they say that documents like these do not have it. Of a list, its rows."""
    support: int
    """How many of them say so."""
    model_was_right: int
    """For how many of them the model had given the right value by itself."""
    documents: int
    """How many have a memory of the field."""
    halfway: int = 0
    """How many more lead to the beginning of the value, and read less of the text there."""

    @property
    def outweighs_model(self) -> bool:
        """Whether it takes the place of what the model gave: most documents say so, and most had to be corrected."""
        return 2 * self.model_was_right < self.documents < 2 * self.support

    @property
    def fills_gap(self) -> bool:
        """Whether it may stand where the model gave nothing: at least half of the documents lead to it."""
        return 2 * (self.support + self.halfway) >= self.documents

    def completes(self, given: Any) -> bool:
        """Whether it says the same as what the model gave, and more rows."""
        if not isinstance(given, list) or not isinstance(self.value, list):
            return False
        missing = Counter(map(sense_of, given)) - Counter(map(sense_of, self.value))
        return not missing and len(given) < len(self.value) and self.documents < 2 * self.support


def votes_of(
    pages: Sequence[Page], schema: Schema, memories: Sequence[Mapping[str, Memory]]
) -> dict[str, list[Any]]:
    """Return what each document's memory says of each field, in the order of the documents; None for nothing."""
    words = Words(upright_of(pages).sheet)
    remembered = {path for one in memories for path in one}
    votes: dict[str, list[Any]] = {}
    for path, field in fields_of(schema).items() if remembered else ():
        if path in remembered:
            shared = Counter(
                way for one in memories if path in one for way in {trace.way for trace in one[path].traces}
            )
            known: dict[Memory, Json] = {}
            for one in memories:
                if path in one and one[path] not in known:
                    known[one[path]] = _vote(words, field, path, one[path], shared)
            votes[path] = [known[one[path]] if path in one else None for one in memories]
    for path, fields in tables_of(schema).items() if remembered else ():
        if path in remembered:
            tables = [one[path].table if path in one else None for one in memories]
            votes[path] = [read_rows(words, table, fields) or None if table else None for table in tables]
    return votes


def recall(
    pages: Sequence[Page], schema: Schema, memories: Sequence[Mapping[str, Memory]]
) -> dict[str, Recalled]:
    """Return the values for which most documents that remember the field vote; others are left out."""
    recalled = {}
    for path, votes in votes_of(pages, schema, memories).items():
        known = [one[path] for one in memories if path in one]
        was_right = sum(one.was_right for one in known)
        absent = sum(one.is_absent for one in known)
        given = {sense_of(vote): vote for vote in votes if vote is not None}
        if given:
            counts = Counter(sense_of(vote) for vote in votes if vote is not None)
            best, support, halfway = _most_votes(counts, given)
            if support + halfway > _MAJORITY * (counts.total() + absent):
                recalled[path] = Recalled(given[best], support, was_right, len(known), halfway)
        elif absent > _MAJORITY * len(known):
            recalled[path] = Recalled(None, absent, was_right, len(known))
    return recalled


def _most_votes(counts: Counter[Any], given: Mapping[Any, Any]) -> tuple[Any, int, int]:
    """Return what most votes are for, how many, and how many more for its beginning, which decides among equals."""
    most = max(counts.values())
    halfway = {
        sense: sum(votes for other, votes in counts.items() if _goes_on(given[sense], given[other]))
        for sense, count in counts.items()
        if count == most
    }
    best = max(halfway, key=halfway.__getitem__)
    return best, most, halfway[best]


def _goes_on(value: Any, beginning: Any) -> bool:
    """Return whether a text begins with the words of another, and has more of them."""
    if not isinstance(value, str) or not isinstance(beginning, str):
        return False
    words, count = value.split(), len(beginning.split())
    return count < len(words) and is_same(" ".join(words[:count]), beginning)


def fill_from_memory(data: dict[str, Any], recalled: Mapping[str, Recalled]) -> dict[str, Any]:
    """Return the data with what was learnt. What the model gave stays, unless the documents outweigh it."""
    filled = copy.deepcopy(data)
    for path, one in recalled.items():
        where = FieldPath.parse(path)
        holder, name = where.parent.get(filled), str(where[-1])
        if not isinstance(holder, dict):
            continue
        given = holder.get(name)
        is_better = one.fills_gap if given in (None, "", []) else one.outweighs_model or one.completes(given)
        if is_better and not is_same(given, one.value):
            holder[name] = copy.deepcopy(one.value)
    return filled


def _vote(words: Words, field: Field, path: str, memory: Memory, shared: Counter[Way]) -> Json:
    """Return what a memory leads to: first by the ways that most documents share.

    Words that lead to several values lead to none, unless one stands where the remembered one did. A value that has
    a label is not looked for by its place alone: where the label is missing, something else stands there.
    """
    has_label = any(_is_label(trace, field, shared) for trace in memory.traces)
    for trace in sorted(memory.traces, key=lambda one: (one.direction is Direction.CHOICE, -shared[one.way])):
        if trace.direction is Direction.CHOICE:
            return trace.label if trace.label in (field.schema.get("enum") or ()) else None
        if trace.direction is Direction.PLACE and has_label:
            continue
        read = [
            (led, value)
            for led, text in words.led_to(trace, memory)
            if text
            and (value := words.value_of(text, trace, field, path)) is not None
            and _fits(value, memory)
        ]
        if read and (words.is_at(read[0][0], memory) or len({sense_of(value) for _, value in read}) == 1):
            return read[0][1]
    return None


def _is_label(trace: Trace, field: Field, shared: Counter[Way]) -> bool:
    """Return whether the words of a trace are a label: several documents have them, or they name the field."""
    if trace.direction in (Direction.PLACE, Direction.CHOICE):
        return False
    named = map(letters, re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", field.name))
    return shared[trace.way] > 1 or not set(trace.label.split()).isdisjoint(filter(None, named))


def _fits(value: Json, memory: Memory) -> bool:
    """Return whether a value has figures where the remembered one had some, and else letters."""
    shape = shape_of(str(value))
    return ("9" in shape) == ("9" in memory.shape) and ("A" in shape) == ("A" in memory.shape)
