"""Threads, turns and what a turn is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from docagent.domain.accounts.accounts import Member
from docagent.domain.ids import new_id
from docagent.domain.repeats import Repeat
from docagent.domain.turns.events import Event, EventType, TurnStarted, TurnTerms

NEW_THREAD_TITLE = "New chat"
TITLE_LENGTH = 50
MAX_ROUNDS_TEXT = "(Max tool rounds reached.)"
REJECTED_TEXT = "User rejected this action."
POSTED = "posted"
"""Stands for the strategy of a turn that is one message which a client put into the conversation itself."""


class TurnState(StrEnum):
    RUNNING = "running"
    AWAITING_APPROVAL = "awaiting_approval"
    AWAITING_INPUT = "awaiting_input"
    COMPLETED = "completed"
    STOPPED = "stopped"
    LIMIT_REACHED = "limit_reached"
    FAILED = "failed"

    @property
    def is_over(self) -> bool:
        return self in _OVER

    @property
    def is_waiting(self) -> bool:
        return self in (TurnState.AWAITING_APPROVAL, TurnState.AWAITING_INPUT)


_OVER = frozenset({TurnState.COMPLETED, TurnState.STOPPED, TurnState.LIMIT_REACHED, TurnState.FAILED})

STATE_AFTER: dict[EventType, TurnState] = {
    EventType.COMPLETED: TurnState.COMPLETED,
    EventType.STOPPED: TurnState.STOPPED,
    EventType.LIMIT_REACHED: TurnState.LIMIT_REACHED,
    EventType.FAILED: TurnState.FAILED,
}
"""The state in which each of these events leaves its turn."""


@dataclass(frozen=True, slots=True)
class WorkingState:
    """What "the schema we just made" means: kept per thread, from turn to turn."""

    schema_revid: str | None = None
    prompt_revid: str | None = None
    extraction: Any = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        return cls(values.get("schema_revid"), values.get("prompt_revid"), values.get("extraction"))

    def changed(self, changes: Mapping[str, Any]) -> WorkingState:
        return WorkingState.of({**self.as_json(), **changes})

    def as_json(self) -> dict[str, Any]:
        return {
            "schema_revid": self.schema_revid,
            "prompt_revid": self.prompt_revid,
            "extraction": self.extraction,
        }


class SubjectKind(StrEnum):
    DOCUMENT = "document"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a conversation is about."""

    kind: SubjectKind
    id: str

    @classmethod
    def document(cls, document_id: str) -> Self:
        return cls(SubjectKind.DOCUMENT, document_id)

    @classmethod
    def project(cls, project_id: str) -> Self:
        return cls(SubjectKind.PROJECT, project_id)

    @classmethod
    def of(cls, document_id: str | None, project_id: str | None) -> Self | None:
        if project_id is not None:
            return cls.project(project_id)
        return None if document_id is None else cls.document(document_id)

    @property
    def document_id(self) -> str | None:
        return self.id if self.kind is SubjectKind.DOCUMENT else None

    @property
    def project_id(self) -> str | None:
        return self.id if self.kind is SubjectKind.PROJECT else None


class About:
    """Base of everything that is about a subject: a short way to the id of its document or project."""

    __slots__ = ()
    subject: Subject | None

    @property
    def document_id(self) -> str | None:
        return self.subject.document_id if self.subject else None

    @property
    def project_id(self) -> str | None:
        return self.subject.project_id if self.subject else None


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A message for the agent, and how its turn is to run. What it leaves out follows the server's defaults."""

    messages: Sequence[Mapping[str, Any]]
    """The last message is the user's. Those before it are the history, if no thread keeps one."""
    terms: TurnTerms = field(default_factory=TurnTerms)
    model: str | None = None
    strategy: str | None = None
    max_steps: int | None = None
    thread_id: str | None = None
    keep_messages: int | None = None
    """For an edited message: how many messages of the thread to keep before it."""
    begins_thread: bool = False
    """Without a `thread_id`: the message is the first of a new thread."""
    repeat: Repeat | None = None
    says_no: bool = False
    """Whether the message is a no to what waits in the thread, as DocRouter's clients mean it. Else it is refused while
    something waits."""


@dataclass(frozen=True, slots=True)
class Thread(About):
    """A conversation of one user about one document or one project."""

    id: str
    user_id: str
    subject: Subject | None
    title: str
    state: WorkingState
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Turn(About):
    """One user message and everything that the agent does about it."""

    id: str
    organization_id: str
    user_id: str
    subject: Subject | None
    thread_id: str | None
    position: int
    """The turn's place in the thread. A turn that an edited message replaced keeps its place and is superseded."""
    state: TurnState
    model: str
    strategy: str
    last_seq: int
    created_at: datetime
    updated_at: datetime
    superseded: bool = False
    waits_until: datetime | None = None
    """When the turn stops waiting for a person; None for never."""
    deserted_at: datetime | None = None
    """When the client that asked went away, if nobody has come back since: the turn is then about to be stopped."""

    @classmethod
    def begun(
        cls,
        member: Member,
        subject: Subject | None,
        log: Sequence[Event],
        at: datetime,
        *,
        thread_id: str | None = None,
        position: int = 1,
        state: TurnState = TurnState.RUNNING,
    ) -> Self:
        """A new turn of the member with its first events."""
        started = log[0]
        assert isinstance(started, TurnStarted)
        whose = (member.organization_id, member.user_id, subject, thread_id, position, state)
        return cls(new_id(), *whose, started.model, started.strategy, len(log), at, at)
