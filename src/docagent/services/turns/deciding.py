"""Verdicts: on calls, on plans, on questions, and on what was done before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import orjson

from docagent.agent.acting import describe_call
from docagent.agent.deciding.replies import VOID
from docagent.agent.ports import Toolset
from docagent.agent.state import TurnView
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, Kind, NotFound
from docagent.domain.ids import new_id
from docagent.domain.repeats import Repeat
from docagent.domain.turns import events
from docagent.domain.turns.permission import NOT_REMEMBERED, Effect, Rule, may_be_remembered
from docagent.domain.turns.tools import BadCall, CallContext, Scope
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.services.accounts.members import check_member
from docagent.services.repeats import keep, made_before, once
from docagent.services.turns.journal import transcript_of
from docagent.services.turns.own import NO_TURN, own_turn_with_view, turn_made
from docagent.services.turns.runner import TurnRunner, scope_of
from docagent.services.turns.threads import find_thread
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import permission_rules, turns

EVERYWHERE = "organization"


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict on one call."""

    call_id: str
    approved: bool
    arguments: Mapping[str, Any] | None = None
    reason: str | None = None
    always: str | None = None
    """Where to remember the approval: `document` or `project` for the turn's subject, `organization` for everywhere."""
    hunks: Sequence[int] | None = None
    """Which hunks of the preview are accepted, by number from 0; None for all, and none at all is a rejection."""


