"""What people do with turns: start them, decide, answer, steer, stop, watch, take back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from docagent.agent.acting import describe_call
from docagent.agent.loop import kept
from docagent.agent.sanitise import sanitise
from docagent.agent.state import TurnView
from docagent.agent.strategies.registry import Strategies
from docagent.domain.accounts import Member
from docagent.domain.clock import now
from docagent.domain.documents import Document
from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.events import (
    ApprovalDecided,
    ApprovalRequested,
    Event,
    InputGiven,
    Mention,
    PlanDecided,
    Recorded,
    RequestedCall,
    Steered,
    StepStarted,
    Stopped,
    Terminal,
    TurnStarted,
    Undone,
    UserMessage,
)
from docagent.domain.ids import is_id, new_id
from docagent.domain.permission import Effect, Rule
from docagent.domain.tools import BadCall, CallContext, Scope
from docagent.domain.turns import NEW_THREAD_TITLE, TITLE_LENGTH, Thread, Turn, TurnState, WorkingState
from docagent.services.credits import CreditService
from docagent.services.documents import find_document
from docagent.services.model_calls import ModelCalls
from docagent.services.turns.choice import StrategyChoice
from docagent.services.turns.journal import transcript_of
from docagent.services.turns.live import Item
from docagent.services.turns.mentions import resolve
from docagent.services.turns.runner import TurnRunner
from docagent.services.turns.sources import check_sources
from docagent.services.turns.threads import cut_thread, find_thread
from docagent.store import permission_rules, threads, turns
from docagent.store.engine import Database, OrgTx

NO_TURN = "Turn expired or not found"
REMOTE_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A message for the agent, with the terms on which it runs."""

    messages: Sequence[Mapping[str, Any]]
    model: str | None = None
    strategy: str | None = None
    thread_id: str | None = None
    mentions: Sequence[Mention] = ()
    auto_approve: bool = False
    auto_approved_tools: Sequence[str] = ()
    selected_tools: Sequence[str] | None = None
    data_sources: Sequence[str] = ()
    max_steps: int | None = None
    agent_mode: bool = True
    temperature: float | None = None
    keep_messages: int | None = None
    """Edit and resubmit: keep this many messages of the thread."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict on one call."""

    call_id: str
    approved: bool
    arguments: Mapping[str, Any] | None = None
    reason: str | None = None
    always: str | None = None
    """"document" or "organization": remember the approval there."""


@dataclass(frozen=True, slots=True)
class TurnDefaults:
    strategy: str
    max_steps: int
    heartbeat_seconds: float = 15.0
    """A stream in which nothing happens says so that often."""


