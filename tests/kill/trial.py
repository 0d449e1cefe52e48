"""One kill: the server dies at a point, starts again, and the user goes on."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.kill.checks import PROPOSED, STOPPED, WHOLE, Expected, Finding, findings
from tests.kill.deployment import Copy, Server, ServerGone, Template, make_folder, serving
from tests.kill.process import Start, by_command
from tests.kill.story import Storyteller, storyteller
from tests.kill.uploader import Uploader
from tests.kill.user import User

NEVER = 1_000_000
"""A kill point that is never reached, so that the process only writes down the points it passes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """When the server is killed. Each number or name is for one start; after the last, the server is left alone."""

    kills: tuple[int | str, ...] = ()
    paused_at: int | None = None
    """The approval (from 1) during which the server is killed from outside."""
    stops_at: int | None = None
    """The approval at which the user stops the turn instead of deciding."""
    proposes: bool = False
    """A document is uploaded that the agent prepares by itself."""

    @property
    def expected(self) -> Expected:
        if self.proposes:
            return PROPOSED
        return WHOLE if self.stops_at is None else STOPPED

    @property
    def is_deadly(self) -> bool:
        return self.paused_at is not None or self.kills[:1] not in ((), (NEVER,))

    @property
    def number(self) -> str:
        numbers = "+".join(map(str, self.kills)) or f"paused {self.paused_at}"
        if self.proposes:
            return f"propose {numbers}"
        return numbers if self.stops_at is None else f"stop {numbers}"


@dataclass(slots=True)
class Report:
    plan: Plan
    database: str
    points: list[str] = field(default_factory=list)
    """The names of the kill points that a server passed without being killed."""
    name: str = ""
    afterwards: str = ""
    findings: list[Finding] = field(default_factory=list)
    calls: int = 0
    """The number of calls to the model, including repeated ones."""
    seconds: float = 0.0
    words: str = ""
    """What the servers wrote, if something was found."""


class Trial:
    def __init__(self, copy: Copy, teller: Storyteller, plan: Plan, start: Start) -> None:
        self._copy = copy
        self._teller = teller
        self._plan = plan
        self._start = start
        self._starts = 0
        self.user = Uploader(copy.tenant) if plan.proposes else User(copy.tenant, stops_at=plan.stops_at)
        self.report = Report(plan, copy.kind)

    async def run(self) -> Report:
        begun = time.monotonic()
        try:
            await self._tell()
        except (AssertionError, ServerGone, TimeoutError) as error:
            self.report.findings.append(Finding("lost", f"{type(error).__name__}: {error}"))
        finally:
            await self.user.leave()
        report = self.report
        report.calls = self._teller.rounds + self._teller.windows
        report.seconds = time.monotonic() - begun
        if report.findings:
            report.words = self._words()
        return report

    async def _tell(self) -> None:
        names: list[str] = []
        for number in self._plan.kills:
            async with self._server(number) as server:
                if await self._goes_under(server):
                    names.append(server.points()[-1])
                else:
                    self.report.points = server.points()
        if self._plan.paused_at is not None:
            async with self._server() as server:
                await self.user.go_on(until_approval=self._plan.paused_at)
                await server.kill()
                names.append(f"while waiting for approval {self._plan.paused_at}")
        self.report.name = "; then ".join(names) or "none"
        if not names and self._plan.is_deadly:
            self.report.findings.append(Finding("broken", "the point was not reached"))
        async with self._server():
            self.report.afterwards = await self.user.look()
            await self.user.go_on()
            self.report.findings += await findings(self._copy, self.user, self._plan.expected)

    async def _goes_under(self, server: Server) -> bool:
        """Return whether the server was killed at its kill point before the turn was over."""
        try:
            await self.user.go_on()
        except ServerGone:
            assert await server.was_killed(), f"the server ended with {server.process.returncode}"
            return True
        return False

    @asynccontextmanager
    async def _server(self, kill_point: int | str | None = None) -> AsyncIterator[Server]:
        self._starts += 1
        log = self._log(self._starts)
        async with serving(
            self._copy,
            log,
            model_url=self._teller.base_url,
            start=self._start,
            kill_point=kill_point,
            jobs=self._plan.proposes,
        ) as server:
            await self.user.connect(server.url)
            yield server

    def _log(self, start: int) -> Path:
        return self._copy.folder / f"server-{start}.log"

    def _words(self) -> str:
        logs = [(start, self._log(start)) for start in range(1, self._starts + 1)]
        return "\n".join(
            f"--- server, start {start}\n{log.read_text(errors='replace').strip()}"
            for start, log in logs
            if log.exists()
        )


async def try_out(template: Template, folder: Path, plan: Plan, start: Start = by_command) -> Report:
    make_folder(folder)
    async with storyteller() as teller, template.copied(folder) as copy:
        return await Trial(copy, teller, plan, start).run()


def plans(
    whole: Sequence[str], stopped: Sequence[str], proposing: Sequence[str], approvals: int, *, every: int = 6
) -> list[Plan]:
    """Plan a kill at every point of the story, of a stop and of a proposal, and a second kill soon after some."""
    numbers = range(1, len(whole) + 1)
    single = [Plan((number,)) for number in numbers]
    paused = [Plan(paused_at=number) for number in range(1, approvals + 1)]
    stops = [Plan((number,), stops_at=2) for number, name in enumerate(stopped, start=1) if "stopped" in name]
    twice = [Plan((number, 1 + number % 5)) for number in numbers if number % every == 0]
    of_proposal = range(1, len(proposing) + 1)
    proposals = [Plan((number,), proposes=True) for number in of_proposal]
    proposals += [
        Plan((number, 1 + number % 5), proposes=True) for number in of_proposal if number % every == 0
    ]
    return [*single, *paused, *stops, *twice, *proposals]