class TurnDeciding:
    def __init__(self, db: Database, runner: TurnRunner) -> None:
        self._db = db
        self._runner = runner

    async def decide(
        self,
        member: Member,
        turn_id: str,
        decisions: Sequence[Decision],
        *,
        subject: Subject | None = None,
        thread_id: str | None = None,
        partial: bool = False,
        repeat: Repeat | None = None,
    ) -> Turn:
        """Record verdicts and, if none is missing, let the turn continue. A repeated request finds it as it was then.

        Calls that are not named are rejected, or stay pending with `partial`; those that need no verdict run.
        All verdicts are refused if a named call does not wait, if changed arguments do not fit, or if the target of a
        call has changed since.
        """
        return await once(
            self._db,
            member,
            repeat,
            lambda: self._decide(member, turn_id, decisions, subject, thread_id, partial, repeat),
            lambda made: turn_made(self._db, member, made),
        )

    async def repeated(self, member: Member, repeat: Repeat | None) -> Turn | None:
        """The turn that an earlier request with the same key continued, as it was then; None if none did."""
        made = await made_before(self._db, member, repeat) if repeat else None
        return await turn_made(self._db, member, made) if made else None

    async def _decide(
        self,
        member: Member,
        turn_id: str,
        decisions: Sequence[Decision],
        subject: Subject | None,
        thread_id: str | None,
        partial: bool,
        repeat: Repeat | None,
    ) -> Turn:
        turn, view = await own_turn_with_view(self._db, member, turn_id, subject)
        if thread_id is not None and thread_id != turn.thread_id:
            raise NotFound(NO_TURN)
        asking = {call.id for call in view.undecided}
        if turn.state is not TurnState.AWAITING_APPROVAL or not asking:
            raise Conflict(
                f"{NO_TURN}: nothing waits for a decision in this turn any more.", Kind.NOT_WAITING
            )
        waiting = {call.id: call for call in (*view.undecided, *view.companions)}
        named = {decision.call_id: decision for decision in decisions}
        if len(named) < len(decisions):
            raise InvalidInput("A call is named twice. Send one verdict for each call.")
        if unknown := sorted(set(named) - set(waiting)):
            raise Conflict(f"{NO_TURN}: no such call waits for a decision: {', '.join(unknown)}.")
        named = {call_id: _settled(decision, waiting[call_id]) for call_id, decision in named.items()}
        decided = {call_id for call_id in waiting if call_id in named or (call_id in asking and not partial)}
        complete = asking <= decided
        scope = scope_of(member, turn, view)
        toolset = await self._runner.toolset(scope)
        _check_arguments(toolset, waiting, named)
        _check_remembered(toolset, scope, waiting, named)
        approved = [waiting[call_id] for call_id, decision in named.items() if decision.approved]
        in_part = {call_id for call_id, decision in named.items() if decision.hunks is not None}
        if complete:
            approved += view.approved_earlier
            in_part |= {call_id for call_id, verdict in view.decided.items() if verdict.hunks is not None}
        await self._check_targets(
            toolset, scope, turn, view, [call for call in approved if call.asks], in_part
        )
        if not decided:
            return turn
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            added: list[events.Event] = [
                await self._decided(tx, member, turn, call, named.get(call_id))
                for call_id, call in waiting.items()
                if call_id in decided
            ]
            await self._append(tx, member, turn, added, moment, runs=complete, repeat=repeat)
        return self._continued(member, turn, added, moment, runs=complete, before=view.events)

    async def say(
        self, member: Member, turn_id: str, *, approved: bool, words: str, repeat: Repeat | None = None
    ) -> Turn:
        """Decide at once on all that waits in the turn of an `act`, in the user's words.

        A yes is void if the target of a call has changed since it was asked: then nothing runs, and the turn says so.
        """
        turn, view = await own_turn_with_view(self._db, member, turn_id)
        scope = scope_of(member, turn, view)
        if approved and await _moved(await self._runner.toolset(scope), scope, view, view.undecided):
            return await self._resume_with(member, turn, _voided(view, member.user_id, words), repeat)
        decisions = [Decision(call.id, approved, reason=words) for call in view.undecided]
        return await self.decide(member, turn_id, decisions, repeat=repeat)

    async def decide_plan(
        self,
        member: Member,
        turn_id: str,
        *,
        approved: bool,
        steps: Sequence[str] | None = None,
        reason: str | None = None,
        seen: int | None = None,
        repeat: Repeat | None = None,
    ) -> Turn:
        """Decide about a plan as a whole. Refused if it was made after the event that the user saw last."""
        turn, view = await own_turn_with_view(self._db, member, turn_id)
        if not view.waits_for_plan or view.plan is None:
            raise Conflict(f"{NO_TURN}: no plan waits for a decision in this turn.")
        _check_seen(view, events.Plan, seen)
        changed = None if steps is None else tuple(step.strip() for step in steps if step.strip())
        if changed == ():
            raise InvalidInput("A plan needs at least one step. Reject it instead.")
        decided = events.PlanDecided(view.plan.revision, approved, member.user_id, changed, reason)
        return await self._resume_with(member, turn, [decided], repeat)

    async def answer(
        self,
        member: Member,
        turn_id: str,
        text: str,
        *,
        seen: int | None = None,
        repeat: Repeat | None = None,
    ) -> Turn:
        """Answer the question that the agent asked. Refused if it asked after the event that the user saw last."""
        turn, view = await own_turn_with_view(self._db, member, turn_id)
        if turn.state is not TurnState.AWAITING_INPUT:
            raise Conflict(f"{NO_TURN}: the agent does not wait for an answer.")
        _check_seen(view, events.InputRequested, seen)
        return await self._resume_with(member, turn, [events.InputGiven(text, member.user_id)], repeat)

    async def _resume_with(
        self, member: Member, turn: Turn, added: list[events.Event], repeat: Repeat | None = None
    ) -> Turn:
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            await self._append(tx, member, turn, added, moment, runs=True, repeat=repeat)
        return self._continued(member, turn, added, moment, runs=True)

    async def _append(
        self,
        tx: OrgTx,
        member: Member,
        turn: Turn,
        added: Sequence[events.Event],
        moment: datetime,
        *,
        runs: bool,
        repeat: Repeat | None = None,
    ) -> None:
        """Write events to a turn that waits. With `runs`, this process becomes its runner."""
        await check_member(tx, member, keep=True)
        if not await turns.append_to_waiting(
            tx,
            turn,
            added,
            moment,
            state=TurnState.RUNNING if runs else turn.state,
            owner=self._runner.owner if runs else None,
            lease_until=moment + self._runner.lease if runs else None,
            credential_id=member.principal.credential_id,
        ):
            raise _too_late()
        await keep(tx, repeat, {"turn_id": turn.id, "last_seq": turn.last_seq + len(added)})
        self._runner.kill.reached("before commit", added)

    def _continued(
        self,
        member: Member,
        turn: Turn,
        added: Sequence[events.Event],
        moment: datetime,
        *,
        runs: bool,
        before: Sequence[events.Event] | None = None,
    ) -> Turn:
        """Show the events to everyone who watches, and with `runs` continue the turn."""
        self._runner.kill.reached("after commit", added)
        for position, event in enumerate(added):
            self._runner.live.publish(turn.id, events.Recorded(turn.last_seq + 1 + position, moment, event))
        state = TurnState.RUNNING if runs else turn.state
        changed = replace(turn, last_seq=turn.last_seq + len(added), state=state)
        if runs:
            self._runner.start(changed, member, log=None if before is None else [*before, *added])
        else:
            self._runner.live.paused(turn.id)
        return changed

    async def _decided(
        self, tx: OrgTx, member: Member, turn: Turn, call: events.RequestedCall, decision: Decision | None
    ) -> events.ApprovalDecided:
        if decision is None or not decision.approved:
            reason = decision.reason if decision else None
            return events.ApprovalDecided(call.id, False, member.user_id, reason=reason)
        arguments = None
        if decision.arguments is not None and not _same(decision.arguments, call.arguments):
            arguments = orjson.dumps(decision.arguments).decode()
        rule_id = None
        if decision.always is not None:
            rule_id = new_id()
            subject = None if decision.always == EVERYWHERE else turn.subject
            rule = Rule(
                rule_id,
                Effect.ALLOW,
                call.name,
                subject=subject,
                user_id=member.user_id,
                created_by=member.user_id,
            )
            await permission_rules.insert(tx, rule, now())
        hunks = None if decision.hunks is None else tuple(decision.hunks)
        return events.ApprovalDecided(
            call.id, True, member.user_id, arguments, decision.reason, rule_id, hunks
        )

    async def _check_targets(
        self,
        toolset: Toolset,
        scope: Scope,
        turn: Turn,
        view: TurnView,
        approved: Sequence[events.RequestedCall],
        in_part: Collection[str],
    ) -> None:
        """Refuse if a target has changed since its preview; the calls concerned are then shown and asked for again."""
        moved = await _moved(toolset, scope, view, approved, in_part)
        if not moved:
            return
        moment = now()
        async with self._db.write_org(turn.organization_id) as tx:
            renewed = events.ApprovalRequested(tuple(moved))
            if not await turns.append_to_waiting(tx, turn, [renewed], moment, state=turn.state):
                raise _too_late()
        self._runner.live.publish(turn.id, events.Recorded(turn.last_seq + 1, moment, renewed))
        raise Conflict(
            "This changed after you opened it: "
            + "; ".join(call.summary for call in moved)
            + ". Review the new preview and decide again."
        )

    async def undo(self, member: Member, turn_id: str, call_id: str) -> events.Undone:
        """Take back what one call did. Refused if something later depends on it or it was already taken back."""
        turn, view = await own_turn_with_view(self._db, member, turn_id)
        result = view.results.get(call_id)
        if result is None:
            raise NotFound("No such call in this turn")
        if any(isinstance(event, events.Undone) and event.call_id == call_id for event in view.events):
            raise Conflict("This was undone already.")
        if result.undo is None:
            raise Conflict("There is nothing to undo: this call changed nothing.")
        if turn.state is TurnState.RUNNING:
            raise Conflict("The agent is still working. Stop it first, or wait.")
        context = CallContext(scope_of(member, turn, view), call_id, view.state)
        toolset = await self._runner.toolset(context.scope)
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            await check_member(tx, member, keep=True)
            with tx.joined():
                summary = await toolset.undo(context, result.name, result.undo)
            undone = events.Undone(call_id, member.user_id, summary)
            if not await turns.append_to_waiting(tx, turn, [undone], moment, state=turn.state):
                raise Conflict("The turn has changed in the meantime. Review it again.")
            await self._forget(tx, member, turn, view, undone)
        self._runner.live.publish(turn.id, events.Recorded(turn.last_seq + 1, moment, undone))
        self._runner.live.paused(turn.id)
        return undone

    async def _forget(
        self, tx: OrgTx, member: Member, turn: Turn, view: TurnView, undone: events.Undone
    ) -> None:
        """Take what was undone out of the working state, and let later turns know of the undo."""
        view.apply(undone)
        if turn.state.is_over:
            await turns.keep_transcript(tx, turn.id, *transcript_of(view))
        if turn.thread_id is None or turn.subject is None:
            return
        thread = await find_thread(tx, member, turn.subject, turn.thread_id, lock=True)
        state = view.state_without(undone.call_id, thread.state)
        await turns.set_thread_state(tx, thread.id, state.as_json(), now())


