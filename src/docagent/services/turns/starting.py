"""Starting turns: a message becomes the first events of a log, and the runner takes it from there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from docagent.agent.acting import REQUEST_INPUT, rejected
from docagent.agent.loop import kept
from docagent.agent.sanitise import sanitise
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Strategy
from docagent.agent.strategies.registry import DECIDE, Strategies
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, NotFound, Noun
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.proposals import DocumentProposal, ProposalStatus
from docagent.domain.turns import events
from docagent.domain.turns.turns import (
    NEW_THREAD_TITLE,
    TITLE_LENGTH,
    Subject,
    Thread,
    Turn,
    TurnRequest,
    TurnState,
    WorkingState,
)
from docagent.services.extraction.proposed import proposed_now
from docagent.services.models.credits import CreditService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.projects.living_documents import find_living_document
from docagent.services.turns.context.mentions import resolve
from docagent.services.turns.context.sources import check_sources
from docagent.services.turns.own import turn_once
from docagent.services.turns.runner import TurnRunner
from docagent.services.turns.steering import TurnSteering
from docagent.services.turns.subjects import find_subject
from docagent.services.turns.threads import cut_thread, find_thread
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import threads, turns


class StrategyChoice:
    """Which strategy runs a turn: the request's, else the organisation's, else the deployment's."""

    def __init__(self, db: Database, strategies: Strategies, default: str) -> None:
        self._db = db
        self._strategies = strategies
        self._default = default

    def check(self, requested: str | None) -> None:
        """Raises InvalidInput for an unknown name."""
        if requested is not None:
            self._strategies.get(requested)

    async def choose(self, tx: OrgTx, requested: str | None) -> Strategy:
        if requested is not None:
            return self._strategies.get(requested)
        preferred = await organizations.loop_strategy(tx, tx.organization_id)
        if preferred is not None and preferred in self._strategies:
            return self._strategies.get(preferred)
        return self._strategies.get(self._default)

    async def default(self, member: Member) -> str:
        """The strategy for the organisation's messages that name none."""
        async with self._db.read_org(member.organization_id) as tx:
            return (await self.choose(tx, None)).name

    async def preferred(self, member: Member) -> str | None:
        """The strategy that the organisation has chosen; None leaves the choice to the deployment."""
        async with self._db.read_org(member.organization_id) as tx:
            return await organizations.loop_strategy(tx, member.organization_id)

    async def prefer(self, member: Member, name: str | None) -> str | None:
        """Choose the organisation's strategy. Returns its name as the list has it."""
        member.require_admin("choose its strategy")
        chosen = None if name is None else self._strategies.get(name).name
        async with self._db.write_org(member.organization_id) as tx:
            await organizations.update(tx, member.organization_id, {"loop_strategy": chosen})
        return chosen


ANOTHER_MESSAGE = "The user sent another message instead."


class _Deserted(Exception):
    """A turn of the thread has to be stopped before another can begin."""

    def __init__(self, turn_id: str) -> None:
        super().__init__(turn_id)
        self.turn_id = turn_id


