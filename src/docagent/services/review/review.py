"""The review queue: people look at results one document at a time, and two never at the same one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.documents.documents import Document
from docagent.domain.errors import Conflict, InvalidInput, existing
from docagent.domain.extraction.doubts import Judged, ReviewMode, ReviewPolicy, Standing, doubts_of
from docagent.domain.extraction.results import DEFAULT_PROMPT, Result
from docagent.domain.ids import is_id
from docagent.services.documents.documents import find_document
from docagent.services.extraction.extraction_tasks import Task, find_task, newest_task
from docagent.services.extraction.results import ResultService
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS
from docagent.store.review import review
from docagent.store.review.review import Counts, Taken

LEASE = timedelta(minutes=5)
"""How long a document is reserved for its reviewer, counted from the last sign of life."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What a prompt wants looked at, and how much of it waits."""

    prompt_id: str
    name: str
    policy: ReviewPolicy
    counts: Counts


@dataclass(frozen=True, slots=True)
class Assignment:
    """A document that a person has before them."""

    document: Document
    result: Result
    schema: dict[str, Any] | None
    doubts: Sequence[Judged]
    until: datetime
    counts: Counts


class ReviewService:
    def __init__(self, db: Database, result_service: ResultService) -> None:
        self._db = db
        self._results = result_service

    async def queues(self, member: Member) -> list[Queue]:
        """Every prompt that has results or a policy, by name."""
        async with self._db.read_as(member, long=True) as tx:
            policies = await review.policies(tx)
            names = await _names(tx, {*policies, *await review.prompts_with_results(tx)})
            reviewed = {
                one: policy for one, policy in policies.items() if policy.mode is not ReviewMode.NOTHING
            }
            counts = await review.counts(tx, reviewed, member.user_id, now())
        found = [
            Queue(prompt_id, name, policies.get(prompt_id, ReviewPolicy()), counts.get(prompt_id, Counts()))
            for prompt_id, name in names.items()
        ]
        return sorted(found, key=lambda queue: (queue.name.casefold(), queue.prompt_id))

    async def set_policy(self, member: Member, prompt_id: str, policy: ReviewPolicy) -> Queue:
        async with self._db.write_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            await review.set_policy(tx, task.prompt_id, policy)
            counts = Counts()
            if policy.mode is not ReviewMode.NOTHING:
                counts = await review.counts_of(tx, task.prompt_id, policy, member.user_id, now())
            return Queue(task.prompt_id, task.name, policy, counts)

    async def next(self, member: Member, prompt_id: str, without: Sequence[str]) -> Assignment | None:
        """Take the next document of a queue, but none of those to leave out. None if there is none."""
        moment = now()
        async with self._db.write_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            policy = await review.policy(tx, task.prompt_id)
            taken = await review.take(
                tx,
                task.prompt_id,
                policy,
                user_id=member.user_id,
                now=moment,
                until=moment + LEASE,
                without=[one for one in without if is_id(one)],
            )
            return await self._assignment(tx, member, task, policy, taken, moment) if taken else None

    async def keep(self, member: Member, prompt_id: str, document_id: str) -> Assignment:
        """Keep a document for longer, or take a certain one. Raises Conflict if somebody else has it."""
        moment = now()
        async with self._db.write_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            taken = await self._held(tx, member, task.prompt_id, document_id, moment)
            policy = await review.policy(tx, task.prompt_id)
            return await self._assignment(tx, member, task, policy, taken, moment)

    async def let_go(self, member: Member, prompt_id: str, document_id: str) -> None:
        """Leave a document to others, as it is."""
        async with self._db.write_as(member) as tx:
            taken = await _newest(tx, prompt_id, document_id)
            await review.let_go(tx, taken.result_id, member.user_id)

    async def conclude(
        self, member: Member, prompt_id: str, document_id: str, revision: int, standing: Standing
    ) -> Result:
        """Say of the whole result that it is right, or unusable. `revision` is the one that the person saw."""
        async with self._db.write_as(member) as tx:
            taken = await self._held(tx, member, prompt_id, document_id, now())
            with tx.joined():
                result = await self._results.conclude(
                    member, document_id, taken.prompt_revid, revision, standing
                )
            await review.let_go(tx, taken.result_id, member.user_id)
        return result

    async def undo(
        self, member: Member, prompt_id: str, document_id: str, revision: int, to: int | None
    ) -> Assignment:
        """Make the result again what it was before this revision, or at an earlier one, and take the document again."""
        back_to = revision - 1 if to is None else to
        if not 1 <= back_to < revision:
            raise InvalidInput("There is nothing to undo: name a revision that came before.")
        moment = now()
        async with self._db.write_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            taken = await self._held(tx, member, task.prompt_id, document_id, moment)
            with tx.joined():
                made = (taken.result_id, revision)
                await self._results.take_back(member, document_id, taken.prompt_revid, made, back_to)
            policy = await review.policy(tx, task.prompt_id)
            return await self._assignment(tx, member, task, policy, taken, moment)

    async def _held(
        self, tx: OrgTx, member: Member, prompt_id: str, document_id: str, moment: datetime
    ) -> Taken:
        taken = await _newest(tx, prompt_id, document_id)
        held = await review.hold(
            tx, taken.result_id, user_id=member.user_id, now=moment, until=moment + LEASE
        )
        if not held:
            raise Conflict("Somebody else is reviewing this document now. Continue with the next one.")
        return taken

    async def _assignment(
        self, tx: OrgTx, member: Member, task: Task, policy: ReviewPolicy, taken: Taken, moment: datetime
    ) -> Assignment:
        result = existing(
            await results.get(tx, taken.document_id, taken.prompt_revid),
            "This document no longer has a result of the prompt.",
        )
        made_with = (
            task if taken.prompt_revid == task.prompt_revid else await find_task(tx, taken.prompt_revid)
        )
        return Assignment(
            document=await find_document(tx, taken.document_id),
            result=result,
            schema=made_with.schema,
            doubts=doubts_of(result, policy.threshold),
            until=moment + LEASE,
            counts=await review.counts_of(tx, task.prompt_id, policy, member.user_id, moment),
        )


async def _newest(tx: OrgTx, prompt_id: str, document_id: str) -> Taken:
    known = is_id(document_id) and (is_id(prompt_id) or prompt_id == DEFAULT_PROMPT)
    found = await review.newest(tx, prompt_id, document_id) if known else None
    return existing(found, "This document has no result of the prompt.")


async def _names(tx: OrgTx, prompt_ids: set[str]) -> dict[str, str]:
    """The names of those prompts that are still there, with their schema."""
    found = await PROMPTS.several(tx, sorted(prompt_ids))
    schemas = {
        schema.id for schema in await SCHEMAS.several(tx, [one.schema_id for one in found if one.schema_id])
    }
    names = {one.id: one.name for one in found if one.schema_id is None or one.schema_id in schemas}
    return names | ({DEFAULT_PROMPT: DEFAULT_PROMPT} if DEFAULT_PROMPT in prompt_ids else {})
