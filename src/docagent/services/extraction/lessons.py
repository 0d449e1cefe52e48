"""What lessons are worth: teaches one, judges those of the same layout by it, and recalls them. Stores nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.domain.extraction.voices import Heard, Voice, Voices
from docagent.domain.field_path import FieldPath, leaves
from docagent.evidence.confidence import Known, Learnt
from docagent.services.extraction.checking import grounding_of
from docagent.store.extraction.learning import Lesson

MOST_VOTES = 10
"""The documents of the most similar layout have a vote each."""
LEAST_LIKENESS = 0.3
MOST_JUDGES = 20


@dataclass(frozen=True, slots=True)
class FieldRecord:
    """How a document's memory of one field fared in other verified documents."""

    path: str
    right: int
    wrong: int

    @property
    def is_doubtful(self) -> bool:
        """Whether it has no vote any longer: it was wrong more often than right, and not just once."""
        return self.wrong > max(1, self.right)


@dataclass(frozen=True, slots=True)
class Taught:
    """What a verified document teaches, ready to be kept."""

    memories: dict[str, builtin_model.Memory]
    verdicts: dict[str, dict[str, bool]]
    """By document of the same layout, and path: whether its memory and this document agree."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A model's answer with what verified documents say."""

    data: dict[str, Any]
    changed: dict[str, Any]
    """By path, what the model had given where the answer is another now."""


def teach(
    pages: Sequence[Page],
    schema: dict[str, Any],
    truth: builtin_model.Placed,
    given: dict[str, Any],
    is_verified: Callable[[str], bool],
    others: Sequence[Lesson],
) -> Taught:
    """Return what a document teaches. `given` is what the model said of it before other lessons changed that."""
    placed = builtin_model.Placed(given, grounding_of(pages, given, schema) if given != truth.data else None)
    memories = builtin_model.remember(pages, schema, truth, placed, is_verified)
    known = [_memories(_named_by(schema, one)) for one in others]
    votes = builtin_model.votes_of(pages, schema, known)
    verdicts: dict[str, dict[str, bool]] = {}
    for path, memory in memories.items():
        value, _ = truth.at(path)
        for lesson, remembered, vote in zip(others, known, votes.get(path, ()), strict=False):
            if vote is not None or (memory.is_absent and path in remembered and remembered[path].is_absent):
                verdicts.setdefault(lesson.document_id, {})[path] = builtin_model.is_same(value or None, vote)
    return Taught(memories, verdicts)


def recalled_from(
    lessons: Sequence[Lesson], pages: Sequence[Page], schema: dict[str, Any], without: str | None = None
) -> dict[str, builtin_model.Recalled]:
    """Return what the nearest lessons say of a document, without those memories that other documents contradict.

    `without` is a document whose word counts nowhere: neither its lesson nor what it says of other lessons.
    """
    named = [_named_by(schema, one) for one in lessons if one.document_id != without]
    heard = [_unjudged_by(without, one) for one in named[:MOST_VOTES]]
    if not heard:
        return {}
    trusted = [_trusted(one) for one in heard]
    suspect = {
        (one.document_id, path)
        for one, memories in zip(heard, trusted, strict=True)
        for path in one.memories
        if path not in memories
    }
    records = [_judged_by_others_than(suspect, one) for one in heard]
    return builtin_model.recall(pages, schema, trusted, records)


def filled_from(data: dict[str, Any], recalled: Mapping[str, builtin_model.Recalled]) -> Filled:
    """Return a model's answer with what was learnt, and what it had given itself."""
    filled = builtin_model.fill_from_memory(data, recalled)
    paths = {path: FieldPath.parse(path) for path in recalled}
    changed = {path: given for path, at in paths.items() if (given := at.get(data)) != at.get(filled)}
    return Filled(filled, changed)


def records_with(
    lessons: Sequence[Lesson], document_id: str, verdicts: Mapping[str, Mapping[str, bool]]
) -> dict[str, dict[str, dict[str, bool]]]:
    """Return the records of a layout's lessons with a document's word: where two differ, either may be wrong."""
    own: dict[str, dict[str, bool]] = {}
    found: dict[str, dict[str, dict[str, bool]]] = {document_id: own}
    for lesson in lessons:
        if lesson.document_id == document_id:
            continue
        record = found[lesson.document_id] = dict(_unjudged_by(document_id, lesson).record)
        for path, agree in verdicts.get(lesson.document_id, {}).items():
            record[path] = dict([*record.get(path, {}).items(), (document_id, agree)][-MOST_JUDGES:])
            own.setdefault(path, {})[lesson.document_id] = agree
    return found