def _too_late() -> Conflict:
    return Conflict(f"{NO_TURN}: somebody was faster.", Kind.NOT_WAITING)


def _check_seen(view: TurnView, kind: type[events.Plan | events.InputRequested], seen: int | None) -> None:
    """Refuse what was meant for an earlier plan or question: in another tab somebody has gone on."""
    newest = max(number for number, event in enumerate(view.events, start=1) if isinstance(event, kind))
    if seen is not None and newest > seen:
        raise Conflict("The agent now waits for something other than what you saw. Review it, then decide.")


def _settled(decision: Decision, call: events.RequestedCall) -> Decision:
    """The verdict with the hunks that it names checked: all of them are the whole call, and none is a rejection."""
    if decision.hunks is None or not decision.approved:
        return replace(decision, hunks=None)
    count, chosen = len(_hunks(call)), sorted(set(decision.hunks))
    if not count:
        raise InvalidInput("This change is not shown in hunks. Approve or reject it as a whole.")
    if decision.arguments is not None:
        raise InvalidInput("Accept some of the hunks or change the arguments, not both.")
    if chosen and not 0 <= chosen[0] <= chosen[-1] < count:
        raise InvalidInput(f"The change has {count} hunks, numbered from 0. Name only these.")
    if not chosen:
        return replace(decision, approved=False, hunks=None)
    return replace(decision, hunks=None if len(chosen) == count else chosen)


