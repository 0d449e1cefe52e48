"""The strategy lab: runs one task under several strategies, each on a copy of the state that is then thrown away.

The copy is a SQLite database of its own, whatever the real one is: the organisation, one document with its text, and
everything that a turn may look at or change. Files are shared and only read. Changes run without asking. Only one
thing reaches the real state: each model call is held and charged on the organisation's real account as it is made.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from docagent.agent.loop import kept
from docagent.agent.state import TurnView
from docagent.agent.strategies.registry import Strategies
from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import DocumentState
from docagent.domain.errors import Conflict, DocAgentError, InvalidInput
from docagent.domain.models.credits import Charge, LedgerEntry
from docagent.domain.turns.events import Completed, Failed, LimitReached, Recorded, Stopped, TurnTerms
from docagent.domain.turns.tools import Tool
from docagent.domain.turns.turns import Subject, Turn, TurnRequest, TurnState
from docagent.services.documents.documents import find_document
from docagent.services.models.credits import CreditService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.turns.deciding import Decision
from docagent.services.turns.parts import Turns
from docagent.store.copying import copy_organization
from docagent.store.engine.database import Database, OrgTx, open_database
from docagent.store.engine.schema import migrate

MOST_STRATEGIES = 8
SOURCE = "compare"
"""Marks the charges in the ledger that came from comparisons."""
_LOCK = "in-use"


@dataclass(slots=True)
class Tally:
    """The sums of one run's model calls."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    credits: int = 0
    cost: float = 0.0

    def add(self, entry: LedgerEntry, charge: Charge) -> None:
        self.calls += 1
        self.input_tokens += entry.input_tokens
        self.output_tokens += entry.output_tokens
        self.credits += charge.credits
        self.cost += charge.cost


OpenCopy = Callable[[Path, Tally], AbstractAsyncContextManager[Turns]]
"""Opens turns on the database in this file. Their model calls are really charged, and counted in the tally."""


class RealCredits(CreditService):
    """Charges turns in a copy to the organisation's real account, outside the copy's transaction."""

    def __init__(self, db: Database, price_per_credit: float, tally: Tally) -> None:
        super().__init__(db, price_per_credit)
        self._tally = tally

    async def charge(self, tx: OrgTx, hold_id: str, entry: LedgerEntry) -> Charge:
        async with self._db.write_org(tx.organization_id) as real:
            charge = await super().charge(real, hold_id, replace(entry, source=SOURCE))
        self._tally.add(entry, charge)
        return charge


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which strategies to compare, and on what."""

    document_id: str
    task: str
    strategies: Sequence[str]
    model: str | None = None
    max_steps: int | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """How the task went under one strategy. Calls and tokens include those of extractions that tools ran."""

    strategy: str
    outcome: str
    """The turn's last state: `completed`, `limit_reached`, `failed`, or `awaiting_input` if it asked a question."""
    answer: str
    """The last words of the turn: the answer, the question, or why it failed."""
    changes: tuple[str, ...]
    """What the turn changed in the copy, in words."""
    steps: int
    model_calls: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    credits: int
    cost: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Compared:
    document_id: str
    document_name: str
    task: str
    model: str
    runs: Sequence[Run]


