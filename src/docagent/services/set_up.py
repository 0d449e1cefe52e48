"""Sets a document up: starts a turn by itself if the uploader asked for a schema and a prompt."""

from __future__ import annotations

from docagent.domain.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import DocAgentError
from docagent.domain.events import Event, Failed, TurnStarted, UserMessage
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job
from docagent.domain.turns import Subject, Turn, TurnRequest, TurnState
from docagent.services.jobs import JobRun
from docagent.services.members import member_for
from docagent.services.model_calls import ModelCalls
from docagent.services.turns.runner import TurnRunner, failure_code
from docagent.services.turns.starting import TurnStarting
from docagent.store import documents, threads, turns
from docagent.store.engine import Database, OrgTx

TITLE = "Set this document up"
MESSAGE = "Create a schema for this document, create a prompt for it, and run the extraction."
"""Worded so that the built-in model understands it too."""
GONE = "The document, or the member who uploaded it, is gone."
NO_START = "The server could not begin, although it tried several times. Nothing was changed; send it again."


class SetUpService:
    """Starts the turn. As always, the agent asks before each change: its proposals wait for the uploader."""

    def __init__(self, db: Database, models: ModelCalls, starting: TurnStarting, runner: TurnRunner) -> None:
        self._db = db
        self._models = models
        self._starting = starting
        self._runner = runner

    async def start(self, run: JobRun) -> None:
        """Do the job. The thread, its turn and the job's end are one commit, so a repeated job starts no second one."""
        job = run.job
        member = await self._uploader(job)
        if member is None:
            async with self._db.write_org(job.organization_id) as tx:
                await run.finish(tx, GONE)
            return
        # This may ask the outside, so it comes before the transaction.
        await self._models.choose(job.organization_id, None)
        async with self._db.write_org(job.organization_id) as tx:
            await run.finish(tx)
            subject = Subject.document(job.subject_id or "")
            thread_id = await _new_thread(tx, member, subject)
            try:
                with tx.joined():
                    await self._starting.start(member, subject, _request(thread_id))
            except DocAgentError as error:
                failed = Failed(error.detail, failure_code(error))
                await self._not_started(tx, member, subject, thread_id, failed)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """After the last failure, leave a conversation in which the member finds why the job failed."""
        with tx.joined():
            member = await self._uploader(job)
        if member is not None:
            subject = Subject.document(job.subject_id or "")
            thread_id = await _new_thread(tx, member, subject)
            await self._not_started(tx, member, subject, thread_id, Failed(NO_START, "internal"))

    async def _uploader(self, job: Job) -> Member | None:
        """The member who uploaded the document; None if the member or the document is gone."""
        async with self._db.read_org(job.organization_id) as tx:
            user_id = await documents.uploader_id(tx, job.subject_id or "")
            return await member_for(tx, job.organization_id, user_id)

    async def _not_started(
        self, tx: OrgTx, member: Member, subject: Subject, thread_id: str, failed: Failed
    ) -> None:
        """Write a failed turn, so that the reason stands where the answer would."""
        moment = now()
        events: list[Event] = [TurnStarted(model="", strategy="", max_steps=0), UserMessage(MESSAGE)]
        turn = Turn(
            id=new_id(),
            organization_id=member.organization_id,
            user_id=member.user_id,
            subject=subject,
            thread_id=thread_id,
            position=await threads.next_position(tx, thread_id),
            state=TurnState.RUNNING,
            model="",
            strategy="",
            last_seq=len(events),
            created_at=moment,
            updated_at=moment,
        )
        await turns.insert(tx, turn, owner=self._runner.owner, lease_until=moment + self._runner.lease)
        await turns.add_events(tx, turn.id, 1, events, moment)
        with tx.joined():
            await self._runner.end(turn, lambda _: [failed])


async def _new_thread(tx: OrgTx, member: Member, subject: Subject) -> str:
    return await threads.create(tx, user_id=member.user_id, subject=subject, title=TITLE, now=now())


def _request(thread_id: str) -> TurnRequest:
    return TurnRequest(messages=[{"role": "user", "content": MESSAGE}], thread_id=thread_id)
