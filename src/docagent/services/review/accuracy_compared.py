"""Two accuracy runs beside each other: which fields and values got better, and which worse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import InvalidInput
from docagent.domain.field_path import FieldPath
from docagent.evidence.accuracy import Mark, Score, scores_of, total_of
from docagent.services.review.accuracy_runs import find_run
from docagent.store.engine.database import Database
from docagent.store.review import accuracy
from docagent.store.review.accuracy import AccuracyRun, DocumentScore, JudgedValue

Change = Literal["better", "worse", "same"]
MOST_VALUES = 1000


@dataclass(frozen=True, slots=True)
class FieldChange:
    field: str
    before: Score
    after: Score

    @property
    def change(self) -> Change:
        before, after = _figure(self.before), _figure(self.after)
        if before == after:
            return "same"
        return "better" if after > before else "worse"


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that is right in one of the runs only."""

    document_id: str
    document_name: str
    prompt_revid: str | None
    field: str
    path: str
    expected: Any
    before: Any
    after: Any
    change: Change


@dataclass(frozen=True, slots=True)
class Comparison:
    before: AccuracyRun
    after: AccuracyRun
    documents: int
    """Documents that both runs measured against the same verified revision. Only these are compared."""
    left_out: int
    score_before: Score
    score_after: Score
    fields: Sequence[FieldChange]
    values: Sequence[ValueChange]
    values_total: int


class AccuracyComparing:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def compare(self, member: Member, before_id: str, after_id: str) -> Comparison:
        async with self._db.read_as(member, long=True) as tx:
            before, after = await find_run(tx, before_id), await find_run(tx, after_id)
            if before.prompt_id != after.prompt_id:
                raise InvalidInput("These runs are of different prompts. Compare two runs of one prompt.")
            then = _by_truth(await accuracy.scores(tx, before.id))
            since = _by_truth(await accuracy.scores(tx, after.id))
        both = [(then[truth], since[truth]) for truth in then if truth in since]
        fields = _fields(both)
        values = [change for one, other in both for change in _values(one, other)]
        values.sort(key=lambda value: value.change != "worse")
        return Comparison(
            before,
            after,
            documents=len(both),
            left_out=len(then) + len(since) - 2 * len(both),
            score_before=total_of(field.before for field in fields),
            score_after=total_of(field.after for field in fields),
            fields=fields,
            values=values[:MOST_VALUES],
            values_total=len(values),
        )


def _figure(score: Score) -> float:
    """A field of which there is nothing to compare has no error."""
    return 1.0 if score.f1 is None else score.f1


def _by_truth(scores: Sequence[DocumentScore]) -> Mapping[object, DocumentScore]:
    return {score.truth: score for score in scores if score.failure is None}


def _fields(both: Sequence[tuple[DocumentScore, DocumentScore]]) -> list[FieldChange]:
    written = {_key(value.field): value.field for pair in both for one in pair for value in one.judged}
    before = scores_of((_key(value.field), value.mark) for one, _ in both for value in one.judged)
    after = scores_of((_key(value.field), value.mark) for _, other in both for value in other.judged)
    return [
        FieldChange(written[field], before.get(field, Score()), after.get(field, Score()))
        for field in dict.fromkeys((*before, *after))
    ]


def _values(before: DocumentScore, after: DocumentScore) -> list[ValueChange]:
    """The values that only one of the runs got right. What was given too much is right where it is not given."""
    then, since = _by_place(before.judged), _by_place(after.judged)
    changes = []
    for place in dict.fromkeys((*then, *since)):
        one, other = then.get(place), since.get(place)
        if _is_right(one) != _is_right(other):
            known = one or other
            assert known is not None
            changes.append(
                ValueChange(
                    after.document_id,
                    after.document_name,
                    after.prompt_revid,
                    known.field,
                    known.path,
                    known.expected,
                    one.got if one else None,
                    other.got if other else None,
                    "better" if _is_right(other) else "worse",
                )
            )
    return changes


def _by_place(judged: Sequence[JudgedValue]) -> dict[tuple[str, bool], JudgedValue]:
    return {(_key(value.path), value.mark is Mark.EXTRA): value for value in judged}


def _key(text: str) -> str:
    """A path as any version wrote it: before 0.4.0 with dots alone."""
    return FieldPath.stored(text).dotted


def _is_right(value: JudgedValue | None) -> bool:
    return value is None or value.mark is Mark.RIGHT
