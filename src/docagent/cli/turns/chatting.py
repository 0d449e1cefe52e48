"""A conversation at the terminal: messages, the turns that they begin, and what a person decides about them."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import orjson
import typer

from docagent.cli.output import ExitCode, complain, note
from docagent.cli.turns.chat_screen import Screen
from docagent.cli.turns.editor import edited
from docagent.cli.turns.keyboard import Interrupted, Keyboard
from docagent.client import AsyncClient, AsyncTurn, Refused, events
from docagent.domain.errors import InvalidInput

KEYS = "[a]pprove  [r]eject  [e]dit"
ALWAYS = "  [A]lways allow here  [O] everywhere"
AlwaysWhere = Literal["document", "project", "organization"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What every message asks of its turn."""

    model: str | None = None
    strategy: str | None = None
    allowed_tools: Sequence[str] = ()


class NamedSubject(TypedDict, total=False):
    document_id: str
    project_id: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What is talked about, in the words of the client's calls."""

    kind: Literal["document", "project"]
    id: str
    name: str

    @property
    def named(self) -> NamedSubject:
        return {"document_id": self.id} if self.kind == "document" else {"project_id": self.id}


@dataclass(eq=False)
class Conversation:
    """Without a keyboard a turn that needs a person is left waiting."""

    _client: AsyncClient
    _subject: Subject
    _thread_id: str
    _terms: Terms
    _screen: Screen
    _keyboard: Keyboard | None
    _turn: AsyncTurn | None = None
    _following: asyncio.Future[events.Settled] | None = None
    _stopping: asyncio.Task[None] | None = None
    _leaving: bool = False

    async def ask(self, message: str) -> ExitCode:
        """Send one message and follow its turn."""
        turn = await self._client.agent.ask(
            message,
            **self._subject.named,
            thread_id=self._thread_id,
            model=self._terms.model,
            strategy=self._terms.strategy,
            allowed_tools=self._terms.allowed_tools,
        )
        return await self.follow(turn)

    async def follow(self, turn: AsyncTurn) -> ExitCode:
        """Follow a turn to its end, through everything that a person decides. The code says how it ended."""
        self._turn, self._stopping = turn, None
        self._following = asyncio.ensure_future(self._settled(turn))
        try:
            settled = await self._following
        except asyncio.CancelledError:
            if not self._leaving:
                raise
            note(f"\nThe turn continues. Return to it with --thread {self._thread_id}.")
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        finally:
            self._turn = self._following = None
        if isinstance(settled, events.Completed):
            return ExitCode.DONE
        if not isinstance(settled, events.Terminal):
            return ExitCode.DOUBTFUL
        return ExitCode.FAILED if isinstance(settled, events.Failed) else ExitCode.INTERRUPTED

    @contextmanager
    def heeding_interrupts(self) -> Iterator[None]:
        """Ctrl-C stops the turn that runs; a second time it leaves. When none runs, it ends the wait for a message."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupted)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    async def _settled(self, turn: AsyncTurn) -> events.Settled:
        async for item in turn:
            self._screen.show(item)
            settled = events.settles(item)
            if settled is None:
                continue
            if isinstance(settled, events.Terminal):
                return settled
            if not await turn.rests_on(settled):
                continue
            if self._keyboard is None:
                self._show_waiting(settled)
                return settled
            try:
                await self._decide(turn, settled, self._keyboard)
            except Interrupted:
                continue  # the turn was stopped, and says so next
        raise AssertionError("a turn ends with an event that settles it")

    def _interrupted(self) -> None:
        if self._following is not None and self._stopping is not None:
            self._leaving = True
            self._following.cancel()
            return
        if self._turn is not None:
            note("\nStopping; Ctrl-C again leaves.")
            self._stopping = asyncio.get_running_loop().create_task(_stop(self._turn))
        if self._keyboard is not None:
            self._keyboard.interrupt()

    def _show_waiting(self, settled: events.Settled) -> None:
        for call in settled.calls if isinstance(settled, events.ApprovalRequested) else ():
            self._screen.show_card(call)
        complain(f"The turn waits for you. Come back to it with --thread {self._thread_id}.")

    async def _decide(self, turn: AsyncTurn, settled: events.Settled, keyboard: Keyboard) -> None:
        match settled:
            case events.ApprovalRequested():
                for call in settled.calls:
                    if call.asks:
                        self._screen.show_card(call)
                        await self._verdict(turn, call, keyboard)
            case events.InputRequested():
                await turn.answer(await _answer(settled, keyboard))
            case events.Plan():
                said = await _asked(keyboard, "[a]pprove  [r]eject the plan: ", "ar")
                await turn.decide_plan(approved=said == "a")

    async def _verdict(self, turn: AsyncTurn, call: events.RequestedCall, keyboard: Keyboard) -> None:
        always: dict[str, AlwaysWhere] = (
            {} if call.by_policy else {"A": self._subject.kind, "O": "organization"}
        )
        keys = f"{KEYS}{'' if call.by_policy else ALWAYS}: "
        while True:
            said = await _asked(keyboard, keys, "are" + "".join(always))
            if said == "r":
                reason = await keyboard.line("Reason (optional; the agent will see it): ")
                await turn.reject(call, reason or None)
                return
            changed = None
            if said == "e":
                changed = await _edited(call.arguments)
                if changed is None:
                    continue
            try:
                await turn.approve(call, arguments=changed, always=always.get(said))
            except Refused as error:
                complain(error.detail)
                if said != "e":
                    raise
            else:
                return


async def _asked(keyboard: Keyboard, prompt: str, keys: str) -> str:
    """One of the keys. The end of the input is a no: `r`."""
    while True:
        said = await keyboard.fresh_line(prompt)
        if said is None:
            return "r"
        if len(said.strip()) == 1 and said.strip() in keys:
            return said.strip()


async def _answer(asked: events.InputRequested, keyboard: Keyboard) -> str:
    """What is typed; the number of a choice stands for the choice."""
    while True:
        said = (await keyboard.fresh_line("> ") or "").strip()
        if said.isdigit() and 1 <= int(said) <= len(asked.choices):
            return asked.choices[int(said) - 1]
        if said:
            return said


async def _edited(arguments: str) -> dict[str, Any] | None:
    """The arguments as the person's editor leaves them; None if they were left as they are or cannot be read."""
    before = orjson.dumps(orjson.loads(arguments), option=orjson.OPT_INDENT_2).decode()
    try:
        after = await asyncio.to_thread(edited, before, ".json")
    except InvalidInput as error:
        complain(error.detail)
        return None
    if after.strip() == before.strip():
        note("Nothing was changed.")
        return None
    try:
        changed = orjson.loads(after)
    except orjson.JSONDecodeError as error:
        complain(f"That is no JSON: {error}")
        return None
    if not isinstance(changed, dict):
        complain("The arguments are one object of JSON.")
        return None
    return changed


async def _stop(turn: AsyncTurn) -> None:
    try:
        await turn.stop()
    except Refused as error:  # it has just ended
        note(error.detail)
