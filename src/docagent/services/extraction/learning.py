"""Learning from verified documents, with no other model: what was learnt, from which documents, and forgetting it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent import builtin_model
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.documents.documents import Document
from docagent.domain.documents.text import Page
from docagent.domain.errors import NotFound, Noun, existing
from docagent.domain.extraction.examples import MOST_EXAMPLES, Example, example_of
from docagent.domain.extraction.learning_switches import LearningSwitches
from docagent.domain.extraction.results import BEFORE_MEMORY, DEFAULT_PROMPT, Result
from docagent.domain.extraction.review import is_verified_at
from docagent.domain.field_path import FieldPath
from docagent.domain.ids import is_id
from docagent.domain.jobs import Job, JobKind
from docagent.services.documents.text import all_pages
from docagent.services.extraction.checking import field_problems
from docagent.services.extraction.extraction_tasks import Task, find_task
from docagent.services.extraction.lessons import (
    MOST_VOTES,
    FieldRecord,
    Taught,
    is_doubtful,
    of_layout,
    recalled_from,
    record_of,
    records_with,
    teach,
)
from docagent.services.jobs import JobRun, JobService
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import learning, results
from docagent.store.extraction.learning import Lesson
from docagent.store.extraction.prompts import PROMPTS

MOST_ALIKE = 40
"""Of one layout no more documents are remembered: the oldest one is forgotten for the newest."""
NOT_LEARNT = "Nothing was learnt from this document for this prompt."
MOST_SHOWN = 1000
DECIDE = "decide about learning"
PATIENCE = 5
"""How often the job looks again at a result that changes while it learns."""


@dataclass(frozen=True, slots=True)
class LearntFrom:
    lesson: Lesson
    fields: list[FieldRecord]

    @property
    def is_doubtful(self) -> bool:
        return any(one.is_doubtful for one in self.fields)


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a result teaches, ready to be kept."""

    result: Result
    signature: list[int]
    taught: Taught


