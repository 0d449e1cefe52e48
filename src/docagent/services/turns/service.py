"""What people do with turns: start them, steer and stop them. Deciding and watching are the parts below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.agent.loop import kept
from docagent.agent.sanitise import sanitise
from docagent.agent.state import TurnView
from docagent.agent.strategies.registry import Strategies
from docagent.domain.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput
from docagent.domain.events import Event, Mention, Steered, StepStarted, Stopped, TurnStarted, UserMessage
from docagent.domain.ids import new_id
from docagent.domain.models import ChosenModel
from docagent.domain.turns import (
    NEW_THREAD_TITLE,
    TITLE_LENGTH,
    Subject,
    Thread,
    Turn,
    TurnState,
    WorkingState,
)
from docagent.services.credits import CreditService
from docagent.services.model_calls import ModelCalls
from docagent.services.turns.choice import StrategyChoice
from docagent.services.turns.deciding import TurnDecisions
from docagent.services.turns.mentions import resolve
from docagent.services.turns.runner import TurnRunner
from docagent.services.turns.sources import check_sources
from docagent.services.turns.subjects import find_subject
from docagent.services.turns.threads import cut_thread, find_thread
from docagent.store import threads, turns
from docagent.store.engine import Database, OrgTx


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
class TurnDefaults:
    strategy: str
    max_steps: int
    heartbeat_seconds: float = 15.0
    """A stream in which nothing happens says so that often."""


class TurnService(TurnDecisions):
    def __init__(
        self,
        db: Database,
        runner: TurnRunner,
        models: ModelCalls,
        credits: CreditService,
        strategies: Strategies,
        defaults: TurnDefaults,
    ) -> None:
        super().__init__(db, runner, defaults.heartbeat_seconds)
        self._models = models
        self._credits = credits
        self._choice = StrategyChoice(db, strategies, defaults.strategy)
        self._defaults = defaults

    # --- starting ---------------------------------------------------------------------------------------------

    async def start(self, member: Member, subject: Subject, new: NewTurn) -> Turn:
        """Begin a turn; it runs by itself. Raises before anything is stored when it cannot."""
        self._choice.check(new.strategy)
        chosen = await self._models.choose(member.organization_id, new.model, strict=new.model is not None)
        text, history = _question(new)
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            if not chosen.is_built_in:
                with tx.joined():
                    await self._credits.check(member.organization_id)
            found = await find_subject(tx, subject)
            strategy = (await self._choice.choose(tx, new.strategy)).name
            await resolve(tx, new.mentions)
            sources = await check_sources(tx, new.data_sources)
            state, position = WorkingState(), 1
            if new.thread_id is not None:
                thread = await find_thread(tx, member, subject, new.thread_id, lock=True)
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
                files=(found.line, *(f"{name} (data source)" for name in sources)),
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
                subject=subject,
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
            tx.after_commit(lambda: self._begin(turn, member, chosen, events))
        return turn

    def _begin(self, turn: Turn, member: Member, chosen: ChosenModel, events: Sequence[Event]) -> None:
        self._runner.kill.reached("after commit", events)
        self._runner.start(turn, member, chosen, log=events)

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


def _replaced_by(user_id: str) -> Callable[[TurnView], Sequence[Event]]:
    return lambda view: [Stopped("user", user_id, kept(view))]


def _question(new: NewTurn) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """The last message of the user, and what came before it."""
    cleaned = sanitise(new.messages)
    if not cleaned or cleaned[-1].get("role") != "user" or not str(cleaned[-1].get("content") or "").strip():
        raise InvalidInput("The last message must be the user's and must not be empty.")
    return str(cleaned[-1]["content"]), tuple(cleaned[:-1])


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line[:TITLE_LENGTH] or NEW_THREAD_TITLE