class TurnService:
    def __init__(
        self,
        db: Database,
        runner: TurnRunner,
        models: ModelCalls,
        credits: CreditService,
        strategies: Strategies,
        defaults: TurnDefaults,
    ) -> None:
        self._db = db
        self._runner = runner
        self._models = models
        self._credits = credits
        self._choice = StrategyChoice(db, strategies, defaults.strategy)
        self._defaults = defaults

    # --- starting ---------------------------------------------------------------------------------------------

    async def start(self, member: Member, document_id: str, new: NewTurn) -> Turn:
        """Begin a turn; it runs by itself. Raises before anything is stored when it cannot."""
        self._choice.check(new.strategy)
        chosen = await self._models.choose(member.organization_id, new.model, strict=new.model is not None)
        text, history = _question(new)
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            if not chosen.is_built_in:
                with tx.joined():
                    await self._credits.check(member.organization_id)
            document = await find_document(tx, document_id)
            strategy = (await self._choice.choose(tx, new.strategy)).name
            await resolve(tx, new.mentions)
            sources = await check_sources(tx, new.data_sources)
            state, position = WorkingState(), 1
            if new.thread_id is not None:
                thread = await find_thread(tx, member, document_id, new.thread_id, lock=True)
                state, history = await self._make_room(tx, thread, new.keep_messages), ()
                position = await threads.next_position(tx, thread.id)
                if thread.title == NEW_THREAD_TITLE:
                    await threads.rename(tx, thread.id, _title(text), moment)
            started = TurnStarted(
                model=chosen.name,
                strategy=strategy,
                max_steps=min(new.max_steps or self._defaults.max_steps, self._defaults.max_steps),
                auto_approve=new.auto_approve,
                auto_approved_tools=tuple(new.auto_approved_tools),
                selected_tools=None if new.selected_tools is None else tuple(new.selected_tools),
                mentions=tuple(new.mentions),
                data_sources=tuple(new.data_sources),
                files=(_file_line(document), *(f"{name} (data source)" for name in sources)),
                agent_mode=new.agent_mode,
                temperature=new.temperature,
                state=state.as_json(),
                history=history,
            )
            events: list[Event] = [started, UserMessage(text), StepStarted(1)]
            turn = Turn(
                id=new_id(),
                organization_id=member.organization_id,
                user_id=member.user_id,
                document_id=document_id,
                thread_id=new.thread_id,
                position=position,
                state=TurnState.RUNNING,
                model=chosen.name,
                strategy=strategy,
                last_seq=len(events),
                created_at=moment,
                updated_at=moment,
            )
            await turns.insert(tx, turn, owner=self._runner.owner, lease_until=moment + self._runner.lease)
            await turns.add_events(tx, turn.id, 1, events, moment)
            self._runner.kill.reached("before commit", events)
        self._runner.kill.reached("after commit", events)
        self._runner.start(turn, member, chosen, log=events)
        return turn

    async def _make_room(self, tx: OrgTx, thread: Thread, keep_messages: int | None) -> WorkingState:
        """One turn of a thread at a time; an edited message replaces what came after it.

        Returns the working state at that place of the conversation.
        """
        state = thread.state
        if keep_messages is not None:
            cut = await cut_thread(tx, thread.id, keep_messages)
            state = cut.state or state
            with tx.joined():
                for turn in cut.waiting:
                    await self._runner.end_waiting(turn.organization_id, turn.id, _replaced_by(turn.user_id))
        current = await turns.open_turn(tx, thread.id)
        if current is None:
            return state
        if current.state.is_waiting:
            raise Conflict(
                "This conversation waits for you. Decide on the pending actions, or stop that turn, "
                f"before you send another message. The turn is {current.id}."
            )
        raise Conflict(f"The agent is still working on your last message. Stop turn {current.id}, or wait.")

    # --- deciding ---------------------------------------------------------------------------------------------

    async def decide(
        self,
        member: Member,
        turn_id: str,
        decisions: Sequence[Decision],
        *,
        document_id: str | None = None,
        thread_id: str | None = None,
        partial: bool = False,
    ) -> Turn:
        """Record verdicts and, when none is missing, let the turn go on.

        Calls that are not named are rejected, or stay pending with `partial`; those that need no verdict run.
        Refused as a whole when a named call does not wait, when changed arguments do not fit, or when what a call
        aims at has changed since.
        """
        turn, view = await self._own_with_view(member, turn_id, document_id)
        if thread_id is not None and thread_id != turn.thread_id:
            raise NotFound(NO_TURN)
        asking = {call.id for call in view.undecided}
        if turn.state is not TurnState.AWAITING_APPROVAL or not asking:
            raise Conflict(f"{NO_TURN}: nothing waits for a decision in this turn any more.")
        waiting = {call.id: call for call in (*view.undecided, *view.companions)}
        named = {decision.call_id: decision for decision in decisions}
        if len(named) < len(decisions):
            raise InvalidInput("A call is named twice. Send one verdict for each call.")
        if unknown := sorted(set(named) - set(waiting)):
            raise Conflict(f"{NO_TURN}: no such call waits for a decision: {', '.join(unknown)}.")
        await self._check_targets(member, turn, view, waiting, named)
        decided = {call_id for call_id in waiting if call_id in named or (call_id in asking and not partial)}
        if not decided:
            return turn
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            events: list[Event] = [
                await self._decided(tx, member, turn, call, named.get(call_id))
                for call_id, call in waiting.items()
                if call_id in decided
            ]
            complete = asking <= decided
            if not await turns.append_to_waiting(
                tx,
                turn,
                events,
                moment,
                state=TurnState.RUNNING if complete else turn.state,
                owner=self._runner.owner if complete else None,
                lease_until=moment + self._runner.lease if complete else None,
            ):
                raise Conflict(f"{NO_TURN}: someone else has just decided.")
            self._runner.kill.reached("before commit", events)
        return await self._continued(member, turn, events, moment, runs=complete, before=view.events)

    async def decide_plan(
        self,
        member: Member,
        turn_id: str,
        *,
        approved: bool,
        steps: Sequence[str] | None = None,
        reason: str | None = None,
    ) -> Turn:
        """The verdict on a plan as a whole."""
        turn = await self._own(member, turn_id)
        view = await self._view(turn)
        if not view.waits_for_plan or view.plan is None:
            raise Conflict(f"{NO_TURN}: no plan waits for a decision in this turn.")
        changed = None if steps is None else tuple(step.strip() for step in steps if step.strip())
        if changed == ():
            raise InvalidInput("A plan needs at least one step. Reject it instead.")
        return await self._resume_with(
            member, turn, [PlanDecided(view.plan.revision, approved, member.user_id, changed, reason)]
        )

    async def answer(self, member: Member, turn_id: str, text: str) -> Turn:
        """Answer the question that the agent asked."""
        turn = await self._own(member, turn_id)
        if turn.state is not TurnState.AWAITING_INPUT:
            raise Conflict(f"{NO_TURN}: the agent does not wait for an answer.")
        return await self._resume_with(member, turn, [InputGiven(text, member.user_id)])

    async def _resume_with(self, member: Member, turn: Turn, events: list[Event]) -> Turn:
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            if not await turns.append_to_waiting(
                tx,
                turn,
                events,
                moment,
                state=TurnState.RUNNING,
                owner=self._runner.owner,
                lease_until=moment + self._runner.lease,
            ):
                raise Conflict(f"{NO_TURN}: someone else has just decided.")
            self._runner.kill.reached("before commit", events)
        return await self._continued(member, turn, events, moment, runs=True)

    async def _continued(
        self,
        member: Member,
        turn: Turn,
        events: Sequence[Event],
        moment: Any,
        *,
        runs: bool,
        before: Sequence[Event] | None = None,
    ) -> Turn:
        """Tell who watches, and run."""
        self._runner.kill.reached("after commit", events)
        for position, event in enumerate(events):
            self._runner.live.publish(turn.id, Recorded(turn.last_seq + 1 + position, moment, event))
        state = TurnState.RUNNING if runs else turn.state
        changed = replace(turn, last_seq=turn.last_seq + len(events), state=state)
        if runs:
            self._runner.start(changed, member, log=None if before is None else [*before, *events])
        else:
            self._runner.live.paused(turn.id)
        return changed

    async def _decided(
        self, tx: OrgTx, member: Member, turn: Turn, call: RequestedCall, decision: Decision | None
    ) -> ApprovalDecided:
        if decision is None or not decision.approved:
            reason = decision.reason if decision else None
            return ApprovalDecided(call.id, False, member.user_id, reason=reason)
        arguments = None
        if decision.arguments is not None and not _same(decision.arguments, call.arguments):
            arguments = orjson.dumps(decision.arguments).decode()
        rule_id = None
        if decision.always is not None:
            rule_id = new_id()
            document_id = turn.document_id if decision.always == "document" else None
            rule = Rule(
                rule_id,
                Effect.ALLOW,
                call.name,
                document_id=document_id,
                user_id=member.user_id,
                created_by=member.user_id,
            )
            await permission_rules.insert(tx, rule, now())
        return ApprovalDecided(call.id, True, member.user_id, arguments, decision.reason, rule_id)

    async def _check_targets(
        self,
        member: Member,
        turn: Turn,
        view: TurnView,
        waiting: Mapping[str, RequestedCall],
        named: Mapping[str, Decision],
    ) -> None:
        """Changed arguments must fit the tool; what was previewed must still be what is there."""
        toolset = self._runner.toolset(member, turn)
        moved: list[RequestedCall] = []
        for call_id, decision in named.items():
            call = waiting[call_id]
            if not decision.approved:
                continue
            if decision.arguments is not None:
                try:
                    toolset.check(call.name, orjson.dumps(decision.arguments).decode())
                except BadCall as error:
                    raise InvalidInput(
                        f"The changed arguments of {call.name} do not fit: {error.detail}"
                    ) from error
            if not call.asks:
                continue
            context = CallContext(Scope(member, turn.id, turn.document_id), call_id, view.state)
            current = await describe_call(toolset, context, call.name, call.arguments)
            if current.basis != call.basis:
                moved.append(replace(current, by_policy=call.by_policy))
        if not moved:
            return
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            renewed = ApprovalRequested(tuple(moved))
            if await turns.append_to_waiting(tx, turn, [renewed], moment, state=turn.state):
                self._runner.live.publish(turn.id, Recorded(turn.last_seq + 1, moment, renewed))
        raise Conflict(
            "What this would change is no longer what you saw: "
            + "; ".join(call.summary for call in moved)
            + ". Look at the new preview and decide again."
        )

    # --- steering and stopping --------------------------------------------------------------------------------

    async def steer(self, member: Member, turn_id: str, text: str) -> Turn:
        """A message for a turn that runs: taken in at its next step. A turn that has one does not end before."""
        turn = await self._own(member, turn_id)
        async with self._db.write_org(member.organization_id) as tx:
            current = await turns.get(tx, turn.id, lock=True)
            if current is not None and current.state.is_waiting:
                raise Conflict(
                    "The agent waits for you. Decide, answer its question, or stop the turn first."
                )
            if current is None or current.state is not TurnState.RUNNING:
                raise Conflict("The agent is not running. Send a new message instead.")
            await turns.add_signal(tx, turn.id, Steered(text, member.user_id), now())
        return current

    async def stop(self, member: Member, turn_id: str) -> Turn:
        """Stop a turn at once; a turn that is over stays as it is."""
        turn = await self._own(member, turn_id)
        if turn.state.is_over:
            return turn
        if turn.state.is_waiting:
            await self._runner.end_waiting(
                turn.organization_id, turn.id, lambda view: [Stopped("user", member.user_id, kept(view))]
            )
            return await self._own(member, turn_id)
        async with self._db.write_org(member.organization_id) as tx:
            await turns.request_stop(tx, turn.id, member.user_id)
        if self._runner.stop(turn.id, member.user_id):
            await self._runner.wait(turn.id)
        return await self._own(member, turn_id)

    # --- looking ----------------------------------------------------------------------------------------------

    async def get(self, member: Member, turn_id: str) -> Turn:
        return await self._own(member, turn_id)

    async def settled(self, member: Member, turn: Turn) -> tuple[Turn, list[Recorded]]:
        """The turn and its whole log, once it pauses or ends, wherever it runs."""
        await self._runner.wait(turn.id)
        async with self._db.read_org(member.organization_id) as tx:
            current = await turns.get(tx, turn.id)
            log = await turns.events(tx, turn.id)
        if current is not None and current.state is TurnState.RUNNING:
            async for _ in self.watch(member, turn.id, after=current.last_seq, until_pause=True):
                pass
            return await self._own(member, turn.id), await self.events(member, turn.id)
        if current is None:
            raise NotFound(NO_TURN)
        return current, log

    async def events(self, member: Member, turn_id: str, after: int = 0) -> list[Recorded]:
        turn = await self._own(member, turn_id)
        async with self._db.read_org(member.organization_id) as tx:
            return await turns.events(tx, turn.id, after=after)

    async def log(self, turn: Turn) -> list[Recorded]:
        """The events of a turn that the caller was just given, up to where it stood then."""
        async with self._db.read_org(turn.organization_id) as tx:
            recorded = await turns.events(tx, turn.id)
        return [item for item in recorded if item.seq <= turn.last_seq]

    async def watch(
        self,
        member: Member,
        turn_id: str,
        *,
        after: int = 0,
        until_pause: bool = False,
        known: Turn | None = None,
    ) -> AsyncGenerator[list[Item]]:
        """Events after a number, then everything as it happens until the turn is over.

        An empty list now and then says that the connection lives. With `until_pause` it also ends when the turn
        waits for someone. `known` is the turn where the caller was just given it.
        """
        turn = known or await self._own(member, turn_id)
        clock = asyncio.get_running_loop().time
        with self._runner.live.watching(turn_id) as watcher:
            seen, spoke = after, clock()
            while True:
                stored, turn = await self._after(turn, seen)
                if stored:
                    seen, spoke = stored[-1].seq, clock()
                    yield list(stored)
                if turn.state.is_over or (until_pause and turn.state.is_waiting):
                    return
                while True:
                    items, seen = _in_order(await watcher.take(self._patience(turn_id)), seen)
                    if items or clock() - spoke >= self._defaults.heartbeat_seconds:
                        spoke = clock()
                        yield items
                    if items and isinstance(items[-1], Recorded) and isinstance(items[-1].event, Terminal):
                        await self._runner.wait(turn_id)
                        return
                    if not self._runner.runs(turn_id):
                        break

    def _patience(self, turn_id: str) -> float:
        """How long to listen before looking at the log: another process may write it."""
        alone = self._db.dialect == "sqlite" or self._runner.runs(turn_id)
        beat = self._defaults.heartbeat_seconds
        return beat if alone else min(beat, REMOTE_POLL_SECONDS)

    async def _after(self, turn: Turn, seen: int) -> tuple[list[Recorded], Turn]:
        async with self._db.read_org(turn.organization_id) as tx:
            stored = await turns.events(tx, turn.id, after=seen)
            current = await turns.get(tx, turn.id)
        if current is None:
            raise NotFound(NO_TURN)
        return stored, current

    async def pending(self, turn: Turn) -> list[RequestedCall]:
        """All calls of the batch that waits: those that need a verdict and those that wait with them."""
        view = await self._view(turn)
        if not view.undecided:
            return []
        return [
            view.requested[call.id]
            for call in view.outstanding
            if call.id in view.requested and not view.is_decided(call.id)
        ]

    # --- taking back ------------------------------------------------------------------------------------------

    async def undo(self, member: Member, turn_id: str, call_id: str) -> Undone:
        """Take back what one call did. Refused when something later depends on it, or it was taken back already."""
        turn = await self._own(member, turn_id)
        view = await self._view(turn)
        result = view.results.get(call_id)
        if result is None:
            raise NotFound("No such call in this turn")
        if any(isinstance(event, Undone) and event.call_id == call_id for event in view.events):
            raise Conflict("This was undone already.")
        if result.undo is None:
            raise Conflict("There is nothing to undo: this call changed nothing.")
        if not turn.state.is_over and turn.state is TurnState.RUNNING:
            raise Conflict("The agent is still working. Stop it first, or wait.")
        context = CallContext(Scope(member, turn.id, turn.document_id), call_id, view.state)
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            with tx.joined():
                summary = await self._runner.toolset(member, turn).undo(context, result.name, result.undo)
            undone = Undone(call_id, member.user_id, summary)
            if not await turns.append_to_waiting(tx, turn, [undone], moment, state=turn.state):
                raise Conflict("The turn has moved on. Look at it again.")
            await self._forget(tx, member, turn, view, undone)
        self._runner.live.publish(turn.id, Recorded(turn.last_seq + 1, moment, undone))
        self._runner.live.paused(turn.id)
        return undone

    async def _forget(self, tx: OrgTx, member: Member, turn: Turn, view: TurnView, undone: Undone) -> None:
        """What was taken back is no longer what the conversation is about, and later turns hear of it."""
        view.apply(undone)
        if turn.state.is_over:
            await turns.keep_transcript(tx, turn.id, *transcript_of(view))
        if turn.thread_id is None or turn.document_id is None:
            return
        thread = await find_thread(tx, member, turn.document_id, turn.thread_id, lock=True)
        state = view.state_without(undone.call_id, thread.state)
        await turns.set_thread_state(tx, thread.id, state.as_json(), now())

    # --- common -----------------------------------------------------------------------------------------------

    async def _own_with_view(
        self, member: Member, turn_id: str, document_id: str | None
    ) -> tuple[Turn, TurnView]:
        """The same, and where its log stands, both as of one moment."""
        if not is_id(turn_id):
            raise NotFound(NO_TURN)
        async with self._db.read_org(member.organization_id) as tx:
            turn = _owned(member, await turns.get(tx, turn_id), document_id)
            recorded = await turns.events(tx, turn.id)
        return turn, TurnView.of(item.event for item in recorded)

    async def _own(self, member: Member, turn_id: str, document_id: str | None = None) -> Turn:
        """The caller's own turn, and about this document when one is named."""
        turn: Turn | None = None
        if is_id(turn_id):
            async with self._db.read_org(member.organization_id) as tx:
                turn = await turns.get(tx, turn_id)
        return _owned(member, turn, document_id)

    async def _view(self, turn: Turn) -> TurnView:
        async with self._db.read_org(turn.organization_id) as tx:
            recorded = await turns.events(tx, turn.id)
        return TurnView.of(item.event for item in recorded)


