"""Measures one document: extracts it as if nobody had verified it, and compares that with what was verified."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from docagent import builtin_model
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.errors import NotFound
from docagent.domain.extraction.review import UNPROVEN, is_verified_at
from docagent.domain.field_path import FieldPath
from docagent.evidence.accuracy import Compared, Mark, compare, mark_of, same
from docagent.jsonschema import resolved
from docagent.services.documents.documents import find_document
from docagent.services.extraction.extraction_tasks import Task, find_task
from docagent.services.extraction.extractor import Drafted, Extractor
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import results
from docagent.store.review import accuracy
from docagent.store.review.accuracy import AccuracyRun, JudgedValue, Measured, Truth

MOST_EARLIER = 10
"""So many runs of before are asked what they gave for the same document."""
DEEPEST_LIST = 10
"""A schema of lists may hold itself."""
LEAST_LESSONS = 2
"""One lesson against one verified value: either may be wrong."""


@dataclass(frozen=True, slots=True)
class VerifiedData:
    """What people verified of a document, as it was when the run began."""

    data: dict[str, Any]
    grounding: Any
    is_verified: bool
    verified_paths: Sequence[FieldPath]
    schema: dict[str, Any] | None
    """That of the prompt's version that the result is of."""


Earlier = Sequence[tuple[AccuracyRun, Sequence[JudgedValue]]]


class Measuring:
    def __init__(self, db: Database, extractor: Extractor) -> None:
        self._db = db
        self._extractor = extractor

    async def measure(
        self, member: Member, document: Document, truth: Truth, task: Task, run: AccuracyRun, run_id: str
    ) -> tuple[Measured, Drafted]:
        """Measure a document. Nothing is stored but the replies, until the draft is discarded.

        With the same `run_id`, no reply is paid for twice.
        """
        async with self._db.read_as(member) as tx:
            await find_document(tx, document.id)
            verified = await _verified(tx, truth)
            earlier = await accuracy.earlier(
                tx, document.id, task.prompt_id, without=run.id, most=MOST_EARLIER
            )
        begun = time.monotonic()
        drafted = await self._extractor.draft(member, document, task, run_id=run_id, blind=True)
        milliseconds = int(1000 * (time.monotonic() - begun))
        judged = await asyncio.to_thread(judged_values, verified, drafted.new.data)
        suspect = Suspicion(verified, drafted.new.grounding, drafted.recalled, earlier, run)
        judged = [replace(one, suspicion=suspect.of(one)) for one in judged]
        return Measured(judged, drafted.credits, milliseconds), drafted


async def _verified(tx: OrgTx, truth: Truth) -> VerifiedData:
    found = await results.revision(tx, truth.result_id, truth.revision)
    head = await results.revid_of(tx, truth.result_id)
    if found is None or head is None:
        raise NotFound("The verified result was deleted meanwhile.")
    try:
        schema = (await find_task(tx, head)).schema
    except NotFound:
        schema = None
    return VerifiedData(found.data, found.grounding, found.is_verified, found.verified_paths, schema)


def judged_values(verified: VerifiedData, given: Any) -> list[JudgedValue]:
    """Every value that the verified result has something to say about, beside what was given."""
    return [
        JudgedValue(
            one.field,
            str(one.path),
            None if one.given_path is None else str(one.given_path),
            mark_of(one),
            one.truth,
            one.given,
        )
        for one in compare(verified.data, given)
        if _is_judged(verified, one)
    ]


def _is_judged(verified: VerifiedData, one: Compared) -> bool:
    path = one.path
    if one.truth is None:
        if not _knows(verified.schema, path.column):
            return False
        # What was given too much stands at no place of the truth: the list that it is in must be verified.
        path = FieldPath(takewhile(lambda step: isinstance(step, str), path))
    return is_verified_at(verified, path)


def _knows(schema: dict[str, Any] | None, names: FieldPath) -> bool:
    """Whether the verified result's schema has the field. Nobody verified that a field is empty which is newer."""
    root = schema or {}
    at = resolved(root, root)
    for name in names:
        for _ in range(DEEPEST_LIST):
            at = resolved(at["items"], root) if "items" in at else at
        properties = at.get("properties")
        if not isinstance(properties, dict):
            return True
        if name not in properties:
            return False
        at = resolved(properties[name], root)
    return True


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Says which verified values are doubtful themselves: everybody else says something else.

    A model that errs in the same way in every run proves nothing. Lessons of other documents do, a value that was
    verified otherwise before, and other versions or models where the verified value is not on the page.
    """

    verified: VerifiedData
    grounding: Any
    recalled: Mapping[str, builtin_model.Recalled]
    earlier: Earlier
    run: AccuracyRun

    def of(self, one: JudgedValue) -> str | None:
        if one.mark not in (Mark.WRONG, Mark.NEAR):
            return None
        for reason in (self._by_lessons, self._by_what_was_verified, self._by_other_runs):
            if said := reason(one):
                return said
        return None

    def _by_lessons(self, one: JudgedValue) -> str | None:
        recalled = self.recalled.get(one.path)
        if recalled is None or recalled.support < LEAST_LESSONS or not same(recalled.value, one.got):
            return None
        return (
            f"The run and the lessons of {recalled.support} other verified documents of this layout say "
            "something else."
        )

    def _by_what_was_verified(self, one: JudgedValue) -> str | None:
        if not self._said_before(one, lambda _, then: then.mark is Mark.RIGHT):
            return None
        return "The run gives what an earlier run gave too, and at that time it was verified as right."

    def _by_other_runs(self, one: JudgedValue) -> str | None:
        true_place = FieldPath.parse(one.path, self.verified.data).get(self.verified.grounding)
        given_place = FieldPath.parse(one.given_path or "", self.grounding).get(self.grounding)
        if _is_proven(true_place) or not _is_proven(given_place):
            return None
        mine = (self.run.prompt_revid, self.run.draft, self.run.model)
        if not self._said_before(one, lambda run, _: (run.prompt_revid, run.draft, run.model) != mine):
            return None
        return (
            "The verified value is not on the page, and runs of another version or model say something else."
        )

    def _said_before(self, one: JudgedValue, counts: Callable[[AccuracyRun, JudgedValue], bool]) -> bool:
        place = FieldPath.stored(one.path).dotted
        return any(
            FieldPath.stored(then.path).dotted == place
            and then.got is not None
            and same(then.got, one.got)
            and counts(run, then)
            for run, judged in self.earlier
            for then in judged
        )


def _is_proven(place: Any) -> bool:
    return isinstance(place, dict) and place.get("match") not in (None, UNPROVEN)