class LearningService:
    def __init__(self, db: Database, jobs: JobService) -> None:
        self._db = db
        self._jobs = jobs

    # --- what people see and decide ---------------------------------------------------------------------------

    async def switches(self, member: Member) -> LearningSwitches:
        async with self._db.read_as(member) as tx:
            return await learning.switches(tx)

    async def switch(self, member: Member, on: bool, examples: bool | None = None) -> LearningSwitches:
        """Switch learning on or off, and whether other models are shown examples; None leaves that as it is.

        What was learnt is kept, and not used while it is off.
        """
        member.require_admin(DECIDE)
        async with self._db.write_as(member) as tx:
            before = await learning.switches(tx)
            wanted = LearningSwitches(on, before.examples_on if examples is None else examples)
            await learning.switch(tx, wanted)
        return wanted

    async def learnt_from(self, member: Member, prompt_id: str) -> list[LearntFrom]:
        """The documents that a prompt learnt from, those in doubt first, then the newest."""
        async with self._db.read_as(member) as tx:
            await _find_prompt(tx, prompt_id)
            lessons = await learning.of_prompt(tx, prompt_id, MOST_SHOWN)
        found = [
            LearntFrom(lesson, [record_of(lesson, path) for path in lesson.memories]) for lesson in lessons
        ]
        return sorted(found, key=lambda one: not one.is_doubtful)

    async def forget(self, member: Member, prompt_id: str, document_id: str) -> int:
        """Forget what a prompt learnt from one document, and what that said of others."""
        async with self._db.write_as(member) as tx:
            await _find_prompt(tx, prompt_id)
            if not is_id(document_id):
                raise NotFound(NOT_LEARNT)
            await _withdraw(tx, prompt_id, document_id)
            if not await learning.forget(tx, prompt_id, document_id):
                raise NotFound(NOT_LEARNT)
        return 1

    async def forget_all(self, member: Member) -> int:
        """Forget everything that the organisation learnt. Returns from how many documents."""
        member.require_admin(DECIDE)
        async with self._db.write_as(member) as tx:
            return await learning.forget(tx)

    # --- using it ---------------------------------------------------------------------------------------------

    async def recall(
        self,
        member: Member,
        prompt_id: str,
        schema: dict[str, Any] | None,
        pages: Sequence[Page],
        *,
        without: str | None = None,
    ) -> dict[str, builtin_model.Recalled]:
        """What verified documents of the same layout say of the fields of a document.

        `without` is a document whose word counts nowhere: not its lesson, and not what it says of other lessons.
        """
        if schema is None:
            return {}
        lessons = await self.nearest(member, prompt_id, pages, MOST_VOTES, without=without)
        return await asyncio.to_thread(recalled_from, lessons, pages, schema, without)

    async def nearest(
        self,
        member: Member,
        prompt_id: str,
        pages: Sequence[Page],
        most: int,
        *,
        without: str | None = None,
    ) -> list[Lesson]:
        """The lessons of a prompt whose layouts are those of a document, the most similar first."""
        if not pages:
            return []
        async with self._db.read_as(member) as tx:
            if not (await learning.switches(tx)).is_on or not await learning.has_lessons(tx, prompt_id):
                return []
        signature = await asyncio.to_thread(builtin_model.signature_of, pages)
        async with self._db.read_as(member) as tx:
            bands = builtin_model.bands_of(signature)
            lessons = await learning.alike(tx, prompt_id, bands, most, without or "")
        return of_layout(lessons, signature)

    # --- learning ---------------------------------------------------------------------------------------------

    async def after_verifying(self, tx: OrgTx, document_id: str) -> None:
        """Queue the job that learns from a document, as part of what verified it, after the result is written."""
        if not await self._jobs.is_open(tx, JobKind.LEARN, document_id):
            await self._jobs.enqueue(tx, JobKind.LEARN, document_id)

    async def learn(self, run: JobRun) -> None:
        """Do the job: keep what the document's results teach now. Done twice, it comes to the same."""
        organization_id, document_id = run.job.organization_id, run.job.subject_id or ""
        for _ in range(PATIENCE):
            async with self._db.read_org(organization_id) as tx:
                document = await documents.get(tx, document_id)
                found = await results.all_of(tx, document_id) if document else []
            drafts = await self._drafts(document, found) if document else []
            async with self._db.write_org(organization_id) as tx:
                if await _are_unchanged(tx, found) or document is None:
                    await self._keep(tx, document_id, found, drafts)
                    await run.finish(tx)
                    return
        async with self._db.write_org(organization_id) as tx:
            await run.finish(
                tx, "The document's results kept changing. Verify a value again to learn from them."
            )

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Nothing is lost: what was learnt before stays, and the next verified value queues another job."""

    async def _drafts(self, document: Document, found: Sequence[Result]) -> list[_Draft]:
        truths = [one for one in found if one.is_verified or one.verified_paths]
        if not truths or document.text_run_id is None:
            return []
        pages = await all_pages(self._db, document)
        signature = builtin_model.signature_of(pages)
        drafts = []
        for result in truths:
            async with self._db.read_org(document.organization_id) as tx:
                schema = await _schema_of(tx, result)
                bands = builtin_model.bands_of(signature)
                lessons = await learning.alike(tx, result.prompt_id, bands, MOST_ALIKE)
            if schema is not None:
                others = [one for one in of_layout(lessons, signature) if one.document_id != document.id]
                drafts.append(await asyncio.to_thread(_draft, result, schema, pages, signature, others))
        return drafts

    async def _keep(
        self, tx: OrgTx, document_id: str, found: Sequence[Result], drafts: Sequence[_Draft]
    ) -> None:
        taught = {draft.result.prompt_id for draft in drafts}
        for prompt_id in {one.prompt_id for one in found} - taught:
            await _withdraw(tx, prompt_id, document_id)
            await learning.forget(tx, prompt_id, document_id)
        for draft in drafts:
            prompt_id = draft.result.prompt_id
            bands = builtin_model.bands_of(draft.signature)
            memories = {path: memory.as_json() for path, memory in draft.taught.memories.items()}
            await learning.keep(tx, prompt_id, document_id, draft.signature, bands, memories, now())
            await _judge(tx, prompt_id, document_id, draft.signature, draft.taught.verdicts)


def _draft(
    result: Result,
    schema: dict[str, Any],
    pages: Sequence[Page],
    signature: list[int],
    others: Sequence[Lesson],
) -> _Draft:
    def is_verified(path: str) -> bool:
        return is_verified_at(result, FieldPath.parse(path, result.data))

    given = result.run.report.get(BEFORE_MEMORY, result.model_data)
    truth = builtin_model.Placed(result.data, result.grounding)
    return _Draft(result, signature, teach(pages, schema, truth, given, is_verified, others))


async def _are_unchanged(tx: OrgTx, found: Sequence[Result]) -> bool:
    """Whether these are still the newest revisions. Nobody can add one until the transaction ends."""
    for one in found:
        current = await results.get(tx, one.document_id, one.prompt_revid, lock=True)
        if current is None or current.revision != one.revision:
            return False
    return True


async def _judge(
    tx: OrgTx,
    prompt_id: str,
    document_id: str,
    signature: Sequence[int],
    verdicts: Mapping[str, dict[str, bool]],
) -> None:
    """Write into both documents' records whether they agree: where they do not, either may be wrong."""
    alike = await learning.alike(tx, prompt_id, builtin_model.bands_of(signature), MOST_ALIKE + 1)
    lessons = of_layout(alike, signature)
    for judged_id, record in records_with(lessons, document_id, verdicts).items():
        await learning.set_record(tx, prompt_id, judged_id, record)
    if len(lessons) > MOST_ALIKE:
        oldest = min(lessons, key=lambda one: one.learnt_at)
        await learning.forget(tx, prompt_id, oldest.document_id)