@dataclass(eq=False)
class LabService:
    _db: Database
    _models: ModelCalls
    _credits: CreditService
    _strategies: Strategies
    _tools: Sequence[Tool]
    _folder: Path
    _open_copy: OpenCopy
    _running: set[str] = field(init=False, default_factory=set)

    async def compare(self, member: Member, asked: Comparison) -> Compared:
        """Run the task under each strategy, one after the other. If it cannot, it raises before anything runs."""
        self._check_strategies(asked.strategies)
        organization_id = member.organization_id
        async with self._db.read_org(organization_id) as tx:
            document = await find_document(tx, asked.document_id)
        if document.state in (DocumentState.UPLOADED, DocumentState.OCR_PROCESSING):
            raise Conflict("The document is still being read. Compare when that is done.")
        chosen = await self._models.choose(
            organization_id, asked.model, strict=asked.model is not None, for_chat=True
        )
        if not chosen.is_built_in:
            await self._credits.check(organization_id)
        asked = replace(asked, model=chosen.name)
        # The copy has no tokens and no sessions, so turns in it work without one.
        member = replace(member, principal=replace(member.principal, token_id=None, session_id=None))
        with self._alone(organization_id), temporary_folder(self._folder) as folder:
            state = folder / "state.db"
            await self._copy(member, asked.document_id, state)
            runs = [await self._run(member, asked, strategy, state) for strategy in asked.strategies]
        return Compared(asked.document_id, document.name, asked.task, chosen.name, runs)

    def _check_strategies(self, names: Sequence[str]) -> None:
        if not names or len(names) > MOST_STRATEGIES:
            raise InvalidInput(f"Name 1 to {MOST_STRATEGIES} strategies to compare.")
        if len(set(names)) < len(names):
            raise InvalidInput("A strategy is named twice. Name each once.")
        for name in names:
            self._strategies.get(name)

    @contextmanager
    def _alone(self, organization_id: str) -> Iterator[None]:
        if organization_id in self._running:
            raise Conflict("A comparison is running in this organisation already. Wait until it is done.")
        self._running.add(organization_id)
        try:
            yield
        finally:
            self._running.discard(organization_id)

    async def _copy(self, member: Member, document_id: str, file: Path) -> None:
        url = f"sqlite:///{file}"
        await migrate(url)
        target = open_database(url, pool_size=1)
        try:
            await copy_organization(self._db, target, member.organization_id, document_id, member.user_id)
        finally:
            await target.close()

    async def _run(self, member: Member, asked: Comparison, strategy: str, state: Path) -> Run:
        file = state.with_name("run.db")
        await asyncio.to_thread(_fresh_copy, state, file)
        tally = Tally()
        log: list[Recorded] = []
        error = ""
        async with self._open_copy(file, tally) as turns:
            began = time.monotonic()
            try:
                turn, log = await self._follow(turns, member, asked, strategy)
                outcome = turn.state.value
            except DocAgentError as failure:
                outcome, error = TurnState.FAILED.value, failure.detail
            seconds = time.monotonic() - began
        view = TurnView.of(item.event for item in log) if log else None
        return Run(
            strategy=strategy,
            outcome=outcome,
            answer=_last_words(view) if view else error,
            changes=kept(view) if view else (),
            steps=view.step if view else 0,
            model_calls=tally.calls,
            tool_calls=len(view.executed()) if view else 0,
            input_tokens=tally.input_tokens,
            output_tokens=tally.output_tokens,
            credits=tally.credits,
            cost=tally.cost,
            seconds=seconds,
        )

    async def _follow(
        self, turns: Turns, member: Member, asked: Comparison, strategy: str
    ) -> tuple[Turn, list[Recorded]]:
        """Follow the turn to its end or to a question for a person. Calls that policy still asks about are approved."""
        request = TurnRequest(
            messages=[{"role": "user", "content": asked.task}],
            terms=TurnTerms(auto_approve=True, selected_tools=self._harmless()),
            model=asked.model,
            strategy=strategy,
            max_steps=asked.max_steps,
        )
        turn = await turns.starting.start(member, Subject.document(asked.document_id), request)
        turn, log = await turns.watching.settled(member, turn)
        while turn.state is TurnState.AWAITING_APPROVAL:
            waiting = await turns.watching.pending(turn)
            if waiting:
                turn = await turns.deciding.decide(
                    member, turn.id, [Decision(call.id, True) for call in waiting]
                )
            else:
                turn = await turns.deciding.decide_plan(member, turn.id, approved=True)
            turn, log = await turns.watching.settled(member, turn)
        return turn, log

    def _harmless(self) -> tuple[str, ...] | None:
        """The tools that do not reach out of the copy; None if that is all of them."""
        if not any(tool.sends_out for tool in self._tools):
            return None
        return tuple(tool.name for tool in self._tools if not tool.sends_out)


def _last_words(view: TurnView) -> str:
    match view.end:
        case Completed() | LimitReached() as end:
            return end.text
        case Failed() as end:
            return end.error
        case Stopped() as end:
            return end.text
    return view.question_to_user.question if view.question_to_user else ""


# --- files --------------------------------------------------------------------------------------------------------


@contextmanager
def temporary_folder(inside: Path) -> Iterator[Path]:
    """A folder that is always removed at the end. If the process is killed, the next call removes it."""
    inside.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in inside.iterdir():
        _remove_if_left(left)
    folder = Path(tempfile.mkdtemp(dir=inside))
    lock = os.open(folder / "new", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (folder / "new").rename(folder / _LOCK)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _remove_if_left(folder: Path) -> None:
    """Remove a folder unless the process that made it is alive: that one holds its lock."""
    with suppress(OSError):
        lock = os.open(folder / _LOCK, os.O_RDWR)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def _fresh_copy(state: Path, file: Path) -> None:
    for left in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        left.unlink(missing_ok=True)
    shutil.copyfile(state, file)
