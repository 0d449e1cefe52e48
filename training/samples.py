"""From made documents to batches of arrays: what is asked, a window of the words, and the right answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from evals.wordings import Half
from evals.zoo.halves import Dice
from evals.zoo.misreading import confused
from numpy.typing import NDArray

from docagent.reader_model.features import LONGEST, Arrays, SeenWord, question_arrays, window_arrays
from docagent.reader_model.pieces import MOST_PIECES, Pieces
from docagent.reader_model.questions import KINDS, Question
from training.made.agreement import agreement_lesson
from training.made.foreign import foreign_facts
from training.made.lesson import Fact, Lesson, Span
from training.made.sheet import sheet_lesson
from training.made.table import table_lesson
from training.made.zoo import zoo_lesson

LONGEST_VALUE = 32
_MAKERS = ((zoo_lesson, 40, 3), (sheet_lesson, 22, 2), (table_lesson, 18, 2), (agreement_lesson, 20, 4))
"""Makers of lessons, how often each is taken, and how often its lesson is asked."""
_WHOLE_TABLE = 0.3
"""How often all columns of a table are asked for together, as a schema with rows does."""
_MOST_CELLS = 96
_UNTOLD = -1
_SORTED_AT_ONCE = 192
"""Samples that are sorted by their length before they are put into batches."""
Batch = dict[str, NDArray[np.generic]]


@dataclass(frozen=True)
class Sample:
    arrays: Arrays
    questions: list[NDArray[np.int64]]
    is_list: list[bool]
    spans: list[list[Span]]
    """For each question the spans in the window. Without one the answer is that there is no value."""
    cells: list[tuple[int, int]]
    """The first word of each cell of a table, and the row that it is in."""
    kind: int
    """The number of the document's kind, or -1 if it cannot be told or the window is not its beginning."""


def samples(seed: int, pieces: Pieces, share_of_designs: float = 1.0) -> Iterator[Sample]:
    """Yield samples without end. The same seed gives the same ones."""
    dice = Dice(Half.BUILDING, "lessons", seed)
    number = 0
    while True:
        make, _, times = dice.choices(_MAKERS, [often for _, often, _ in _MAKERS])[0]
        number += 1
        made_from = seed * 1_000_000 + number
        if share_of_designs < 1:
            made_from = dice.randint(0, max(1, int(3_000 * share_of_designs)))
        lesson = make(made_from)
        for _ in range(times):
            sample = _sample(lesson, dice, pieces)
            if sample is not None:
                yield sample


def batches(seed: int, pieces: Pieces, tokens: int, share_of_designs: float = 1.0) -> Iterator[Batch]:
    """Yield batches of about as many pieces each."""
    source = samples(seed, pieces, share_of_designs)
    dice = Dice(Half.BUILDING, "batches", seed)
    while True:
        some = sorted(
            (next(source) for _ in range(_SORTED_AT_ONCE)), key=lambda sample: len(sample.arrays.pieces)
        )
        groups: list[list[Sample]] = [[]]
        for sample in some:
            if groups[-1] and len(sample.arrays.pieces) * (len(groups[-1]) + 1) > tokens:
                groups.append([])
            groups[-1].append(sample)
        dice.shuffle(groups)
        yield from map(collated, groups)


def _sample(lesson: Lesson, dice: Dice, pieces: Pieces) -> Sample | None:
    facts = _chosen(lesson, dice)
    if not facts or len(lesson.words) < 4:
        return None
    words, moved = _worn(lesson.words, facts, dice)
    questions = [_question(fact, dice) for fact in facts]
    spans = [[(moved[first], moved[last]) for first, last in fact.spans] for fact in facts]
    start, stop = _window(len(words), spans, dice)
    inside = [
        [
            (first - start, last - start)
            for first, last in found
            if first >= start and last < stop and last - first < LONGEST_VALUE
        ]
        for found in spans
    ]
    cells = [
        (moved[first] - start, row)
        for fact in facts
        for (first, last), row in zip(fact.spans, fact.rows, strict=False)
        if start <= moved[first] and moved[last] < stop
    ]
    kind = KINDS.index(lesson.kind) if lesson.kind and start == 0 else _UNTOLD
    arrays = _shifted(window_arrays(words[start:stop], pieces), dice)
    asked = [question_arrays(question, pieces).pieces for question in questions]
    return Sample(arrays, asked, [fact.type in ("list", "column") for fact in facts], inside, cells, kind)


def _chosen(lesson: Lesson, dice: Dice) -> list[Fact]:
    """Choose facts to ask for: mostly what the document has, sometimes nothing of it."""
    has = [fact for fact in lesson.facts if fact.spans]
    lacks = [fact for fact in lesson.facts if not fact.spans]
    columns = [fact for fact in lesson.facts if fact.type == "column"]
    if columns and dice.likely(_WHOLE_TABLE):
        return dice.sample(columns, dice.randint(max(1, len(columns) - 2), len(columns)))
    count = dice.choice((2, 4, 6, 8, 11, 14))
    strange = dice.random()
    share = 0.0 if strange < 0.2 else dice.uniform(0.1, 0.3) if strange < 0.35 else dice.uniform(0.4, 0.9)
    present = (
        min(len(has), round(count * share)) if share < 0.4 else min(len(has), max(1, round(count * share)))
    )
    chosen = dice.sample(has, present)
    if lesson.is_complete:
        chosen += dice.sample(lacks, min(len(lacks), count - present))
    else:
        strangers = dice.randint(0, count - present)
        chosen += dice.sample(lacks, min(len(lacks), count - present - strangers))
        chosen += foreign_facts(dice, strangers)
    dice.shuffle(chosen)
    return chosen


