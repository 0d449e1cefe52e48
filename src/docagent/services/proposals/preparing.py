"""Prepares an uploaded document: proposes a schema and a prompt that fit, or has the agent make them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import InitVar, dataclass, replace
from datetime import timedelta

from docagent import builtin_model
from docagent.agent.ports import KillPoint
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import DocumentReadFailed, Notice, TurnEnded
from docagent.domain.documents.documents import Document
from docagent.domain.errors import DocAgentError
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.extraction.results import has_values
from docagent.domain.ids import new_id
from docagent.domain.jobs import Job, JobKind
from docagent.domain.proposals import DocumentProposal, ProposalStatus, Rehearsal, out_of_time
from docagent.domain.shown import quoted
from docagent.domain.turns.events import Failed, LimitReached, Recorded, Stopped, ToolFinished, TurnTerms
from docagent.domain.turns.permission import PROPOSABLE
from docagent.domain.turns.tools import Access, Tool
from docagent.domain.turns.turns import Subject, TurnRequest
from docagent.services.accounts.members import member_for
from docagent.services.extraction.extraction import ExtractionService
from docagent.services.extraction.extraction_tasks import find_task
from docagent.services.jobs import JobRun, JobService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.proposals.fitting import Comparison, FittingService
from docagent.services.turns.starting import TurnStarting
from docagent.store import proposals
from docagent.store.documents import documents
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import prompts, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.proposals import Candidate
from docagent.store.turns import threads, turns

STRATEGY = "tools"
"""The plain loop: others may have no tools, or want a person to judge a plan."""
TITLE = "Prepared on upload"
MESSAGE = "Create a schema for this document, create a prompt for it, and run the extraction."
"""What is wanted more exactly stands in the system text, which the built-in model does not read."""
GONE = "The document, or the member who uploaded it, is gone."
NO_START = "The server could not prepare this document, although it tried several times. Try it again."
NO_RESULT = "The agent ended without a result. Try it again, or set the document up in the chat."
NO_VALUES = (
    "No values were found on this document, so there is nothing to propose. Say in the chat what to look for."
)
NO_TEXT = "There is no text to prepare a proposal from: the document could not be read."
LOOK_AGAIN = timedelta(seconds=1)


@dataclass(eq=False)
class ProposalPreparing:
    """Does the job of preparing a document. Whatever happens, the proposal ends as proposed or failed."""

    _db: Database
    _models: ModelCalls
    _starting: TurnStarting
    _extraction: ExtractionService
    _fitting: FittingService
    _jobs: JobService
    tools: InitVar[Sequence[Tool]]
    _kill: KillPoint
    _seconds: float

    def __post_init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tuple(
            tool.name
            for tool in tools
            if not tool.sends_out and (tool.access is Access.READ_ONLY or tool.name in PROPOSABLE)
        )

    async def prepare(self, run: JobRun) -> None:
        """Propose what exists if it fits. Otherwise let the agent make a schema and a prompt in a turn of its own."""
        begun = await self._begin(run)
        if begun is None:
            return
        self._kill.reached("after commit of a proposal's beginning")
        member, document, current = begun
        comparison = await self._fitting.compare(document, run.job.arguments.get("without"))
        if comparison.best is not None:
            await self._propose(run, member, document, current, *comparison.best)
        else:
            # This may ask the outside, so it comes before the transaction.
            await self._models.choose(run.job.organization_id, None)
            await self._have_made(run, member, document, comparison)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """After the last failure, the reason stands where the proposal would."""
        current = await proposals.get(tx, job.subject_id or "", lock=True)
        if current is not None and current.status is ProposalStatus.RUNNING:
            await _fail(tx, current, NO_START)

    async def record(self, tx: OrgTx, notice: Notice) -> None:
        """Settle a proposal in the commit that ends its turn, or that ends the reading without a text."""
        if isinstance(notice, TurnEnded) and notice.proposes and notice.document_id is not None:
            current = await proposals.of_turn(tx, notice.document_id, notice.turn_id)
            if current is not None:
                await self._settle(tx, current)
        elif isinstance(notice, DocumentReadFailed):
            document = await documents.get(tx, notice.document_id)
            if document is not None and document.auto_create and document.proposal is None:
                failed = DocumentProposal(document.id, ProposalStatus.FAILED, new_id(), error=NO_TEXT)
                await proposals.put(tx, failed)

    # --- steps ------------------------------------------------------------------------------------------------

    async def _begin(self, run: JobRun) -> tuple[Member, Document, DocumentProposal] | None:
        """Note that the preparation runs. None if there is nothing to do now; a repeated job finds what is noted."""
        job = run.job
        async with self._db.write_org(job.organization_id) as tx:
            await run.alive(tx)
            document = await documents.get(tx, job.subject_id or "")
            if document is None:
                await run.finish(tx, GONE)
                return None
            current = await proposals.get(tx, document.id, lock=True)
            if current is not None and _needs_nobody(current):
                await run.finish(tx)
                return None
            if current is None or current.status is not ProposalStatus.RUNNING:
                current = DocumentProposal(document.id, ProposalStatus.RUNNING, new_id())
            user_id = job.arguments.get("user_id") or await documents.uploader_id(tx, document.id)
            member = await member_for(tx, job.organization_id, user_id)
            if member is None:
                await run.finish(tx, GONE)
                await _fail(tx, current, GONE)
                return None
            await proposals.put(tx, current)
            if await self._runs_by_its_tags(tx, run, document, current):
                return None
            if await proposals.is_being_made(tx, document.id):
                await self._jobs.postpone(tx, job, LOOK_AGAIN)
                return None
        return member, document, current

    async def _runs_by_its_tags(
        self, tx: OrgTx, run: JobRun, document: Document, current: DocumentProposal
    ) -> bool:
        """Whether a prompt with a schema runs on the document anyway, so that nobody needs to decide anything."""
        found = await prompts.with_tags(tx, document.tag_ids) if document.tag_ids else []
        for prompt in found:
            if prompt.schema_id is None:
                continue
            if await results.is_accepted(tx, document.id, prompt.revid):
                await _accept(tx, run, current, prompt)
                return True
            if await self._jobs.is_open(tx, JobKind.EXTRACT, document.id):
                await self._jobs.postpone(tx, run.job, LOOK_AGAIN)
                return True
        return False

    async def _propose(
        self,
        run: JobRun,
        member: Member,
        document: Document,
        current: DocumentProposal,
        candidate: Candidate,
        fit: builtin_model.Fit,
    ) -> None:
        """Extract with a prompt that exists, or that is proposed for another document, and propose the result."""
        prompt = candidate.prompt
        group = candidate.proposal_id or prompt.id
        rehearsing = replace(member, rehearsal=Rehearsal(group, headless=True))
        async with self._db.write_org(document.organization_id) as tx:
            if await results.is_accepted(tx, document.id, prompt.revid):
                await _accept(tx, run, current, prompt)
                return
        try:
            async with asyncio.timeout(self._seconds):
                drafted = await self._extraction.draft(
                    rehearsing, document.id, prompt.revid, run_id=run.job.id
                )
        except (DocAgentError, TimeoutError) as error:
            reason = error.detail if isinstance(error, DocAgentError) else out_of_time(self._seconds)
            async with self._db.write_org(document.organization_id) as tx:
                await run.finish(tx, reason)
                await _fail(tx, current, reason)
            return
        async with self._db.write_as(rehearsing) as tx:
            await tx.take_turns(group)
            await run.finish(tx)
            unchanged = await proposals.get(tx, document.id, lock=True)
            if unchanged is None or _needs_nobody(unchanged):
                return
            if not has_values(drafted.new.data):
                await _fail(tx, unchanged, NO_VALUES)
                return
            await find_task(tx, prompt.revid)
            with tx.joined():
                await self._extraction.store(rehearsing, drafted)
            is_proposed = await PROMPTS.is_proposed(tx, prompt.id)
            await proposals.put(
                tx,
                replace(
                    unchanged,
                    status=ProposalStatus.PROPOSED,
                    proposal_id=group if is_proposed else prompt.id,
                    prompt_revid=prompt.revid,
                    schema_revid=await proposals.schema_revid_of(tx, prompt),
                    done_at=now(),
                    reason=f"{quoted(candidate.schema_name)} fits: {fit.filled} of its {fit.fields} fields "
                    "are found here.",
                ),
            )
            self._kill.reached("before commit of a proposal that fits")

    async def _have_made(
        self, run: JobRun, member: Member, document: Document, comparison: Comparison
    ) -> None:
        """Start the agent's turn. Only one of an organisation makes something new at a time, so that the next document
        of the same kind finds it."""
        job = run.job
        async with self._db.write_org(job.organization_id) as tx:
            await tx.take_turns(f"proposals of {job.organization_id}")
            if (
                await proposals.is_being_made(tx, document.id)
                or await self._fitting.comparable(tx) != comparison.compared
            ):
                await self._jobs.postpone(tx, job, LOOK_AGAIN)
                return
            current = await proposals.get(tx, document.id, lock=True)
            if current is None or _needs_nobody(current):
                await run.finish(tx)
                return
            subject = Subject.document(document.id)
            thread_id = await threads.create(
                tx, user_id=member.user_id, subject=subject, title=TITLE, now=now()
            )
            request = TurnRequest(
                messages=[{"role": "user", "content": MESSAGE}],
                thread_id=thread_id,
                strategy=STRATEGY,
                terms=TurnTerms(proposes=True, selected_tools=self._tools),
            )
            try:
                async with tx.savepoint():
                    with tx.joined():
                        turn = await self._starting.start(member, subject, request)
            except DocAgentError as error:
                await run.finish(tx, error.detail)
                await threads.delete(tx, thread_id)
                await _fail(tx, current, error.detail)
                return
            await run.finish(tx)
            await proposals.put(tx, replace(current, turn_id=turn.id))

    async def _settle(self, tx: OrgTx, current: DocumentProposal) -> None:
        made = await proposals.result_of(tx, current.document_id)
        if made is None:
            assert current.turn_id is not None
            await _fail(tx, current, _reason(await turns.events(tx, current.turn_id)))
            return
        result = await results.get(tx.rehearsing(current.proposal_id), current.document_id, made.prompt_revid)
        if result is None or not has_values(result.data):
            await _fail(tx, current, NO_VALUES)
            return
        await proposals.drop_unused(tx, current, made)
        is_proposed = await PROMPTS.is_proposed(tx.rehearsing(current.proposal_id), made.prompt_id)
        await proposals.put(
            tx,
            replace(
                current,
                status=ProposalStatus.PROPOSED,
                proposal_id=current.proposal_id if is_proposed else made.prompt_id,
                schema_revid=made.schema_revid,
                prompt_revid=made.prompt_revid,
                done_at=now(),
            ),
        )


def _needs_nobody(current: DocumentProposal) -> bool:
    """Whether a turn prepares the document already, or it is prepared: another job was quicker."""
    if current.status is ProposalStatus.RUNNING:
        return current.turn_id is not None
    return current.status is not ProposalStatus.FAILED


async def _accept(tx: OrgTx, run: JobRun, current: DocumentProposal, prompt: Prompt) -> None:
    """Nobody needs to decide anything: the document has a result of the prompt already."""
    accepted = replace(
        current,
        status=ProposalStatus.ACCEPTED,
        prompt_revid=prompt.revid,
        schema_revid=await proposals.schema_revid_of(tx, prompt),
        done_at=now(),
        reason=f"The prompt {quoted(prompt.name)} has run on it already.",
    )
    await proposals.put(tx, accepted)
    await run.finish(tx)


def _reason(log: Sequence[Recorded]) -> str:
    """Why a turn gave no result: how it ended, or else what its last failed call was told."""
    for item in reversed(log):
        match item.event:
            case Failed(error=error):
                return error
            case LimitReached(text=text):
                return text
            case Stopped():
                return "Somebody stopped the agent."
            case ToolFinished(is_error=True, summary=summary) if summary:
                return f"{NO_RESULT} {summary}"
    return NO_RESULT


async def _fail(tx: OrgTx, proposal: DocumentProposal, reason: str) -> None:
    """Keep the reason, and remove what was made, unless other documents share it."""
    await proposals.drop_result(tx, proposal.document_id)
    if not await proposals.others_in(tx, proposal):
        await proposals.drop_heads(tx, proposal.proposal_id)
    failed = replace(
        proposal, status=ProposalStatus.FAILED, error=reason, schema_revid=None, prompt_revid=None
    )
    await proposals.put(tx, failed)
