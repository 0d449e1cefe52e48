"""Extraction as users and jobs ask for it: now, in the background, after reading, in bulk."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import CallbackDue, ExtractionFailed
from docagent.domain.documents.documents import Document, DocumentState, parse_metadata_search
from docagent.domain.errors import DocAgentError, NotFound, Noun, ReadFailure, existing
from docagent.domain.extraction.results import Result
from docagent.domain.failure_codes import failure_code
from docagent.domain.ids import new_id
from docagent.domain.jobs import CRASHED, Job, JobKind
from docagent.domain.listing import ListQuery
from docagent.domain.repeats import Repeat
from docagent.services.accounts.members import member_for
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.documents import find_document
from docagent.services.documents.text import blank_pages_reason
from docagent.services.extraction.extraction_tasks import Task, automatic_tasks, find_task, prompt_task
from docagent.services.extraction.extractor import (
    REPLIES_PER_PROMPT,
    Drafted,
    Extractor,
    Progress,
    run_id_of,
)
from docagent.services.jobs import JobRun, JobService
from docagent.services.repeats import LongRequests, Made, keep, once
from docagent.store.documents import documents
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import parts, prompts, results

TEXT_WAIT_SECONDS = 30.0
TEXT_POLL_SECONDS = 0.2
LOOK_AGAIN = timedelta(seconds=30)
"""When a job is tried again whose document is not read yet. The end of the reading makes it due at once."""
UNREAD = (DocumentState.UPLOADED, DocumentState.OCR_PROCESSING)

Mode = Literal["all", "missing", "outdated"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A prompt, and the documents on which a bulk run would run it."""

    task: Task
    documents: list[Document]