def _owned(member: Member, turn: Turn | None, document_id: str | None) -> Turn:
    """Somebody else's turn is no turn."""
    if turn is None or turn.user_id != member.user_id:
        raise NotFound(NO_TURN)
    if document_id is not None and turn.document_id != document_id:
        raise NotFound(NO_TURN)
    return turn


def _in_order(items: Sequence[tuple[int, Item]], seen: int) -> tuple[list[Item], int]:
    """Without events that were shown already, and without pieces of replies that were shown whole."""
    fresh: list[Item] = []
    for after, item in items:
        if isinstance(item, Recorded):
            if item.seq <= seen:
                continue
            seen = item.seq
        elif seen > after:
            continue
        fresh.append(item)
    return fresh, seen


def _same(arguments: Mapping[str, Any], written: str) -> bool:
    try:
        return bool(orjson.loads(written or "{}") == arguments)
    except orjson.JSONDecodeError:
        return False


def _replaced_by(user_id: str) -> Callable[[TurnView], Sequence[Event]]:
    return lambda view: [Stopped("user", user_id, kept(view))]


def _question(new: NewTurn) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """The last message of the user, and what came before it."""
    cleaned = sanitise(new.messages)
    if not cleaned or cleaned[-1].get("role") != "user" or not str(cleaned[-1].get("content") or "").strip():
        raise InvalidInput("The last message must be the user's and must not be empty.")
    return str(cleaned[-1]["content"]), tuple(cleaned[:-1])


def _file_line(document: Document) -> str:
    pages = f", {document.page_count} pages" if document.page_count else ""
    return f"{document.name} ({document.id}{pages})"


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line[:TITLE_LENGTH] or NEW_THREAD_TITLE