def _hunks(call: events.RequestedCall) -> Sequence[Any]:
    """The hunks of a call's preview; none for a call that is only decided as a whole."""
    return call.preview.get("hunks", ()) if call.preview else ()


def _voided(view: TurnView, user_id: str, words: str) -> list[events.Event]:
    """The end of calls that somebody agreed to too late: none of them runs."""
    added: list[events.Event] = []
    for call in view.undecided:
        content = orjson.dumps({"error": VOID}).decode()
        refused = events.ToolFinished(call.id, call.name, content, is_error=True, ran=False, summary=VOID)
        added += [events.ApprovalDecided(call.id, False, user_id, reason=words), refused]
    return added


def _check_arguments(
    toolset: Toolset, waiting: Mapping[str, events.RequestedCall], named: Mapping[str, Decision]
) -> None:
    """Refuse changed arguments that do not fit the tool."""
    for call_id, decision in named.items():
        if not decision.approved or decision.arguments is None:
            continue
        name = waiting[call_id].name
        try:
            toolset.check(name, orjson.dumps(decision.arguments).decode())
        except BadCall as error:
            raise InvalidInput(f"The changed arguments of {name} do not fit: {error.detail}") from error


def _check_remembered(
    toolset: Toolset, scope: Scope, waiting: Mapping[str, events.RequestedCall], named: Mapping[str, Decision]
) -> None:
    """Refuse to remember an approval that would never be enough."""
    tools = {tool.name: tool for tool in toolset.tools()}
    for call_id, decision in named.items():
        tool = tools.get(waiting[call_id].name)
        remembers = decision.approved and decision.always is not None
        if remembers and tool is not None and not may_be_remembered(tool):
            raise InvalidInput(NOT_REMEMBERED.format(name=tool.name))
        if remembers and scope.subject is None and decision.always != EVERYWHERE:
            raise InvalidInput(
                "This call is about no document and no project. Remember it for the whole organisation."
            )


async def _moved(
    toolset: Toolset,
    scope: Scope,
    view: TurnView,
    approved: Sequence[events.RequestedCall],
    in_part: Collection[str] = (),
) -> list[events.RequestedCall]:
    """The calls whose targets have changed since their previews, as they would be shown now.

    Of calls that are approved in part the preview must be the same: hunks are named by their numbers in it.
    """
    moved: list[events.RequestedCall] = []
    for call in approved:
        context = CallContext(scope, call.id, view.state)
        current = await describe_call(toolset, context, call.name, call.arguments)
        numbers_hold = call.id not in in_part or _hunks(current) == _hunks(call)
        if current.basis != call.basis or not numbers_hold:
            moved.append(replace(current, by_policy=call.by_policy))
    return moved


def _same(arguments: Mapping[str, Any], written: str) -> bool:
    try:
        return bool(orjson.loads(written or "{}") == arguments)
    except orjson.JSONDecodeError:
        return False
