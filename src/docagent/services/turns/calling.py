"""Calls that a program makes itself: a turn whose log begins with the call, so that permission, inbox, audit and undo
are those of every other turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.agent.ports import Progress
from docagent.agent.strategies.registry import CALL
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.models.llm import ToolCall
from docagent.domain.repeats import Repeat
from docagent.domain.turns.events import (
    AssistantMessage,
    Event,
    StepStarted,
    TurnStarted,
    TurnTerms,
    UserMessage,
)
from docagent.domain.turns.permission import Mode, Verdict, evaluate
from docagent.domain.turns.tools import CallContext, Outcome, Scope, Tool
from docagent.domain.turns.turns import Subject, Turn, WorkingState
from docagent.services.accounts.members import check_member
from docagent.services.turns.own import turn_once
from docagent.services.turns.runner import TurnRunner
from docagent.services.turns.subjects import find_subject
from docagent.store.engine.database import Database
from docagent.store.turns import permission_rules

THE_CALL = "call"
"""The id of the one call of such a turn."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call as a program made it."""

    tool: str
    arguments: Mapping[str, Any]
    subject: Subject | None
    terms: TurnTerms
    caller: str
    """The program, as the audit names it in the place of the model."""
    repeat: Repeat | None = None


class TurnCalling:
    def __init__(self, db: Database, runner: TurnRunner) -> None:
        self._db = db
        self._runner = runner

    async def tools(self, member: Member, subject: Subject | None) -> Sequence[Tool]:
        """The tools that a program may call about the subject; without one, those that need none."""
        return await self._runner.tools(member, subject)

    async def judge(self, member: Member, tool: Tool, called: Called) -> Verdict:
        """Whether the call may run, before any turn begins. What the program has read is not known, so it counts as
        text from outside."""
        async with self._db.read_org(member.organization_id) as tx:
            await check_member(tx, member)
            rules = await permission_rules.for_user(tx, member.user_id)
        return evaluate(
            tool,
            called.arguments,
            rules=rules,
            mode=Mode(called.terms.auto_approve, called.terms.auto_approved_tools),
            user_id=member.user_id,
            subject=called.subject,
            tainted=True,
        )

    async def look(self, member: Member, called: Called, progress: Progress) -> Outcome:
        """Run a call that changes nothing and is allowed: it needs no log."""
        scope = Scope(member, "", called.subject)
        toolset = await self._runner.toolset(scope)
        context = CallContext(scope, THE_CALL, WorkingState())
        arguments = toolset.check(called.tool, orjson.dumps(called.arguments).decode())
        if called.subject is not None:
            async with self._db.read_org(member.organization_id) as tx:
                await find_subject(tx, called.subject)
        prepared = await toolset.prepare(context, called.tool, arguments, progress)
        return await toolset.run(context, called.tool, arguments, prepared)

    async def start(self, member: Member, called: Called) -> Turn:
        """Begin the turn of a call. It runs at once if it may; else it waits in the inbox. Raises BadCall.

        A repeated call gets the turn that the first one began.
        """
        return await turn_once(self._db, member, called.repeat, lambda: self._begun(member, called))

    async def _begun(self, member: Member, called: Called) -> Turn:
        written = orjson.dumps(called.arguments).decode()
        toolset = await self._runner.toolset(Scope(member, "", called.subject))
        toolset.check(called.tool, written)
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            files: tuple[str, ...] = ()
            if called.subject is not None:
                files = ((await find_subject(tx, called.subject)).line,)
            call = ToolCall(THE_CALL, called.tool, written)
            events: list[Event] = [
                TurnStarted(called.caller, CALL, 1, called.terms, files, WorkingState().as_json()),
                UserMessage(f"{called.caller} calls {called.tool}."),
                StepStarted(1),
                AssistantMessage(1, (call,), called.caller),
            ]
            turn = Turn.begun(member, called.subject, events, now())
            await self._runner.begin(tx, turn, member, events, called.repeat)
        return turn