def of_layout(lessons: Sequence[Lesson], signature: Sequence[int]) -> list[Lesson]:
    """Return the lessons whose layout is that of the signature, the most similar first."""
    ranked = [(builtin_model.likeness(signature, one.signature), one) for one in lessons]
    alike = [pair for pair in ranked if pair[0] >= LEAST_LIKENESS]
    return [one for _, one in sorted(alike, key=lambda pair: -pair[0])]


def said_of(data: Any, recalled: Mapping[str, builtin_model.Recalled]) -> Known:
    """Return what verified documents say of a result's values, cell by cell where they are rows."""
    learnt: dict[FieldPath, Learnt] = {}
    support: dict[FieldPath, int] = {}
    for path, one in recalled.items():
        outer = FieldPath.parse(path, data)
        for inner, given in leaves(outer.get(data)):
            if given in (None, "", [], {}):
                continue
            said, where = inner.get(one.value), FieldPath((*outer, *inner))
            learnt[where] = Learnt.AGREES if builtin_model.is_same(given, said) else Learnt.DIFFERS
            support[where] = one.support
    return Known(learnt=learnt, learnt_from=support)


def heard_from(filled: Filled, recalled: Mapping[str, builtin_model.Recalled]) -> dict[FieldPath, Heard]:
    """Return how values came about that memory put there; what the model gave instead is their rival.

    The word of a single correction counts as one voice against another, so that the value is shown to a person.
    """
    found: dict[FieldPath, Heard] = {}
    for path, given in filled.changed.items():
        rivals = () if given in (None, "", []) or isinstance(given, list | dict) else (given,)
        differs = bool(rivals) and recalled[path].is_untried
        outer = FieldPath.parse(path, filled.data)
        for inner, _ in leaves(outer.get(filled.data)):
            found[FieldPath((*outer, *inner))] = Heard(
                Voice.MEMORY, Voices.DIFFER if differs else Voices.ONLY_ONE, rivals
            )
    return found


def notes_on(filled: Filled, recalled: Mapping[str, builtin_model.Recalled]) -> list[str]:
    """Return what a person should know: values of the model that a single correction replaced."""
    return [
        f"{path}: taken from the only verified document of this layout. The model itself read {json.dumps(given)}."
        for path, given in filled.changed.items()
        if given not in (None, "", []) and recalled[path].is_untried
    ]


def record_of(lesson: Lesson, path: str) -> FieldRecord:
    judged = list(lesson.record.get(path, {}).values())
    return FieldRecord(path, sum(judged), len(judged) - sum(judged))


def is_doubtful(lesson: Lesson) -> bool:
    """Return whether other verified documents contradict what a document taught."""
    return any(record_of(lesson, path).is_doubtful for path in lesson.memories)


def _memories(lesson: Lesson) -> dict[str, builtin_model.Memory]:
    return {path: builtin_model.Memory.from_json(stored) for path, stored in lesson.memories.items()}


def _named_by(schema: dict[str, Any], lesson: Lesson) -> Lesson:
    """Name the fields of a lesson as they are named now: before 0.4.0 there were dots between any names."""
    record: dict[str, dict[str, bool]] = {}
    for path, judges in lesson.record.items():
        record.setdefault(str(FieldPath.stored(path, schema=schema)), {}).update(judges)
    memories = {str(FieldPath.stored(path, schema=schema)): one for path, one in lesson.memories.items()}
    return replace(lesson, memories=memories, record=record)


def _unjudged_by(document_id: str | None, lesson: Lesson) -> Lesson:
    record = {
        path: {judge: agrees for judge, agrees in judges.items() if judge != document_id}
        for path, judges in lesson.record.items()
    }
    return replace(lesson, record=record)


def _judged_by_others_than(
    suspect: Collection[tuple[str, str]], lesson: Lesson
) -> dict[str, dict[str, bool]]:
    """Return a lesson's record without what is in doubt: a wrong correction contradicts all the others."""
    return {
        path: {judge: agrees for judge, agrees in judges.items() if (judge, path) not in suspect}
        for path, judges in lesson.record.items()
        if (lesson.document_id, path) not in suspect
    }


def _trusted(lesson: Lesson) -> dict[str, builtin_model.Memory]:
    return {
        path: memory for path, memory in _memories(lesson).items() if not record_of(lesson, path).is_doubtful
    }
