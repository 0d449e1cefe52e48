"""Runs: one prompt over many documents, with an estimate first. A run survives the process and waits for credits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from docagent.domain.accounts.accounts import NO_MEMBER_ANY_MORE, Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import ExtractionFailed, PromptRunEnded
from docagent.domain.documents.documents import Document
from docagent.domain.errors import Conflict, Forbidden, InvalidInput, NotFound, Noun, existing
from docagent.domain.extraction.runs import Estimate, Plan, Run, RunState, Selection, run_of
from docagent.domain.jobs import Job, JobKind
from docagent.domain.listing import Found
from docagent.domain.repeats import Repeat
from docagent.services.accounts.members import member_for
from docagent.services.deliveries.bus import Bus
from docagent.services.extraction.extraction_tasks import Task, find_task, newest_task
from docagent.services.extraction.extractor import Extractor, run_id_of
from docagent.services.extraction.run_steps import (
    DOCUMENTS_AT_ONCE,
    MOST_FAILED_IN_A_ROW,
    Outcome,
    all_outcomes,
    next_step,
    outcome_of,
    unpaid_of,
)
from docagent.services.jobs import JobRun, JobService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.repeats import keep, once
from docagent.store import jobs
from docagent.store.documents import tags
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import prompt_runs

MOST_CHOSEN = 1000


@dataclass(eq=False)
class PromptRunService:
    _db: Database
    _jobs: JobService
    _extractor: Extractor
    _models: ModelCalls
    _bus: Bus

    # --- asking for it ----------------------------------------------------------------------------------------

    async def estimate(self, member: Member, prompt_id: str, selection: Selection) -> Estimate:
        """What a run would be about, and about what it would cost. Nothing is started."""
        async with self._db.read_as(member, long=True) as tx:
            task = await _task(tx, prompt_id, selection)
            due = await prompt_runs.due(tx, task.prompt_id, task.prompt_version, selection)
            per_page = await prompt_runs.characters_per_page(
                tx, task.prompt_id, task.prompt_version, selection
            )
        model = await self._models.choose(member.organization_id, task.model)
        credits = sum(
            count * self._models.estimate(model, pages * per_page + len(task.content), pages)
            for pages, count in due.by_pages
        )
        return Estimate(due.documents, due.pages, credits, model.name, due.unread)

    async def start(
        self, member: Member, prompt_id: str, selection: Selection, repeat: Repeat | None = None
    ) -> Run:
        return await once(
            self._db,
            member,
            repeat,
            lambda: self._start(member, prompt_id, selection, repeat),
            lambda made: self.get(member, prompt_id, made["run_id"]),
        )

    async def _start(
        self, member: Member, prompt_id: str, selection: Selection, repeat: Repeat | None
    ) -> Run:
        async with self._db.write_as(member, long=True) as tx:
            task = await _task(tx, prompt_id, selection)
            await tx.take_turns(f"run {tx.organization_id} {task.prompt_id}")
            if await jobs.is_open(tx, JobKind.RUN_PROMPT, task.prompt_id):
                raise Conflict("This prompt is already running. Wait for the run to end, or stop it first.")
            due = await prompt_runs.due(tx, task.prompt_id, task.prompt_version, selection)
            if not due.documents:
                raise InvalidInput(
                    "There is nothing to run: each of these documents has a result already or is not read yet."
                )
            plan = Plan(task.prompt_revid, member.user_id, selection, due.last)
            job_id = await self._jobs.enqueue(
                tx, JobKind.RUN_PROMPT, task.prompt_id, plan.as_json(), progress_total=due.documents
            )
            await keep(tx, repeat, {"run_id": job_id})
            return await _find(tx, prompt_id, job_id)

    async def of_prompt(self, member: Member, prompt_id: str, *, skip: int, limit: int) -> Found[Run]:
        """The runs of a prompt, newest first. Those that are long over are forgotten, as all jobs are."""
        async with self._db.read_as(member) as tx:
            task = await newest_task(tx, prompt_id)
            found = await jobs.recent(
                tx, subject_id=task.prompt_id, kind=JobKind.RUN_PROMPT, skip=skip, limit=limit
            )
        return Found([run_of(job) for job in found.items], found.total, skip)

    async def get(self, member: Member, prompt_id: str, run_id: str) -> Run:
        async with self._db.read_as(member) as tx:
            return await _find(tx, prompt_id, run_id)

    async def stop(self, member: Member, prompt_id: str, run_id: str) -> Run:
        """End a run. What is under way is still finished and kept; nothing happens to a run that is over."""
        async with self._db.write_as(member) as tx:
            run = await _find(tx, prompt_id, run_id)
            if await jobs.stop(tx, run.id, now()):
                run = await _find(tx, prompt_id, run_id)
                await self._bus.announce(tx, _ended(tx, run))
        return run

    # --- doing it ---------------------------------------------------------------------------------------------

    async def go_on(self, run: JobRun) -> None:
        """Do the next step: a few documents at once. Whatever is killed is done again, and no reply paid for twice."""
        job = run.job
        plan = Plan.of_json(job.arguments)
        try:
            member, task, documents = await self._next(job, plan)
        except (Forbidden, NotFound) as error:
            await self._end(run, plan, error.detail)
            return
        if not documents:
            await self._end(run, replace(plan, done=(job.progress_total or 0) - plan.failed), None)
            return
        outcomes = await all_outcomes(
            [outcome_of(one, partial(self._one, member, one, task, job)) for one in documents]
        )
        plan = await self._counted(job, _after(plan, outcomes), task)
        unpaid = unpaid_of(outcomes)
        failed = [outcome.document for outcome in outcomes if outcome.failure]
        if plan.failed_in_a_row >= MOST_FAILED_IN_A_ROW:
            reason = f"{plan.failed_in_a_row} documents failed one after another: {plan.last_failure}"
            await self._end(run, plan, reason, failed)
            return
        async with self._db.write_org(job.organization_id) as tx:
            await self._tell_failures(tx, job, plan, failed)
            await next_step(tx, job, plan.as_json(), plan.done + plan.failed, unpaid)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Tell that the run failed, in the transaction that gives its job up."""
        found = await jobs.get(tx, job.id)
        if found is not None:
            await self._bus.announce(tx, _ended(tx, run_of(found)))

    async def _next(self, job: Job, plan: Plan) -> tuple[Member, Task, list[Document]]:
        """Raises Forbidden or NotFound if the member or the prompt is gone."""
        async with self._db.read_org(job.organization_id, long=True) as tx:
            member = await member_for(tx, job.organization_id, plan.user_id)
            if member is None:
                raise Forbidden(NO_MEMBER_ANY_MORE)
            task = await find_task(tx, plan.prompt_revid)
            documents = await prompt_runs.next_due(
                tx,
                task.prompt_id,
                task.prompt_version,
                plan.selection,
                after=plan.after,
                last=plan.last,
                limit=DOCUMENTS_AT_ONCE,
            )
        return member, task, documents

    async def _counted(self, job: Job, plan: Plan, task: Task) -> Plan:
        async with self._db.read_org(job.organization_id, long=True) as tx:
            left = await prompt_runs.number_left(
                tx, task.prompt_id, task.prompt_version, plan.selection, after=plan.after, last=plan.last
            )
        return replace(plan, done=max(0, (job.progress_total or 0) - plan.failed - left))

    async def _one(self, member: Member, document: Document, task: Task, job: Job) -> None:
        run_id = run_id_of(job.id, document.id)
        await self._extractor.extract(member, document, task, run_id=run_id, job_id=job.id)

    async def _end(
        self, run: JobRun, plan: Plan, problem: str | None, failed: Sequence[Document] = ()
    ) -> None:
        """End the run; with a problem it has failed, and what it did is kept."""
        job = run.job
        async with self._db.write_org(job.organization_id) as tx:
            await self._tell_failures(tx, job, plan, failed)
            await jobs.end_steps(tx, job, arguments=plan.as_json(), now=now(), error=problem)
            await self.give_up(tx, job)

    async def _tell_failures(self, tx: OrgTx, job: Job, plan: Plan, failed: Sequence[Document]) -> None:
        for document in failed:
            notice = ExtractionFailed(tx.organization_id, now(), document.id, plan.prompt_revid, job.id)
            await self._bus.announce(tx, notice)