async def _withdraw(tx: OrgTx, prompt_id: str, document_id: str) -> None:
    """Take a document's word out of the records of the documents that look like it."""
    lesson = await learning.get(tx, prompt_id, document_id)
    if lesson is not None:
        await _judge(tx, prompt_id, document_id, lesson.signature, {})


async def _schema_of(tx: OrgTx, result: Result) -> dict[str, Any] | None:
    """The schema that the result was made with; None if its prompt has none or is gone."""
    try:
        return (await find_task(tx, result.prompt_revid)).schema
    except NotFound:
        return None


async def _find_prompt(tx: OrgTx, prompt_id: str) -> None:
    if prompt_id != DEFAULT_PROMPT:
        existing(await PROMPTS.latest(tx, prompt_id), "Prompt not found", Noun.PROMPT)


MOST_PAGES = 10
"""More pages of an example are not even looked at: its room is smaller."""


class ExampleService:
    """Finds verified documents that are shown to a model as examples: those of the prompt that look most alike."""

    def __init__(self, db: Database, lessons: LearningService) -> None:
        self._db = db
        self._lessons = lessons

    async def find(
        self, member: Member, task: Task, read: Sequence[Page], room: int, shown: Collection[str]
    ) -> list[Example]:
        """Return examples for a document whose pages are `read`, the most similar first, each within the room.

        `shown` are the documents that the model sees anyway: above all the document itself, which never is its own
        example. Only what a person verified as a whole counts, and only if it fits the schema that is asked.
        """
        if not room:
            return []
        async with self._db.read_as(member) as tx:
            if not (await learning.switches(tx)).gives_examples:
                return []
        nearest = await self._lessons.nearest(member, task.prompt_id, read, MOST_VOTES)
        found: list[Example] = []
        for lesson in nearest:
            if lesson.document_id not in shown and not is_doubtful(lesson):
                example = await self._example(member, task, lesson.document_id, room)
                found += [example] if example is not None else []
            if len(found) == MOST_EXAMPLES:
                break
        return found

    async def _example(self, member: Member, task: Task, document_id: str, room: int) -> Example | None:
        async with self._db.read_as(member) as tx:
            document = await documents.get(tx, document_id)
            result = await results.newest_of_prompt(tx, document_id, task.prompt_id)
            if document is None or result is None or not _may_be_shown(document, result):
                return None
            text = await pages.pages(tx, document_id, document.text_run_id or "", 1, MOST_PAGES)
        if await field_problems(task.schema, result.data):
            return None
        return example_of(document_id, document.name, text, result.data, room)


def _may_be_shown(document: Document, result: Result) -> bool:
    is_settled = result.is_verified and not result.is_rejected and not result.proposed
    return document.text_run_id is not None and not document.private_regions and is_settled
