"""Runs turns as tasks of this process, each held by a lease, and continues turns that other processes left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

from docagent.agent.acting import Acting
from docagent.agent.limits import Limits
from docagent.agent.loop import Loop, kept
from docagent.agent.ports import KillPoint, Toolset
from docagent.agent.state import TurnView
from docagent.agent.strategies.registry import CALL, Strategies
from docagent.domain import background
from docagent.domain.accounts.accounts import NO_MEMBER_ANY_MORE, Member
from docagent.domain.clock import now
from docagent.domain.deliveries.line import TURN, Line
from docagent.domain.errors import DatabaseAway, DocAgentError, Forbidden
from docagent.domain.failure_codes import failure_code
from docagent.domain.jobs import LeaseLost
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.models.llm import CHARACTERS_PER_TOKEN
from docagent.domain.proposals import out_of_time
from docagent.domain.repeats import Repeat
from docagent.domain.turns import events
from docagent.domain.turns.tools import Scope, Tool
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.services.accounts.members import member_for
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.pictures import PictureService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.repeats import keep
from docagent.services.turns.context.past import PastTurns
from docagent.services.turns.context.turn_context import ContextSettings, TurnSurroundings
from docagent.services.turns.journal import StoredJournal, Waits
from docagent.services.turns.live import LiveTurns
from docagent.services.turns.looking import Looking
from docagent.services.turns.model import TurnModel
from docagent.services.turns.relay import Relay
from docagent.store.engine.database import DATABASE_ERRORS, Database, OrgTx
from docagent.store.turns import turns

logger = logging.getLogger(__name__)

OpenToolset = Callable[[Scope], Awaitable[Toolset]]
LastEvents = Callable[[TurnView], Sequence[events.Event]]
Ending = Callable[[TurnView, str], events.Event]
"""Makes the last event of a run that is cut short, from the view and the text of the unfinished reply."""
BEATS_PER_LEASE = 3
SECONDS_WITHOUT_DATABASE = 30.0
"""How long a run waits for a database that is away, before it leaves the turn to another process."""
SECONDS_BETWEEN_TRIES = 0.3
INTERNAL_ERROR = "Something went wrong on the server. What was done before is kept; send the message again."


@dataclass(frozen=True)
class RunnerSettings:
    lease: timedelta
    limits: Limits
    waits: Waits
    context: ContextSettings
    proposal_seconds: float
    """How long one run that prepares a proposal may take."""


@dataclass
class _Run:
    """A run of a turn, which begins again from the log when the database was away."""

    turn: Turn
    member: Member
    chosen: ChosenModel | None
    log: Sequence[events.Event] | None
    """The turn's whole log, if it is known."""
    signals: int
    unlimited: bool
    """Whether the organisation was just found to have no limits."""
    model: TurnModel | None = None


T = TypeVar("T")