async def _task(tx: OrgTx, prompt_id: str, selection: Selection) -> Task:
    if len(selection.document_ids or ()) > MOST_CHOSEN:
        raise InvalidInput(f"Choose at most {MOST_CHOSEN} documents, or a tag, or run on everything.")
    task = await newest_task(tx, prompt_id)
    tag_id = selection.tag_id
    if tag_id is not None:
        existing(await tags.get(tx, tag_id), "Tag not found", Noun.TAG)
    return task


async def _find(tx: OrgTx, prompt_id: str, run_id: str) -> Run:
    job = await jobs.get(tx, run_id)
    if job is None or job.kind is not JobKind.RUN_PROMPT or job.subject_id != prompt_id:
        raise NotFound("Run not found")
    return run_of(job)


def _after(plan: Plan, outcomes: Sequence[Outcome]) -> Plan:
    """The plan behind what is done. It continues with the first document that could not be paid for."""
    after = plan.after
    for outcome in outcomes:
        if outcome.unpaid:
            break
        after = outcome.document.id
    dealt_with = [one for one in outcomes if one.document.id <= after]
    return plan.after_step(
        after,
        [one.failure for one in dealt_with if one.failure],
        any_succeeded=any(not one.failure and not one.unpaid for one in outcomes),
    )


def _ended(tx: OrgTx, run: Run) -> PromptRunEnded:
    outcome: Literal["done", "stopped", "failed"] = "done"
    if run.state is RunState.STOPPED:
        outcome = "stopped"
    elif run.state is RunState.FAILED:
        outcome = "failed"
    return PromptRunEnded(
        organization_id=tx.organization_id,
        at=now(),
        run_id=run.id,
        prompt_id=run.prompt_id,
        prompt_revid=run.prompt_revid,
        outcome=outcome,
        done=run.done,
        failed=run.failed,
        user_id=run.created_by,
    )
