"""Finds values as those of verified documents of the same layout were found. Each such document has one vote."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.builtin_model.choosing import Json
from docagent.builtin_model.fields import Field, Schema
from docagent.builtin_model.learning.memory import Memory, shape_of
from docagent.builtin_model.learning.reading_words import Words, fields_of, value_of
from docagent.builtin_model.learning.remembering import is_same
from docagent.builtin_model.sheet import sheet_of
from docagent.domain.extraction.paths import found_at
from docagent.domain.text import Page

_MAJORITY = 0.5


@dataclass(frozen=True, slots=True)
class Recalled:
    """What verified documents say of a field."""

    value: Json
    """None if they say that documents like these do not have it."""
    support: int
    """How many of them say so."""
    model_was_right: int
    """For how many of them the model had given the right value by itself."""
    documents: int
    """How many have a memory of the field."""


def votes_of(
    pages: Sequence[Page], schema: Schema, memories: Sequence[Mapping[str, Memory]]
) -> dict[str, list[Json]]:
    """Return what each document's memory says of each field, in the order of the documents; None for nothing."""
    words = Words(sheet_of(pages))
    return {
        path: [_vote(words, field, one[path]) if path in one else None for one in memories]
        for path, field in fields_of(schema).items()
        if any(path in one for one in memories)
    }


def recall(
    pages: Sequence[Page], schema: Schema, memories: Sequence[Mapping[str, Memory]]
) -> dict[str, Recalled]:
    """Return the values for which most documents that remember the field vote; others are left out."""
    recalled = {}
    for path, votes in votes_of(pages, schema, memories).items():
        known = [one[path] for one in memories if path in one]
        was_right = sum(one.was_right for one in known)
        absent = sum(one.is_absent for one in known)
        given = [vote for vote in votes if vote is not None]
        if given:
            best = max(given, key=lambda vote: sum(is_same(vote, other) for other in given))
            support = sum(is_same(best, other) for other in given)
            if support > _MAJORITY * (len(given) + absent):
                recalled[path] = Recalled(best, support, was_right, len(known))
        elif absent > _MAJORITY * len(known):
            recalled[path] = Recalled(None, absent, was_right, len(known))
    return recalled


def fill_from_memory(data: dict[str, Any], recalled: Mapping[str, Recalled]) -> dict[str, Any]:
    """Return the data with what was learnt. Where a model was mostly right by itself, its value stays."""
    filled = copy.deepcopy(data)
    for path, one in recalled.items():
        *parents, name = path.split(".")
        holder = found_at(filled, parents)
        if not isinstance(holder, dict):
            continue
        given = holder.get(name)
        trusted = given not in (None, "") and 2 * one.model_was_right > one.documents
        if not is_same(given, one.value) and not trusted:
            holder[name] = one.value
    return filled


def _vote(words: Words, field: Field, memory: Memory) -> Json:
    for trace in memory.traces:
        for _, text in words.led_to(trace, memory):
            value = value_of(text, trace, field, words.sheet)
            if value is not None and _fits(value, memory):
                return value
    return None


def _fits(value: Json, memory: Memory) -> bool:
    """Return whether a value has figures where the remembered one had some, and else letters."""
    shape = shape_of(str(value))
    return ("9" in shape) == ("9" in memory.shape) and ("A" in shape) == ("A" in memory.shape)
