"""What waits for a person, and what was done: the inbox and the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from docagent.agent.state import TurnView
from docagent.domain.accounts.accounts import Member
from docagent.domain.ids import is_id
from docagent.domain.listing import Found
from docagent.domain.turns.events import ApprovalDecided, RequestedCall, ToolFinished, ToolStarted, Undone
from docagent.domain.turns.turns import Subject, Turn
from docagent.services.turns.subjects import subject_names
from docagent.store.accounts import users
from docagent.store.engine.database import Database, OrgTx
from docagent.store.turns import turns


@dataclass(frozen=True, slots=True)
class _AboutTurn:
    turn: Turn
    subject_name: str | None

    @property
    def document_name(self) -> str | None:
        return self.subject_name if self.turn.document_id else None

    @property
    def project_name(self) -> str | None:
        return self.subject_name if self.turn.project_id else None


@dataclass(frozen=True, slots=True)
class Waiting(_AboutTurn):
    """A turn that waits for its user: for a verdict on calls, an answer, or a verdict on a plan."""

    message: str
    calls: list[RequestedCall]
    question: str | None
    choices: tuple[str, ...]
    plan: list[str] | None


@dataclass(frozen=True, slots=True)
class AuditEntry(_AboutTurn):
    """One call: who asked, which model proposed it, who or what allowed it, what ran, what it cost."""

    seq: int
    at: datetime
    user_name: str | None
    call_id: str
    tool: str
    summary: str
    proposed_arguments: str | None
    ran_arguments: str | None
    grant: dict[str, Any] | None
    approved: bool | None
    reason: str | None
    decided_by: str | None
    result: str
    outcome: str
    milliseconds: int
    turn_credits: int


class TurnRecords:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def waiting(self, member: Member, *, skip: int, limit: int) -> Found[Waiting]:
        """Everything that waits for the caller, across documents, the oldest first."""
        async with self._db.read_org(member.organization_id) as tx:
            found, total = await turns.waiting(tx, member.user_id, skip=skip, limit=limit)
            logs = await turns.events_of(tx, [turn.id for turn in found]) if found else {}
            names = await subject_names(tx, (turn.subject for turn in found))
        items = []
        for turn in found:
            view = TurnView.of(recorded.event for recorded in logs[turn.id])
            asked = view.question_to_user if view.answer is None and not view.timed_out else None
            items.append(
                Waiting(
                    turn,
                    names.get(turn.subject) if turn.subject else None,
                    view.question,
                    view.undecided,
                    asked.question if asked else None,
                    asked.choices if asked else (),
                    [step.text for step in view.plan.steps] if view.plan and view.waits_for_plan else None,
                )
            )
        return Found(items, total, skip)

    async def audit(
        self,
        member: Member,
        *,
        subject: Subject | None = None,
        user_id: str | None = None,
        skip: int,
        limit: int,
    ) -> Found[AuditEntry]:
        """What was done in the organisation, newest first. For its administrators only."""
        member.require_admin("see its audit")
        for given in (subject.id if subject else None, user_id):
            if given is not None and not is_id(given):
                return Found([], 0, skip)
        async with self._db.read_org(member.organization_id) as tx:
            found, total = await turns.audited(tx, subject=subject, user_id=user_id, skip=skip, limit=limit)
            involved = {item.turn.id: item.turn for item in found}
            logs = await turns.events_of(tx, list(involved)) if involved else {}
            names = await subject_names(tx, (turn.subject for turn in involved.values()))
            people = await self._people(tx, {turn.user_id for turn in involved.values()})
            deciders = {
                recorded.event.user_id
                for log in logs.values()
                for recorded in log
                if isinstance(recorded.event, ApprovalDecided | Undone)
            }
            people |= await self._people(tx, deciders - set(people))
        views = {turn_id: TurnView.of(recorded.event for recorded in log) for turn_id, log in logs.items()}
        return Found([_entry(item, views[item.turn.id], people, names) for item in found], total, skip)

    async def _people(self, tx: OrgTx, user_ids: set[str]) -> dict[str, str]:
        return await users.names(tx, sorted(user_ids)) if user_ids else {}


def _entry(
    item: turns.Audited, view: TurnView, people: Mapping[str, str], names: Mapping[Subject, str]
) -> AuditEntry:
    event = item.recorded.event
    assert isinstance(event, ToolFinished | Undone)
    call_id = event.call_id
    started: ToolStarted | None = view.running.get(call_id)
    decision = view.decided.get(call_id)
    call = view.calls.get(call_id)
    decider = event.user_id if isinstance(event, Undone) else decision.user_id if decision else None
    finished = view.results.get(call_id)
    if isinstance(event, Undone):
        outcome = "undone"
    elif not event.ran:
        outcome = "refused"
    else:
        outcome = "failed" if event.is_error else "done"
    return AuditEntry(
        turn=item.turn,
        seq=item.recorded.seq,
        at=item.recorded.at,
        user_name=people.get(item.turn.user_id),
        subject_name=names.get(item.turn.subject) if item.turn.subject else None,
        call_id=call_id,
        tool=finished.name if finished else "",
        summary=event.summary,
        proposed_arguments=call.arguments if call else None,
        ran_arguments=started.arguments if started else None,
        grant=asdict(started.grant) if started else None,
        approved=decision.approved if decision else None,
        reason=decision.reason if decision else None,
        decided_by=people.get(decider) if decider else None,
        result="" if isinstance(event, Undone) else event.content,
        outcome=outcome,
        milliseconds=0 if isinstance(event, Undone) else event.milliseconds,
        turn_credits=view.credits,
    )