@dataclass(eq=False)
class TurnRunner:
    _db: Database
    _models: ModelCalls
    toolset: OpenToolset
    _strategies: Strategies
    live: LiveTurns
    _line: Line
    _settings: RunnerSettings
    kill: KillPoint
    _bus: Bus
    streams: OpenStreams
    _pictures: PictureService
    _looks: dict[str, asyncio.Event] = field(default_factory=dict, init=False)
    """Set when something may have happened to a turn that runs here."""
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _openings: dict[str, list[events.Recorded]] = field(default_factory=dict, init=False)
    """The first events of turns that were begun here."""
    _endings: dict[str, Ending] = field(default_factory=dict, init=False)
    _closing: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.relay = Relay(self._line, self.live)
        self.owner = self._line.name
        self._line.hear(TURN, self._look_at)
        self.streams.on_turn(self._look_at)
        self._past = PastTurns()

    @property
    def lease(self) -> timedelta:
        return self._settings.lease

    async def tools(self, member: Member, subject: Subject | None) -> Sequence[Tool]:
        """The tools of a conversation about the subject."""
        return (await self.toolset(Scope(member, "", subject))).tools()

    # --- running ----------------------------------------------------------------------------------------------

    async def begin(
        self,
        tx: OrgTx,
        turn: Turn,
        member: Member,
        log: Sequence[events.Event],
        repeat: Repeat | None,
        chosen: ChosenModel | None = None,
        *,
        unlimited: bool = False,
    ) -> None:
        """Write a new turn and its first events under the key of its request. Once that is committed, it runs here."""
        await turns.insert(
            tx,
            turn,
            owner=self.owner,
            lease_until=turn.created_at + self.lease,
            credential_id=member.principal.credential_id,
        )
        await turns.add_events(tx, turn.id, 1, log, turn.created_at)
        await keep(tx, repeat, {"turn_id": turn.id, "last_seq": turn.last_seq})
        self.kill.reached("before commit", log)

        def run() -> None:
            self.kill.reached("after commit", log)
            self.start(turn, member, chosen, log=log, unlimited=unlimited)

        tx.after_commit(run)

    def start(
        self,
        turn: Turn,
        member: Member,
        model: ChosenModel | None = None,
        *,
        log: Sequence[events.Event] | None = None,
        signals: int = 0,
        unlimited: bool = False,
    ) -> None:
        """Run a turn whose lease this process holds, in a task of its own.

        `log` is the turn's whole log, if the caller knows it; `signals` is how many messages already wait for it.
        `unlimited`: the organisation was just found to have no limits.
        """
        if log is not None:
            self._openings[turn.id] = [
                events.Recorded(seq, turn.created_at, event) for seq, event in enumerate(log, start=1)
            ]
        run = _Run(turn, member, model, log, signals, unlimited)
        task = asyncio.create_task(self._run(run), name=f"turn {turn.id}")
        self._tasks[turn.id] = task
        task.add_done_callback(lambda _: self._ended(turn.id, task))

    def runs(self, turn_id: str) -> bool:
        return turn_id in self._tasks

    def opening(self, turn: Turn) -> list[events.Recorded] | None:
        """The log of a turn that was just begun here. None if it has gone on since, so that it must be read."""
        if self.live.last_seq(turn.id) > turn.last_seq:
            return None
        return self._openings.get(turn.id)

    @property
    def running(self) -> int:
        return len(self._tasks)

    async def wait(self, turn_id: str) -> None:
        """Wait until the run in this process pauses or ends. If the caller is cancelled, the run continues."""
        task = self._tasks.get(turn_id)
        if task is not None:
            await asyncio.wait({task})

    def stop(self, turn_id: str, user_id: str) -> bool:
        """Cancel the run in this process at once. False if the turn does not run here."""
        return self._cut_short(turn_id, partial(_stopped_by, user_id))

    def _cut_short(self, turn_id: str, ending: Ending) -> bool:
        task = self._tasks.get(turn_id)
        if task is None:
            return False
        # A second click must not interrupt the end that the first one began.
        if turn_id not in self._endings:
            self._endings[turn_id] = ending
            task.cancel()
        return True

    async def close(self) -> None:
        """Stop all runs because the process ends. The next runner continues from the logs."""
        self._closing = True
        await background.end(*self._tasks.values())
        try:
            async with self._db.write() as tx:
                await turns.let_go(tx, self.owner, now())
        except DATABASE_ERRORS:  # the leases run out by themselves
            logger.warning("the turns of this process were not let go", exc_info=True)

    def _look_at(self, turn_id: str) -> None:
        if (look := self._looks.get(turn_id)) is not None:
            look.set()

    def _ended(self, turn_id: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(turn_id) is task:
            del self._tasks[turn_id]
            self._looks.pop(turn_id, None)
            self._openings.pop(turn_id, None)
            self._endings.pop(turn_id, None)
            self.live.paused(turn_id)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("turn %s failed", turn_id, exc_info=error)

    async def _run(self, run: _Run) -> None:
        """Run a turn. Whatever happens, it ends with an event or is left to the next runner."""
        turn = run.turn
        beat = asyncio.create_task(self._beat(turn, run.member), name=f"lease of turn {turn.id}")
        try:
            await self._go_on_whatever(run)
        except LeaseLost:
            logger.info("turn %s was taken over", turn.id)
        except asyncio.CancelledError:
            ending = self._endings.get(turn.id)
            if ending is None or self._closing:
                raise
            current = asyncio.current_task()
            if current is not None:
                current.uncancel()
            await self._end_cut_short(turn, ending)
        except DatabaseAway as error:
            logger.warning("turn %s is left to whoever finds the database again: %s", turn.id, error.detail)
        except DocAgentError as error:
            await self._fail(turn, error.detail, failure_code(error))
        except Exception:
            logger.exception("turn %s failed", turn.id)
            await self._fail(turn, INTERNAL_ERROR, "internal")
        finally:
            beat.cancel()

    async def _go_on_whatever(self, run: _Run) -> None:
        """Wait while the database is away for a moment. Raises DatabaseAway if nothing can be written for long.

        What was committed without an answer is found in the log; what was not is done again.
        """
        written, since = -1, monotonic()
        while True:
            try:
                await self._go_on(run)
                return
            except DatabaseAway as error:
                if self._closing or run.turn.id in self._endings:  # it hid that the run was cancelled
                    raise asyncio.CancelledError from error
                logger.warning("turn %s waits for the database: %s", run.turn.id, error.detail)
                reached = self.live.last_seq(run.turn.id)
                if reached != written:
                    written, since = reached, monotonic()
                if monotonic() - since > SECONDS_WITHOUT_DATABASE:
                    raise
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)
            left = await _outlast(partial(self._renew, run.turn))
            if left is None or self._tasks.get(run.turn.id) is not asyncio.current_task():
                raise LeaseLost(
                    run.turn.id
                )  # it paused with the last commit, and a new run may have begun here
            run.log, run.signals = None, left.signals
            if run.model is not None:
                run.model.repeat()

    async def _go_on(self, run: _Run) -> None:
        turn, member = run.turn, run.member
        if run.log is None:
            view, turn = await self._load(turn)
        else:
            view = TurnView.of(run.log)
        self.live.begins(turn.id, turn.last_seq)
        if run.chosen is None:
            asked_for = None if turn.strategy == CALL else turn.model
            run.chosen = await self._models.choose(turn.organization_id, asked_for, for_chat=True)
        chosen = run.chosen
        if run.model is None:
            run.model = TurnModel(
                self._db,
                self._models,
                chosen,
                turn.organization_id,
                turn.user_id,
                self.kill,
                Looking(self._models, self._pictures, turn.organization_id, chosen),
                unlimited=run.unlimited,
            )
        journal = self._journal(turn, view, member)
        journal.signals_waiting = run.signals
        run.model.last_seq = lambda: journal.last_seq
        scope = scope_of(member, turn, view)
        terms = view.started.terms
        acting = Acting(
            await self.toolset(scope), journal, scope, asks_user=terms.agent_mode and not terms.proposes
        )
        loop = Loop(
            strategy=self._strategies.running(turn.strategy),
            model=run.model,
            acting=acting,
            journal=journal,
            surroundings=TurnSurroundings(
                self._db,
                turn,
                view.started,
                self._context(view, chosen),
                self._past,
                question=_wanted(view),
                chosen=chosen,
            ),
            limits=self._settings.limits,
            kill=self.kill,
        )
        with self._time_limit(turn) if terms.proposes else nullcontext():
            async with aclosing(loop.run(view)) as items:
                async for item in items:
                    self.live.publish(turn.id, item)
                    if journal.stop_requested_by is not None:
                        self._endings.setdefault(turn.id, partial(_stopped_by, journal.stop_requested_by))
                    if turn.id in self._endings:  # a cancellation can be lost on its way (see background.py)
                        raise asyncio.CancelledError

    def _context(self, view: TurnView, chosen: ChosenModel) -> ContextSettings:
        """An `act` decides by the texts in its request, so these may take half of what the model reads."""
        context = self._settings.context
        if not view.started.terms.acts:
            return context
        return replace(context, excerpt_characters=chosen.info.max_input_tokens * CHARACTERS_PER_TOKEN // 2)

    @contextmanager
    def _time_limit(self, turn: Turn) -> Iterator[None]:
        """Break a run off, in the middle of a call too, if it takes too long for one that nobody watches."""
        seconds = self._settings.proposal_seconds
        ending = partial(_out_of_time, seconds)
        timer = asyncio.get_running_loop().call_later(seconds, self._cut_short, turn.id, ending)
        try:
            yield
        finally:
            timer.cancel()

    async def _load(self, turn: Turn) -> tuple[TurnView, Turn]:
        async with self._db.read_org(turn.organization_id) as tx:
            recorded = await turns.events(tx, turn.id)
            current = await turns.get(tx, turn.id)
        if current is None:
            raise LeaseLost(turn.id)
        self.live.catch_up(turn.id, recorded)
        return TurnView.of(item.event for item in recorded), current

    def _journal(self, turn: Turn, view: TurnView, member: Member | None = None) -> StoredJournal:
        terms = self._settings
        return StoredJournal(
            self._db, turn, view, member, self.owner, terms.lease, terms.waits, self.kill, self._bus
        )

    async def _beat(self, turn: Turn, member: Member) -> None:
        """Renew the lease regularly, and end the run if it was to be stopped or if the member may not continue it."""
        look = self._looks.setdefault(turn.id, asyncio.Event())
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._settings.lease.total_seconds() / BEATS_PER_LEASE):
                    await look.wait()
            look.clear()
            try:
                progress = await self._renew(turn)
            except LeaseLost:
                continue
            except DATABASE_ERRORS:  # a database that is away for a moment must not cost the lease
                logger.exception("the lease of turn %s was not renewed; trying again", turn.id)
                continue
            if progress is None:
                self._tasks[turn.id].cancel()
            elif progress.stop_requested_by is not None:
                self.stop(turn.id, progress.stop_requested_by)
            elif (lack := member.lacks(progress.standing)) is not None:
                self._cut_short(turn.id, partial(_refused, lack))

    async def _renew(self, turn: Turn) -> turns.Progress | None:
        """Renew the lease. None if the turn was deleted, with its organisation for instance: nothing can be written."""
        async with self._db.write_org(turn.organization_id) as tx:
            moment = now()
            until = moment + self._settings.lease
            try:
                return await turns.renew(tx, turn, owner=self.owner, now=moment, lease_until=until)
            except LeaseLost:
                if await turns.get(tx, turn.id) is not None:
                    raise
                return None

    # --- ending -----------------------------------------------------------------------------------------------

    async def _fail(self, turn: Turn, error: str, code: str) -> None:
        text = self.live.unfinished_text(turn.id)
        await self._end_run(turn, partial(self.end, turn, lambda _: [events.Failed(error, code, text)]))

    async def _end_cut_short(self, turn: Turn, ending: Ending) -> None:
        """End a turn whose run was cut short, also if its last commit was to wait for a person."""
        text = self.live.unfinished_text(turn.id)

        def last(view: TurnView) -> list[events.Event]:
            return [ending(view, text)]

        await self._end_run(turn, partial(self.end, turn, last))
        await self._end_run(turn, partial(self.end_waiting, turn.organization_id, turn.id, last))

    async def _end_run(self, turn: Turn, end: Callable[[], Awaitable[object]]) -> None:
        """End a turn that ran here, also if the database is away for a moment."""
        try:
            await _outlast(end)
        except DatabaseAway as error:
            logger.warning("the end of turn %s was not written: %s", turn.id, error.detail)

    async def end(self, turn: Turn, last: LastEvents) -> None:
        """Write the last events of a turn that this process holds, unless it is over already."""
        with suppress(LeaseLost):
            for recorded in await self._last_words(turn, last):
                self.live.publish(turn.id, recorded)

    async def end_waiting(self, organization_id: str, turn_id: str, last: LastEvents) -> bool:
        """End a turn that waits for a person, in one commit: a kill leaves it either waiting or ended."""
        async with self._db.write_org(organization_id) as tx:
            turn = await turns.get(tx, turn_id, lock=True)
            if turn is None or not turn.state.is_waiting or await self._take(tx, turn) is None:
                return False
            with tx.joined():
                recorded = await self._last_words(turn, last)
            tx.after_commit(lambda: self._show_end(turn_id, recorded))
        return True

    def _show_end(self, turn_id: str, recorded: Sequence[events.Recorded]) -> None:
        self.kill.reached("after commit", [item.event for item in recorded])
        for item in recorded:
            self.live.publish(turn_id, item)
        self.live.paused(turn_id)

    async def _last_words(self, turn: Turn, last: LastEvents) -> Sequence[events.Recorded]:
        view, turn = await self._load(turn)
        if view.end is not None:
            return ()
        journal = self._journal(turn, view)
        async with journal.entry() as entry:
            for event in (*await entry.steering(), *last(view)):
                entry.add(event)
                view.apply(event)
        return journal.taken()

    async def _take(self, tx: OrgTx, turn: Turn) -> turns.Progress | None:
        """Become the runner of a turn that has none. None if another runner was quicker."""
        moment = now()
        until = moment + self._settings.lease
        if not await turns.take(tx, turn, owner=self.owner, now=moment, lease_until=until):
            return None
        return await turns.renew(tx, turn, owner=self.owner, now=moment, lease_until=until)

    # --- looking after turns that nobody runs -------------------------------------------------------------------

    async def recover(self) -> int:
        """Continue turns whose runner is gone, and end turns that waited too long. Returns how many."""
        async with self._db.read() as tx:
            moment = now()
            owners = await turns.owners(tx, moment)
            lost = await turns.abandoned(tx, moment)
            overdue = await turns.overdue(tx, moment)
        if gone := await self._line.gone(owners - {self.owner}):
            lost = await self._released(gone)
        found = 0
        for look_after, left in ((self._resume, lost), (self._expire, overdue)):
            for organization_id, turn_id in left:
                try:
                    found += await look_after(organization_id, turn_id)
                except DatabaseAway as error:  # something that this turn needs is locked: the others go first
                    logger.warning("turn %s was not recovered: %s", turn_id, error.detail)
        return found

    async def _released(self, gone: Iterable[str]) -> list[tuple[str, str]]:
        """End the leases of processes that exist no longer, instead of waiting until they run out. Returns what nobody
        holds then."""
        for owner in gone:
            async with self._db.write() as tx:
                await turns.let_go(tx, owner, now())
        async with self._db.read() as tx:
            return await turns.abandoned(tx, now())

    async def _resume(self, organization_id: str, turn_id: str) -> bool:
        """Continue a turn, unless it has paused or moved on since it was found."""
        async with self._db.write_org(organization_id) as tx:
            turn = await turns.lock_if_free(tx, turn_id)
            if turn is None or turn.state is not TurnState.RUNNING:
                return False
            left = await self._take(tx, turn)
        if left is None or self.runs(turn_id):
            return False
        stopped_by = left.stop_requested_by
        if stopped_by is not None:
            await self.end(turn, lambda view: [events.Stopped("user", stopped_by, kept(view))])
            return True
        async with self._db.read() as tx:
            member = await member_for(tx, organization_id, turn.user_id)
        if member is None:
            await self.end(turn, _left)
            return False
        if (lack := member.lacks(left.standing)) is not None:
            await self.end(turn, lambda view: [_refused(lack, view)])
            return False
        logger.info("going on with turn %s", turn_id)
        self.start(turn, member, signals=left.signals)
        return True

    async def _expire(self, organization_id: str, turn_id: str) -> bool:
        async with self._db.read_org(organization_id) as tx:
            before = await turns.get(tx, turn_id)
        if before is None or before.waits_until is None or before.waits_until > now():
            return False
        async with self._db.read() as tx:
            member = await member_for(tx, organization_id, before.user_id)
        expire = _expired if before.state is TurnState.AWAITING_APPROVAL else _timed_out
        return await self.end_waiting(organization_id, turn_id, _left if member is None else expire)


