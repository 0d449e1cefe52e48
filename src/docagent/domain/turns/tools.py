"""What a model may call: the facts about a tool, the context of a call, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import DocAgentError
from docagent.domain.models.llm import ToolSpec
from docagent.domain.turns.turns import About, Subject, WorkingState


class Access(StrEnum):
    READ_ONLY = "read_only"
    READ_WRITE = "read_write"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the loop, the permission and the client see it."""

    spec: ToolSpec
    access: Access
    sends_out: bool = False
    """Its arguments leave the deployment: a web search, a fetched address."""
    calls_model: bool = False
    """It changes nothing, but has a model read other documents than the conversation is about, which costs credits."""
    may_lose: bool = False
    """A call of it may take something away that somebody wrote. Whether it does, `Described.losses` says."""

    @property
    def name(self) -> str:
        return self.spec.name


@dataclass(frozen=True, slots=True)
class Scope(About):
    """On whose behalf and about what a turn's tools run."""

    member: Member
    turn_id: str
    subject: Subject | None = None
    thread_id: str | None = None


@dataclass(frozen=True, slots=True)
class Described:
    """A call in words for the person who decides about it.

    `preview` says what would change, as JSON with a `kind`; `basis` names the state that it was made against.
    """

    summary: str
    preview: Mapping[str, Any] | None = None
    basis: str | None = None
    losses: tuple[str, ...] = ()
    """What somebody wrote and the call takes away, in words. No standing permission covers it."""
    refusal: str | None = None
    """Why the call cannot succeed as things are now."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call gave. `content` goes to the model as JSON."""

    content: Mapping[str, Any]
    summary: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)
    undo: Mapping[str, Any] | None = None
    is_error: bool = False
    credits: int = 0
    """The credits spent on model calls inside this call."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a person accepted of a change: some of the hunks of the preview that they saw, by number."""

    hunks: tuple[int, ...]
    preview: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallContext:
    """One call inside a turn."""

    scope: Scope
    call_id: str
    state: WorkingState
    accepted: Accepted | None = None
    """None if the whole call may run."""

    @property
    def member(self) -> Member:
        return self.scope.member

    @property
    def run_id(self) -> str:
        """An id that stays the same when the call runs again, so that it finds the replies it has already paid for."""
        return sha256(f"{self.scope.turn_id}:{self.call_id}".encode()).hexdigest()[:24]


class BadCall(DocAgentError):
    """The call cannot run as it is: no such tool, broken JSON, or arguments that its schema refuses."""
