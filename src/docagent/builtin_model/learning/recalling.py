"""Finds values as those of verified documents of the same layout were found. Each such document has one vote."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.builtin_model.asked.fields import Field, Schema
from docagent.builtin_model.learning.layouts import letters
from docagent.builtin_model.learning.memory import Direction, Memory, Trace, Way, shape_of
from docagent.builtin_model.learning.reading_words import Words, fields_of
from docagent.builtin_model.learning.sameness import is_same, sense_of
from docagent.builtin_model.learning.tables import read_rows, tables_of
from docagent.builtin_model.page.sheet import upright_of
from docagent.builtin_model.values.choosing import Json
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath

_MAJORITY = 0.5
_RANKS = {Direction.CONSTANT: 2, Direction.PLACE: 3, Direction.CHOICE: 4}
"""In which order ways are tried that lead by no label, after those that do."""

Record = Mapping[str, Mapping[str, bool]]
"""How a document's memories fared, by path, in other verified documents."""


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
    tried: int = 0
    """In how many verified documents the memories of others said something of the field."""
    worked: int = 0
    """In how many of these they were right."""
    mistakes: Mapping[Hashable, int] = field(default_factory=dict)
    """What the model's wrong ways lead to in this document, and how many documents know each."""
    unknown_mistakes: int = 0
    """For how many the model was wrong, and nobody knows how it came to that."""

    @property
    def is_untried(self) -> bool:
        """Whether it is the word of one correction, which has not been right in another document yet."""
        return self.support < 2 and not self.worked

    def outweighs(self, given: Any) -> bool:
        """Whether it takes the place of what the model gave: most documents say so, and have the better record.

        A mistake that the model made in another way says nothing of the value that it gives here: a model that was
        right elsewhere, and never wrong in this way, is believed.
        """
        wrong = self.unknown_mistakes + self.mistakes.get(sense_of(given), 0)
        if self.documents >= 2 * self.support or (self.model_was_right and not wrong):
            return False
        return _chance(self.worked, self.tried) > _chance(self.model_was_right, self.model_was_right + wrong)

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
    return _votes_of(Words(upright_of(pages).sheet), schema, memories)


def _votes_of(words: Words, schema: Schema, memories: Sequence[Mapping[str, Memory]]) -> dict[str, list[Any]]:
    remembered = {path for one in memories for path in one}
    votes: dict[str, list[Any]] = {}
    for path, asked in fields_of(schema).items() if remembered else ():
        if path in remembered:
            valued = [one[path] for one in memories if path in one and not one[path].is_absent]
            shared = Counter(way for one in valued for way in {trace.way for trace in one.traces})
            known: dict[Memory, Json] = {}
            for one in valued:
                if one not in known:
                    known[one] = _vote(words, asked, path, one, shared, len(valued))
            votes[path] = [known.get(one[path]) if path in one else None for one in memories]
    for path, fields in tables_of(schema).items() if remembered else ():
        if path in remembered:
            tables = [one[path].table if path in one else None for one in memories]
            votes[path] = [read_rows(words, table, fields) or None if table else None for table in tables]
    return votes


def recall(
    pages: Sequence[Page],
    schema: Schema,
    memories: Sequence[Mapping[str, Memory]],
    records: Sequence[Record] = (),
) -> dict[str, Recalled]:
    """Return the values for which most documents that remember the field vote; others are left out."""
    words = Words(upright_of(pages).sheet)
    fields = fields_of(schema)
    recalled = {}
    for path, votes in _votes_of(words, schema, memories).items():
        known = [one[path] for one in memories if path in one]
        absent = sum(one.is_absent for one in known)
        given = {sense_of(vote): vote for vote in votes if vote is not None}
        counts = Counter(sense_of(vote) for vote in votes if vote is not None)
        if given:
            best, support, halfway = _most_votes(counts, given)
            value = given[best]
            is_said = support + halfway > _MAJORITY * (counts.total() + absent)
        else:
            value, support, halfway = None, absent, 0
            is_said = absent > _MAJORITY * len(known)
        if is_said:
            tried, worked = _record(path, records)
            recalled[path] = Recalled(
                value=value,
                support=support,
                model_was_right=sum(one.was_right for one in known),
                documents=len(known),
                halfway=halfway,
                tried=tried,
                worked=worked,
                mistakes=_mistakes(words, fields[path], path, known) if path in fields else {},
                unknown_mistakes=sum(not one.was_right and one.mistake is None for one in known),
            )
    return recalled