@dataclass(eq=False)
class TurnStarting:
    _db: Database
    _runner: TurnRunner
    _steering: TurnSteering
    _models: ModelCalls
    _credits: CreditService
    _choice: StrategyChoice
    _most_steps: int

    async def start(self, member: Member, subject: Subject, request: TurnRequest) -> Turn:
        """Begin a turn, which then runs by itself. If it cannot begin, it raises before anything is stored.

        A repeated request gets the turn that the first one began.
        """
        return await turn_once(
            self._db, member, request.repeat, lambda: self._begun(member, subject, request)
        )

    async def _begun(self, member: Member, subject: Subject, request: TurnRequest) -> Turn:
        self._choice.check(request.strategy)
        await self._check_tools(member, subject, request.terms)
        chosen = await self._models.choose(
            member.organization_id, request.model, strict=request.model is not None, for_chat=True
        )
        try:
            return await self._start(member, subject, request, chosen)
        except _Deserted as left:
            await self._steering.stop(member, left.turn_id)
            return await self._start(member, subject, request, chosen, again=True)

    async def _start(
        self,
        member: Member,
        subject: Subject,
        request: TurnRequest,
        chosen: ChosenModel,
        *,
        again: bool = False,
    ) -> Turn:
        text, history = _question(request)
        moment = now()
        unlimited = False
        async with self._db.write_org(member.organization_id) as tx:
            if not chosen.is_built_in:
                with tx.joined():
                    unlimited = not await self._credits.check(member.organization_id)
            found = await find_subject(tx, subject)
            proposal = _worked_on(found.proposal, request.terms)
            strategy = DECIDE
            if not request.terms.acts:
                strategy = (await self._choice.choose(tx, request.strategy)).name
            await resolve(tx, request.terms.mentions, subject.project_id)
            await _check_open_document(tx, subject, request.terms.open_document_id)
            sources = await check_sources(tx, request.terms.data_sources)
            state, position = WorkingState(), 1
            thread_id = request.thread_id
            if thread_id is None and request.begins_thread:
                thread_id = await threads.create(
                    tx, user_id=member.user_id, subject=subject, title=NEW_THREAD_TITLE, now=moment
                )
            if thread_id is not None:
                thread = await find_thread(tx, member, subject, thread_id, lock=True)
                state, history = await self._make_room(tx, thread, request, again=again), ()
                title = title_of(text) if thread.title == NEW_THREAD_TITLE else None
                position = await threads.next_position(tx, thread.id, moment, title=title)
            if proposal is not None and state.prompt_revid is None:
                state = (await proposed_now(tx, proposal)).working_state
            started = events.TurnStarted(
                model=chosen.name,
                strategy=strategy,
                max_steps=min(request.max_steps or self._most_steps, self._most_steps),
                terms=request.terms,
                files=(found.line, *(f"{name} (data source)" for name in sources)),
                state=state.as_json(),
                history=history,
                proposal_id=proposal.proposal_id if proposal else None,
            )
            added: list[events.Event] = [started, events.UserMessage(text), events.StepStarted(1)]
            turn = Turn.begun(member, subject, added, moment, thread_id=thread_id, position=position)
            await self._runner.begin(tx, turn, member, added, request.repeat, chosen, unlimited=unlimited)
        return turn

    async def _check_tools(self, member: Member, subject: Subject, terms: events.TurnTerms) -> None:
        """Refuse names that no tool of such a conversation has: a slip would offer or allow less than was meant."""
        known = {tool.name for tool in await self._runner.tools(member, subject)}
        for field, names in (
            ("selected_tools", terms.selected_tools or ()),
            ("auto_approved_tools", terms.auto_approved_tools),
        ):
            unknown = sorted(set(names) - known - {REQUEST_INPUT.name})
            if unknown:
                raise InvalidInput(
                    f"Unknown tool in {field}: {', '.join(unknown)[:200]}. "
                    f"The tools of this conversation are: {', '.join(sorted(known))}."
                )

    async def _make_room(
        self, tx: OrgTx, thread: Thread, request: TurnRequest, *, again: bool
    ) -> WorkingState:
        """Make sure that no other turn of the thread is open. An edited message first replaces the turns after it.

        Returns the working state at this place of the conversation. Raises _Deserted for a turn that runs though its
        client went away: who sends another message does not come back to it.
        """
        state = thread.state
        if request.keep_messages is not None:
            cut = await cut_thread(tx, thread.id, request.keep_messages)
            state = cut.state or state
            with tx.joined():
                for turn in cut.waiting:
                    await self._runner.end_waiting(turn.organization_id, turn.id, _replaced_by(turn.user_id))
        current = await turns.open_turn(tx, thread.id)
        if current is not None and current.state.is_waiting and request.says_no:
            with tx.joined():
                no = partial(declined, user_id=current.user_id, reason=ANOTHER_MESSAGE)
                await self._runner.end_waiting(current.organization_id, current.id, no)
            current = await turns.open_turn(tx, thread.id)
        if current is None:
            return state
        is_deserted = current.state is TurnState.RUNNING and current.deserted_at is not None
        if is_deserted and current.user_id == thread.user_id and not again:
            raise _Deserted(current.id)
        if current.state.is_waiting:
            raise Conflict(
                "This conversation waits for you. Decide on the pending actions, or stop that turn, "
                f"before you send another message. The turn is {current.id}."
            )
        raise Conflict(f"The agent is still working on your last message. Stop turn {current.id}, or wait.")


async def _check_open_document(tx: OrgTx, subject: Subject, document_id: str | None) -> None:
    if document_id is None:
        return
    if subject.project_id is None:
        raise InvalidInput("open_document_id is for conversations about a project. Leave it out here.")
    try:
        await find_living_document(tx, subject.project_id, document_id)
    except NotFound as error:
        raise NotFound(
            f"The open document is not in this project: {document_id}. It may have been deleted; open another one.",
            Noun.LIVING_DOCUMENT,
        ) from error


def _worked_on(found: DocumentProposal | None, terms: events.TurnTerms) -> DocumentProposal | None:
    """The proposal that the turn prepares, or that waits for a verdict on its document and may be refined."""
    wanted = ProposalStatus.RUNNING if terms.proposes else ProposalStatus.PROPOSED
    return found if found is not None and found.status is wanted else None


def declined(view: TurnView, *, user_id: str, reason: str) -> list[events.Event]:
    """A no to everything that waits, recorded as one, and the end of the turn. What waited with it does not run."""
    added: list[events.Event] = []
    for call in view.undecided:
        verdict = events.ApprovalDecided(call.id, False, user_id, reason=reason)
        added += [verdict, rejected(call, verdict)]
    if view.waits_for_plan and view.plan is not None:
        added.append(events.PlanDecided(view.plan.revision, False, user_id, reason=reason))
    return [*added, events.Stopped("user", user_id, kept(view))]


def _replaced_by(user_id: str) -> Callable[[TurnView], Sequence[events.Event]]:
    return lambda view: [events.Stopped("user", user_id, kept(view))]


def _question(request: TurnRequest) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """The last message, which is the user's, and the messages before it."""
    cleaned = sanitise(request.messages)
    if not cleaned or cleaned[-1].get("role") != "user" or not str(cleaned[-1].get("content") or "").strip():
        raise InvalidInput("The last message must be the user's and must not be empty.")
    return str(cleaned[-1]["content"]), tuple(cleaned[:-1])


def title_of(text: str) -> str:
    """The title of a conversation that begins with this message."""
    line = " ".join(text.split())
    return line[:TITLE_LENGTH] or NEW_THREAD_TITLE