@dataclass(eq=False)
class ExtractionService:
    _db: Database
    _jobs: JobService
    _extractor: Extractor
    _bus: Bus
    _long_requests: LongRequests

    # --- asking for it ----------------------------------------------------------------------------------------

    async def run(
        self,
        member: Member,
        document_id: str,
        prompt_revid: str,
        *,
        force: bool,
        repeat: Repeat | None = None,
    ) -> Result:
        """The stored result, or a new one, made now, if there is none or `force` is on."""

        async def again(made: Made) -> Result:
            async with self._db.read_as(member) as tx:
                stored = await results.get(tx, document_id, made["prompt_revid"])
                return existing(stored, "The result of this request was deleted afterwards.")

        return await self._long_requests.once(
            member, repeat, lambda: self._run(member, document_id, prompt_revid, force, repeat), again
        )

    async def _run(
        self, member: Member, document_id: str, prompt_revid: str, force: bool, repeat: Repeat | None
    ) -> Result:
        document = await self._readable(member, document_id)
        async with self._db.read_as(member) as tx:
            task = await find_task(tx, prompt_revid)
            stored = await results.get(tx, document_id, task.prompt_revid)
        if stored is not None and not force:
            return stored
        # Replies are kept under the run: what a process paid for before it died is not paid for again.
        run_id = new_id() if repeat is None else run_id_of(repeat.asker, repeat.key, repeat.request)
        try:
            return await self._extractor.extract(member, document, task, run_id=run_id, repeat=repeat)
        except DocAgentError:
            async with self._db.write_as(member) as tx:  # whoever sends it again wants other replies
                await parts.forget(tx, run_id, 0, REPLIES_PER_PROMPT)
            raise

    async def draft(
        self,
        member: Member,
        document_id: str,
        prompt_revid: str,
        *,
        run_id: str,
        progress: Progress | None = None,
    ) -> Drafted:
        """Make a new result without storing it. `run_id` is any text; with the same one, no reply is paid for twice."""
        document = await self._readable(member, document_id)
        async with self._db.read_as(member) as tx:
            task = await find_task(tx, prompt_revid)
        return await self._extractor.draft(
            member, document, task, run_id=run_id_of(run_id), progress=progress
        )

    async def store(self, member: Member, drafted: Drafted) -> Result:
        return await self._extractor.store(member, drafted)

    async def task(self, member: Member, prompt_revid: str) -> Task:
        """What a prompt revision, or the default prompt, asks of documents."""
        async with self._db.read_as(member) as tx:
            return await find_task(tx, prompt_revid)

    async def request(
        self, member: Member, document_id: str, prompt_revid: str, repeat: Repeat | None = None
    ) -> str:
        """Queue an extraction; returns the job's id."""

        async def queue() -> str:
            arguments = {"prompt_revids": [prompt_revid], "user_id": member.user_id}
            async with self._db.write_as(member) as tx:
                await find_document(tx, document_id)
                await find_task(tx, prompt_revid)
                job_id = await self._jobs.enqueue(tx, JobKind.EXTRACT, document_id, arguments)
                await keep(tx, repeat, {"job_id": job_id})
            return job_id

        async def again(made: Made) -> str:
            return str(made["job_id"])

        return await once(self._db, member, repeat, queue, again)

    async def after_reading(self, tx: OrgTx, document: Document) -> None:
        """Queue the extractions that the organisation runs on every new document, as part of the end of its reading."""
        await self._jobs.make_due(tx, JobKind.EXTRACT, document.id)
        tasks = await automatic_tasks(tx, document)
        if tasks:
            await self._jobs.enqueue(
                tx, JobKind.EXTRACT, document.id, {"prompt_revids": [task.prompt_revid for task in tasks]}
            )

    async def plan_bulk(
        self, member: Member, tag_id: str, mode: Mode, query: ListQuery, *, metadata_search: str | None
    ) -> list[Planned]:
        """Which prompts with this tag a bulk run would run on which documents."""
        async with self._db.read_as(member, long=True) as tx:
            matching = await documents.search(
                tx,
                replace(query, skip=0, limit=1000),
                tag_ids=[tag_id],
                metadata=parse_metadata_search(metadata_search),
            )
            found = matching.items
            done = await results.versions_done(tx, [document.id for document in found])
            planned = []
            for prompt in await prompts.with_tags(tx, [tag_id]):
                task = await prompt_task(tx, prompt)
                due = [
                    document
                    for document in found
                    if _is_due(mode, done.get((document.id, task.prompt_id)), task.prompt_version)
                ]
                if due:
                    planned.append(Planned(task, due))
        return planned

    # --- doing it ---------------------------------------------------------------------------------------------

    async def extract_document(self, run: JobRun) -> None:
        """Do the job: run each prompt in turn. Results are kept even if another prompt fails."""
        job = run.job
        member = await self._member(job)
        prompt_revids: list[str] = job.arguments["prompt_revids"]
        async with self._db.write_org(job.organization_id) as tx:
            document = await documents.get(tx, job.subject_id or "")
            if document is None or member is None:
                await run.finish(tx, "The document or its owner was deleted.", "not_found")
                return
            if document.text_run_id is None and not await self._is_readable_by(tx, run, document):
                return
            await documents.set_state(tx, document.id, DocumentState.LLM_PROCESSING, now())
        failures: dict[str, DocAgentError] = {}
        for position, prompt_revid in enumerate(prompt_revids):
            progress = self._progress(run, position, len(prompt_revids))
            await progress(0, 1)
            async with self._db.read_org(job.organization_id) as tx:
                stored = await results.get(tx, document.id, prompt_revid)
            if stored is not None and (job.arguments.get("only_missing") or stored.run.job_id == job.id):
                continue
            try:
                async with self._db.read_org(job.organization_id) as tx:
                    task = await find_task(tx, prompt_revid)
                await self._extractor.extract(
                    member,
                    document,
                    task,
                    run_id=job.id,
                    place=position,
                    job_id=job.id,
                    progress=progress,
                )
            except DocAgentError as error:
                failures[prompt_revid] = error
        async with self._db.write_org(job.organization_id) as tx:
            await self._end(tx, run, document, failures, len(prompt_revids))

    async def _is_readable_by(self, tx: OrgTx, run: JobRun, document: Document) -> bool:
        """End or put off a job whose document has no text, and return False; blank documents are extracted from."""
        if document.state in UNREAD:
            await self._jobs.postpone(tx, run.job, LOOK_AGAIN)
            return False
        if document.state is not DocumentState.OCR_FAILED:
            return True
        reason = document.state_reason or "The document cannot be read."
        await run.finish(tx, reason, document.state_reason_code)
        for prompt_revid in run.job.arguments["prompt_revids"]:
            await self._tell_failure(tx, run.job, prompt_revid)
        await self._call_back(tx, run.job, reason)
        return False

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Record that the job failed for the last time, in the transaction that gives it up."""
        if job.subject_id is not None:
            await documents.set_state(
                tx,
                job.subject_id,
                DocumentState.LLM_FAILED,
                now(),
                reason="The extraction failed several times. The text is kept; run the extraction again.",
                reason_code=CRASHED,
            )
            await self._tell_failure(tx, job, None)
            await self._call_back(tx, job, "The extraction failed several times.")

    def _progress(self, run: JobRun, position: int, prompts_in_all: int) -> Progress:
        """A callback that records the job's progress in windows, as if each prompt had as many as this one."""

        async def tell(done: int, of: int) -> None:
            async with self._db.write_org(run.job.organization_id) as tx:
                await run.alive(tx, progress=of * position + done, total=of * prompts_in_all)

        return tell

    async def _end(
        self, tx: OrgTx, run: JobRun, document: Document, failures: dict[str, DocAgentError], wanted: int
    ) -> None:
        failed = bool(failures) and len(failures) == wanted
        failure = next(iter(failures.values()), None)
        blank = None
        if failure is None:
            blank = await blank_pages_reason(tx, document, document.text_run_id or "")
        await documents.set_state(
            tx,
            document.id,
            DocumentState.LLM_FAILED if failed else DocumentState.LLM_COMPLETED,
            now(),
            reason=failure.detail if failure else blank,
            reason_code="extraction" if failure else ReadFailure.NO_TEXT if blank else None,
        )
        await run.alive(tx, progress=100 * wanted, total=100 * wanted)
        if failure is None:
            await run.finish(tx)
        else:
            await run.finish(tx, failure.detail, failure_code(failure))
        for prompt_revid in failures:
            await self._tell_failure(tx, run.job, prompt_revid)
        await self._call_back(tx, run.job, failure.detail if failure else None)

    async def _call_back(self, tx: OrgTx, job: Job, error: str | None) -> None:
        """Tell whoever asked for it how the job ended."""
        if (callback_id := job.arguments.get("callback_id")) is not None:
            revid, document_id = job.arguments["prompt_revids"][0], job.subject_id or ""
            asker = job.arguments.get("credential_id")
            notice = CallbackDue(
                tx.organization_id, now(), callback_id, job.id, document_id, revid, error, asker
            )
            await self._bus.announce(tx, notice)

    async def _tell_failure(self, tx: OrgTx, job: Job, prompt_revid: str | None) -> None:
        notice = ExtractionFailed(tx.organization_id, now(), job.subject_id or "", prompt_revid, job.id)
        await self._bus.announce(tx, notice)

    async def _readable(self, member: Member, document_id: str) -> Document:
        """The document with its text. Waits a while if it is still being read."""
        deadline = asyncio.get_running_loop().time() + TEXT_WAIT_SECONDS
        while True:
            async with self._db.read_as(member) as tx:
                document = await find_document(tx, document_id)
            if document.text_run_id is not None:
                return document
            if document.state not in UNREAD or asyncio.get_running_loop().time() > deadline:
                raise NotFound("OCR required but not run for this document", Noun.TEXT)
            await asyncio.sleep(TEXT_POLL_SECONDS)

    async def _member(self, job: Job) -> Member | None:
        """The member for whom a job runs: the one who asked for it, else the one who uploaded the document."""
        async with self._db.read_org(job.organization_id) as tx:
            user_id = job.arguments.get("user_id") or await documents.uploader_id(tx, job.subject_id or "")
            return await member_for(tx, job.organization_id, user_id)


def _is_due(mode: Mode, done: int | None, newest: int) -> bool:
    if mode == "all" or done is None:
        return True
    return mode == "outdated" and done < newest
