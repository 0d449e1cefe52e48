"""Accuracy: a prompt, or a draft of one, run over verified documents and measured against what people verified.

A run touches no result. Its documents, and the revisions that are the truth, are fixed when it begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from docagent.domain.accounts.accounts import NO_MEMBER_ANY_MORE, Member
from docagent.domain.clock import now
from docagent.domain.documents.documents import Document
from docagent.domain.errors import Conflict, Forbidden, InvalidInput, NotFound, existing
from docagent.domain.extraction.runs import RunState
from docagent.domain.jobs import Job, JobKind
from docagent.domain.listing import Found
from docagent.evidence.accuracy import Mark
from docagent.services.accounts.members import member_for
from docagent.services.extraction.extraction_tasks import Task, find_task, newest_task
from docagent.services.extraction.extractor import Extractor, run_id_of
from docagent.services.extraction.run_steps import (
    DOCUMENTS_AT_ONCE,
    MOST_FAILED_IN_A_ROW,
    all_outcomes,
    next_step,
    outcome_of,
    unpaid_of,
)
from docagent.services.jobs import JobRun, JobService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.review.accuracy_wanted import (
    NOTHING_VERIFIED,
    Wanted,
    choose,
    chosen_model,
    new_run,
    with_draft,
)
from docagent.services.review.measuring import Measuring
from docagent.store import jobs
from docagent.store.engine.database import Database, OrgTx
from docagent.store.review import accuracy
from docagent.store.review.accuracy import AccuracyRun, DocumentScore, JudgedValue, Measured, Truth

MOST_OPEN = 5


@dataclass(frozen=True, slots=True)
class MeasureEstimate:
    documents: int
    verified: int
    """How many documents of the prompt have something verified."""
    pages: int
    credits: int
    model: str


@dataclass(frozen=True, slots=True)
class FoundError:
    """A value that a run got wrong, and the document that it is in."""

    document_id: str
    document_name: str
    prompt_revid: str | None
    value: JudgedValue


@dataclass(frozen=True, slots=True)
class Report:
    run: AccuracyRun
    suspicious: Sequence[FoundError]
    failures: Sequence[DocumentScore]


@dataclass(eq=False)
class AccuracyService:
    _db: Database
    _jobs: JobService
    _extractor: Extractor
    _models: ModelCalls
    _measuring: Measuring

    # --- asking for it ----------------------------------------------------------------------------------------

    async def estimate(self, member: Member, wanted: Wanted) -> MeasureEstimate:
        """What a run would be about, and about what it would cost. Nothing is started."""
        async with self._db.read_as(member, long=True) as tx:
            chosen = await choose(tx, wanted)
            ids = [truth.document_id for truth in chosen.truths]
            per_page = await accuracy.characters_per_page(tx, ids)
        model = await chosen_model(self._models, member, wanted, chosen.task)
        credits = sum(
            self._models.estimate(model, pages * per_page + len(chosen.task.content), pages)
            for pages in chosen.by_pages
        )
        return MeasureEstimate(len(ids), chosen.verified, sum(chosen.by_pages), credits, model.name)

    async def start(self, member: Member, wanted: Wanted) -> AccuracyRun:
        async with self._db.read_as(member, long=True) as tx:
            task = (await choose(tx, wanted)).task
        model = await chosen_model(self._models, member, wanted, task)
        async with self._db.write_as(member, long=True) as tx:
            await tx.take_turns(f"accuracy {tx.organization_id}")
            if await accuracy.number_open(tx) >= MOST_OPEN:
                raise Conflict(f"{MOST_OPEN} accuracy runs are under way already. Wait for one, or stop one.")
            chosen = await choose(tx, wanted)
            if not chosen.truths:
                raise InvalidInput(NOTHING_VERIFIED)
            job_id = await self._jobs.enqueue(
                tx, JobKind.MEASURE, task.prompt_id, progress_total=len(chosen.truths)
            )
            run = new_run(job_id, member, wanted, chosen.task, model, len(chosen.truths))
            await accuracy.insert(tx, run, chosen.truths)
        return run

    async def runs(
        self, member: Member, prompt_id: str | None, *, skip: int, limit: int
    ) -> Found[AccuracyRun]:
        """The runs of a prompt, or all, the newest first."""
        async with self._db.read_as(member) as tx:
            if prompt_id is not None:
                prompt_id = (await newest_task(tx, prompt_id)).prompt_id
            return await accuracy.recent(tx, prompt_id, skip=skip, limit=limit)

    async def report(self, member: Member, run_id: str) -> Report:
        async with self._db.read_as(member, long=True) as tx:
            run = await find_run(tx, run_id)
            scores = await accuracy.scores(tx, run_id, only_remarkable=True)
        suspicious = [error for error in errors_of(scores) if error.value.suspicion]
        return Report(run, suspicious, [score for score in scores if score.failure])

    async def errors(
        self, member: Member, run_id: str, field: str | None, *, skip: int, limit: int
    ) -> Found[FoundError]:
        """What a run got wrong, by document."""
        async with self._db.read_as(member, long=True) as tx:
            await find_run(tx, run_id)
            scores = await accuracy.scores(tx, run_id)
        found = [error for error in errors_of(scores) if field in (None, error.value.field)]
        return Found(found[skip : skip + limit], len(found), skip)

    async def stop(self, member: Member, run_id: str) -> AccuracyRun:
        """End a run. What it has measured is kept; nothing happens to a run that is over."""
        async with self._db.write_as(member) as tx:
            await find_run(tx, run_id)
            await jobs.stop(tx, run_id, now())
            await accuracy.set_state(tx, run_id, RunState.STOPPED, None, now())
            return await find_run(tx, run_id)

    # --- doing it ---------------------------------------------------------------------------------------------

    async def go_on(self, run: JobRun) -> None:
        """Do the next step: a few documents at once. Whatever is killed is done again, and no reply paid for twice."""
        job = run.job
        try:
            member, wanted, task, due = await self._next(job)
        except (Forbidden, NotFound) as error:
            await self._end(job, RunState.FAILED, error.detail)
            return
        if not due:
            await self._end(job, RunState.DONE, None)
            return
        outcomes = await all_outcomes(
            [
                outcome_of(document, partial(self._one, member, document, truth, task, wanted))
                for document, truth in due
            ]
        )
        for outcome in outcomes:
            if outcome.failure is not None:
                measured = Measured(failure=outcome.failure)
                async with self._db.write_org(job.organization_id) as tx:
                    await accuracy.add_score(tx, wanted.id, outcome.document.id, measured, now())
        failed = [outcome.failure for outcome in outcomes if outcome.failure]
        unpaid = unpaid_of(outcomes)
        succeeded = any(not outcome.failure and not outcome.unpaid for outcome in outcomes)
        in_a_row = 0 if succeeded else int(job.arguments.get("failed_in_a_row", 0)) + len(failed)
        if in_a_row >= MOST_FAILED_IN_A_ROW:
            reason = f"{in_a_row} documents failed one after another: {failed[-1]}"
            await self._end(job, RunState.FAILED, reason)
            return
        async with self._db.write_org(job.organization_id) as tx:
            if unpaid:
                await accuracy.set_state(tx, job.id, RunState.WAITING, unpaid, now())
            kept = await accuracy.get(tx, job.id)
            progress = kept.done + kept.failed if kept else job.progress
            await next_step(tx, job, {"failed_in_a_row": in_a_row}, progress, unpaid)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Let the run fail, in the transaction that gives its job up."""
        reason = "The run failed several times. What it has measured is kept; start another one."
        await accuracy.set_state(tx, job.id, RunState.FAILED, reason, now())

    async def _next(self, job: Job) -> tuple[Member, AccuracyRun, Task, list[tuple[Document, Truth]]]:
        """Raises Forbidden or NotFound if the member, the prompt or the run is gone."""
        async with self._db.read_org(job.organization_id, long=True) as tx:
            run = await find_run(tx, job.id)
            member = await member_for(tx, job.organization_id, run.created_by)
            if member is None:
                raise Forbidden(NO_MEMBER_ANY_MORE)
            task = replace(with_draft(await find_task(tx, run.prompt_revid), run.draft), model=run.model)
            return member, run, task, await accuracy.next_due(tx, run.id, DOCUMENTS_AT_ONCE)

    async def _one(
        self, member: Member, document: Document, truth: Truth, task: Task, run: AccuracyRun
    ) -> None:
        run_id = run_id_of(run.id, document.id)
        measured, drafted = await self._measuring.measure(member, document, truth, task, run, run_id)
        async with self._db.write_as(member) as tx:
            await accuracy.add_score(tx, run.id, document.id, measured, now())
            await self._extractor.discard(tx, drafted)

    async def _end(self, job: Job, state: RunState, reason: str | None) -> None:
        async with self._db.write_org(job.organization_id) as tx:
            await accuracy.set_state(tx, job.id, state, reason, now())
            await jobs.end_steps(tx, job, arguments=job.arguments, now=now(), error=reason)


def errors_of(scores: Sequence[DocumentScore]) -> list[FoundError]:
    return [
        FoundError(score.document_id, score.document_name, score.prompt_revid, value)
        for score in scores
        for value in score.judged
        if value.mark is not Mark.RIGHT
    ]


async def find_run(tx: OrgTx, run_id: str) -> AccuracyRun:
    return existing(await accuracy.get(tx, run_id), "Accuracy run not found")
