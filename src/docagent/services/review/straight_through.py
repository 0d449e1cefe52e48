"""Straight-through processing: what needs no review at the target precision, and results that skip it.

Measured on the prompt's own verified results: how sure the model was when it gave a value, and what a person verified.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.extraction.doubts import confidence_of
from docagent.domain.extraction.review import is_verified_at, places_in
from docagent.evidence.accuracy import compare
from docagent.evidence.confidence import JudgedDocument, Unseen, measure_unseen
from docagent.services.extraction.extraction_tasks import newest_task
from docagent.store.engine.database import Database
from docagent.store.review import calibrations, straight_through
from docagent.store.review.calibrations import VerifiedResult
from docagent.store.review.straight_through import StraightThroughPolicy, Switched

logger = logging.getLogger(__name__)

MOST_RESULTS = 500
"""The newest ones; older documents tell less about what comes next."""
AT_A_TIME = 50
MOST_REMEMBERED = 50


@dataclass(frozen=True, slots=True)
class StraightThrough:
    prompt_id: str
    name: str
    policy: StraightThroughPolicy
    measured: Unseen
    gone_on: int

    @property
    def remark(self) -> str:
        """What the figures say, in a sentence."""
        measured, wished = self.measured, f"{100 * self.policy.precision:g} %"
        if measured.values is None:
            return (
                f"Too few values are verified to say what needs no review at {wished}: {measured.verified_values} are, "
                f"and it takes {measured.needed}."
            )
        if measured.documents is None:
            return (
                f"Too few documents are fully verified to say which need no review at {wished}. Values alone: "
                f"{_percent(measured.values.share)} may."
            )
        return (
            f"At {wished}, {_percent(measured.values.share)} of the values and "
            f"{_percent(measured.documents.share)} of the documents need no review."
        )


class StraightThroughService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, member: Member, prompt_id: str) -> StraightThrough:
        async with self._db.read_as(member) as tx:
            task = await newest_task(tx, prompt_id)
            policy = await straight_through.get(tx, task.prompt_id)
            gone_on = await straight_through.number_gone_on(tx, task.prompt_id)
        measured = await measure(self._db, member.organization_id, task.prompt_id, policy.precision)
        return StraightThrough(task.prompt_id, task.name, policy, measured, gone_on)

    async def decide(
        self, member: Member, prompt_id: str, *, precision: float, auto_verify: bool
    ) -> StraightThrough:
        """Set the target precision, and whether results that reach it skip review from now on."""
        member.require_admin("decide what needs no review")
        async with self._db.read_as(member) as tx:
            task = await newest_task(tx, prompt_id)
        measured = await measure(self._db, member.organization_id, task.prompt_id, precision)
        line = Switched(now(), member.user_id, precision, auto_verify)
        async with self._db.write_as(member) as tx:
            before = await straight_through.get(tx, task.prompt_id)
            history = [line, *before.history][:MOST_REMEMBERED]
            policy = StraightThroughPolicy(precision, auto_verify, threshold_of(measured), history)
            await straight_through.put(tx, task.prompt_id, policy)
            gone_on = await straight_through.number_gone_on(tx, task.prompt_id)
        logger.info(
            "straight through decided",
            extra={
                "organization_id": member.organization_id,
                "prompt_id": task.prompt_id,
                "user_id": member.user_id,
                "precision": precision,
                "auto_verify": auto_verify,
            },
        )
        return StraightThrough(task.prompt_id, task.name, policy, measured, gone_on)


async def measure_again(db: Database, organization_id: str) -> None:
    """Measure again from which confidence on results skip review, for the prompts where they do."""
    async with db.read_org(organization_id) as tx:
        wished = await straight_through.switched_on(tx)
    for prompt_id, precision in wished.items():
        measured = await measure(db, organization_id, prompt_id, precision)
        async with db.write_org(organization_id) as tx:
            await straight_through.set_threshold(tx, prompt_id, precision, threshold_of(measured))


async def measure(db: Database, organization_id: str, prompt_id: str, precision: float) -> Unseen:
    judged: list[JudgedDocument] = []
    async with db.read_org(organization_id, long=True) as tx:
        ids = await calibrations.verified_ids(tx, MOST_RESULTS, prompt_id)
    for start in range(0, len(ids), AT_A_TIME):
        async with db.read_org(organization_id, long=True) as tx:
            found = [one async for one in calibrations.verified(tx, ids[start : start + AT_A_TIME])]
        judged += await asyncio.to_thread(list, map(judged_document, found))
    return measure_unseen(judged, precision)


def threshold_of(measured: Unseen) -> float | None:
    return measured.documents.threshold if measured.documents else None


def judged_document(result: VerifiedResult) -> JudgedDocument:
    """How sure the model was of its values, and what a person made of them."""
    confidences = {path: confidence_of(place) for path, place in places_in(result.model_grounding)}
    values, errors = [], 0
    for one in compare(result.data, result.model_data):
        if not is_verified_at(result, one.path):
            continue
        errors += not one.right
        if one.given_path in confidences:
            values.append((confidences[one.given_path], one.right))
    certainty = 0.0 if result.has_problems else min(confidences.values(), default=0.0)
    return JudgedDocument(values, certainty, result.is_verified, errors)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