def _question(fact: Fact, dice: Dice) -> Question:
    name, description = fact.ways.draw(dice, absent=not fact.spans)
    kind = fact.type if fact.type in ("list", "column") or dice.likely(0.85) else "text"
    return Question(name, description, kind)


def _worn(words: list[SeenWord], facts: list[Fact], dice: Dice) -> tuple[list[SeenWord], dict[int, int]]:
    """Return the words as recognition would leave them, and where each word went."""
    misread = dice.choice((0.0, 0.0, 0.0, 0.02, 0.06))
    lost = dice.choice((0.0, 0.0, 0.0, 0.0, 0.03))
    upper = dice.likely(0.05)
    curly = dice.likely(0.3)
    if not (misread or lost or upper or curly):
        return words, {number: number for number in range(len(words))}
    kept = {number for fact in facts for first, last in fact.spans for number in range(first, last + 1)}
    found: list[SeenWord] = []
    moved: dict[int, int] = {}
    for number, word in enumerate(words):
        if lost and number not in kept and dice.random() < lost:
            continue
        text = word.text.upper() if upper else word.text
        if misread and dice.random() < misread:
            text = confused(text, dice)
        if curly and '"' in text:
            text = text.replace('"', "\u201c", 1).replace('"', "\u201d")
        moved[number] = len(found)
        found.append(word if text is word.text else word._replace(text=text))
    return found, moved


def _shifted(arrays: Arrays, dice: Dice) -> Arrays:
    """Return the window as if the paper had lain a little elsewhere on the scanner, or been printed smaller."""
    wide, tall = dice.uniform(0.94, 1.03), dice.uniform(0.94, 1.03)
    right, down = dice.uniform(-0.02, 0.02), dice.uniform(-0.02, 0.02)
    page = np.floor(arrays.places[:, 1:2])
    sides = arrays.places - page * np.array([0, 1, 0, 1], np.float32)
    factors, moved = np.array([wide, tall, wide, tall]), np.array([right, down, right, down])
    sides = np.clip(sides * factors + moved, 0.0, 0.999) + page * np.array([0, 1, 0, 1], np.float32)
    sides[arrays.cases == 0] = 0
    return arrays._replace(places=sides.astype(np.float32))


def _window(count: int, spans: list[list[Span]], dice: Dice) -> tuple[int, int]:
    """Choose a window: around a value most of the time, sometimes at the beginning or anywhere."""
    room = dice.randint(LONGEST // 3, LONGEST) if dice.likely(0.2) else LONGEST
    if count <= room:
        return 0, count
    said = [span for found in spans for span in found]
    chance = dice.random()
    if said and chance < 0.65:
        start = max(0, dice.choice(said)[0] - dice.randint(0, int(room * 0.8)))
    else:
        start = 0 if chance < 0.85 else dice.randrange(count)
    return start, min(count, start + room)


def collated(some: list[Sample]) -> Batch:
    """Return samples as one batch, filled up with zeros."""
    batch = len(some)
    length = -(-max(len(sample.arrays.pieces) for sample in some) // 32) * 32
    fields = max(len(sample.questions) for sample in some)
    asked = max(len(own) for sample in some for own in sample.questions)
    words = length - 1
    cells = max(1, *(min(_MOST_CELLS, len(sample.cells)) for sample in some))
    made: Batch = {
        "pieces": np.zeros((batch, length, MOST_PIECES), np.int32), "cases": np.zeros((batch, length), np.int32),
        "places": np.zeros((batch, length, 4), np.float32),
        "questions": np.zeros((batch, fields, asked, MOST_PIECES), np.int32),
        "is_field": np.zeros((batch, fields), bool), "is_word": np.zeros((batch, words), bool),
        "is_list": np.zeros((batch, fields), bool), "right": np.zeros((batch, fields, words), bool),
        "cells": np.zeros((batch, cells), np.int32), "cell_rows": np.full((batch, cells), _UNTOLD, np.int32),
        "kinds": np.array([sample.kind for sample in some], np.int32),
    }  # fmt: skip
    made["questions"][:, :, 0, 0] = 1
    ends = []
    for row, sample in enumerate(some):
        arrays = sample.arrays
        size, count = len(arrays.pieces), len(sample.questions)
        for name in ("pieces", "cases", "places"):
            made[name][row, :size] = getattr(arrays, name)
        for number, own in enumerate(sample.questions):
            made["questions"][row, number, : len(own)] = own
        made["is_field"][row, :count] = True
        made["is_word"][row, : size - 1] = True
        for at, (word, of_row) in enumerate(sample.cells[:_MOST_CELLS]):
            made["cells"][row, at], made["cell_rows"][row, at] = word, of_row
        made["is_list"][row, :count] = sample.is_list
        for field, spans in enumerate(sample.spans):
            for first, last in spans[:6]:
                ends.append((row, field, first, last))
            for first, _ in spans:
                made["right"][row, field, first] = True
    made["ends"] = np.array(ends or [(0, 0, 0, 0)], np.int32)
    return made