def _expired(view: TurnView) -> list[events.Event]:
    calls = tuple(call.id for call in view.undecided)
    return [events.ApprovalExpired(calls), events.Stopped("approval_expired", kept=kept(view))]


def _timed_out(view: TurnView) -> list[events.Event]:
    question = view.question_to_user.question if view.question_to_user else ""
    return [events.InputTimedOut(question), events.Stopped("input_timed_out", kept=kept(view))]


def _stopped_by(user_id: str, view: TurnView, text: str) -> events.Stopped:
    return events.Stopped("user", user_id, kept(view), text)


def _refused(error: DocAgentError, view: TurnView, text: str = "") -> events.Failed:
    del view
    return events.Failed(error.detail, failure_code(error), text)


def _left(view: TurnView) -> list[events.Event]:
    return [_refused(Forbidden(NO_MEMBER_ANY_MORE), view)]


def _wanted(view: TurnView) -> str:
    """All that the user has said in this turn: an answer does not replace the question."""
    said = (
        event
        for event in view.events
        if isinstance(event, events.UserMessage | events.Steered | events.InputGiven)
    )
    return "\n".join(event.text for event in said)


def _out_of_time(seconds: float, view: TurnView, text: str) -> events.Failed:
    del view
    return events.Failed(out_of_time(seconds), "timeout", text)


def scope_of(member: Member, turn: Turn, view: TurnView) -> Scope:
    member = replace(member, rehearsal=view.started.rehearsal)
    return Scope(member, turn.id, turn.subject, turn.thread_id)


async def _outlast(work: Callable[[], Awaitable[T]]) -> T:
    """Do it again until the database answers. Raises DatabaseAway if that takes too long."""
    gives_up_at = monotonic() + SECONDS_WITHOUT_DATABASE
    while True:
        try:
            return await work()
        except DatabaseAway:
            if monotonic() > gives_up_at:
                raise
        await asyncio.sleep(SECONDS_BETWEEN_TRIES)