def _chance(right: int, of: int) -> float:
    """Return how likely the next one is right (Laplace's rule of succession)."""
    return (right + 1) / (of + 2)


def _record(path: str, records: Sequence[Record]) -> tuple[int, int]:
    """Return in how many documents others said something of a field, and in how many of these most were right."""
    verdicts: dict[str, list[bool]] = {}
    for record in records:
        for judge, agrees in record.get(path, {}).items():
            verdicts.setdefault(judge, []).append(agrees)
    return len(verdicts), sum(sum(said) > _MAJORITY * len(said) for said in verdicts.values())


def _mistakes(words: Words, asked: Field, path: str, known: Sequence[Memory]) -> Counter[Hashable]:
    """Return what the wrong ways of the model lead to here, each document's mistake counted once."""
    found: Counter[Hashable] = Counter()
    for one in known:
        if one.mistake is not None and not one.mistake.is_absent:
            same_words = [
                trace.label for trace in one.mistake.traces if trace.direction is Direction.CONSTANT
            ]
            read = _vote(words, asked, path, one.mistake, Counter(), 1)
            found.update({sense_of(value) for value in (read, *same_words) if value is not None})
    return found


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
        is_better = one.fills_gap if given in (None, "", []) else one.outweighs(given) or one.completes(given)
        if is_better and not is_same(given, one.value):
            holder[name] = copy.deepcopy(one.value)
    return filled


def _vote(
    words: Words, asked: Field, path: str, memory: Memory, shared: Counter[Way], documents: int
) -> Json:
    """Return what a memory leads to: first by the ways that most documents share.

    Words that lead to several values lead to none, unless one stands where the remembered one did. A value that has
    a label is not looked for by its place alone: where the label is missing, something else stands there.
    """
    has_label = any(_is_label(trace, asked, shared) for trace in memory.traces)

    def is_shared(trace: Trace) -> bool:
        return documents > 1 and shared[trace.way] == documents

    def rank(trace: Trace) -> tuple[int, int]:
        is_certain = trace.direction is Direction.CONSTANT and is_shared(trace) and words.has(trace.label)
        return 0 if is_certain else _RANKS.get(trace.direction, 1), -shared[trace.way]

    for trace in sorted(memory.traces, key=rank):
        if trace.direction is Direction.CHOICE:
            return trace.label if trace.label in (asked.schema.get("enum") or ()) else None
        if trace.direction is Direction.CONSTANT:
            if is_shared(trace) or words.has(trace.label):
                return trace.label
            continue
        if trace.direction is Direction.PLACE and has_label:
            continue
        read = [
            (led, value)
            for led, text in words.led_to(trace, memory)
            if text
            and (value := words.value_of(text, trace, asked, path)) is not None
            and _fits(value, memory)
        ]
        if read and (words.is_at(read[0][0], memory) or len({sense_of(value) for _, value in read}) == 1):
            return read[0][1]
    return None


def _is_label(trace: Trace, asked: Field, shared: Counter[Way]) -> bool:
    """Return whether the words of a trace are a label: several documents have them, or they name the field."""
    if trace.direction in _RANKS:
        return False
    named = map(letters, re.split(r"[\W_\d]+|(?<=[a-z])(?=[A-Z])", asked.name))
    return shared[trace.way] > 1 or not set(trace.label.split()).isdisjoint(filter(None, named))


def _fits(value: Json, memory: Memory) -> bool:
    """Return whether a value has figures where the remembered one had some, and else letters."""
    shape = shape_of(str(value))
    return ("9" in shape) == ("9" in memory.shape) and ("A" in shape) == ("A" in memory.shape)
