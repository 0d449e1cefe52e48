"""Notices of what has happened, for listeners inside the process and for webhooks.

A notice says who did what to which thing and how it ended. It contains ids, names and counts, never the text of a
document, nor the arguments or the result of a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Literal

from docagent.domain.projects.projects import Author


class NoticeKind(StrEnum):
    AGENT_ACTION_COMPLETED = "agent_action_completed"
    TURN_ENDED = "turn_ended"
    TURN_WAITS = "turn_waits"
    DOCUMENT_UPLOADED = "document_uploaded"
    DOCUMENT_READ = "document_read"
    DOCUMENT_READ_FAILED = "document_read_failed"
    DOCUMENT_DELETED = "document_deleted"
    EXTRACTION_COMPLETED = "extraction_completed"
    EXTRACTION_FAILED = "extraction_failed"
    PROMPT_RUN_ENDED = "prompt_run_ended"
    RESULT_CHANGED = "result_changed"
    RESULT_REVIEWED = "result.reviewed"
    RESULT_REJECTED = "result.rejected"
    LIVING_DOCUMENT_CREATED = "living_document_created"
    LIVING_DOCUMENT_CHANGED = "living_document_changed"
    LIVING_DOCUMENT_RENAMED = "living_document_renamed"
    LIVING_DOCUMENT_DELETED = "living_document_deleted"
    LIVING_DOCUMENT_RESTORED = "living_document_restored"
    CALLBACK_DUE = "callback_due"
    MODEL_CALLED = "model_called"


@dataclass(frozen=True, slots=True)
class Notice:
    kind: ClassVar[NoticeKind]
    organization_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AboutTurn(Notice):
    turn_id: str
    thread_id: str | None
    document_id: str | None
    project_id: str | None
    user_id: str


@dataclass(frozen=True, slots=True)
class AgentActionCompleted(AboutTurn):
    """One call of a tool that really ran; or one `act` as a whole, whose calls are not told one by one."""

    kind = NoticeKind.AGENT_ACTION_COMPLETED
    call_id: str | None
    tool: str
    """`act` for an `act` as a whole, which has no call of its own."""
    outcome: Literal["done", "failed"]
    grant: str | None
    """Why the call was allowed to run: a member of GrantKind."""
    milliseconds: int
    credits: int
    action_type: Literal["tool_call", "agent_action"] = "tool_call"
    success: bool = True
    chat_id: str | None = None
    """The chat of an `act`; its document is a living one."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What an `act` decided and did, as flags."""


@dataclass(frozen=True, slots=True)
class TurnEnded(AboutTurn):
    """`outcome` is the state in which the turn ended; `reason` says in a word why, if it is known."""

    kind = NoticeKind.TURN_ENDED
    outcome: str
    reason: str | None
    model: str
    strategy: str
    steps: int
    model_calls: int
    tokens: int
    credits: int
    proposes: bool = False
    """Whether the turn prepared a proposal."""


@dataclass(frozen=True, slots=True)
class TurnWaits(AboutTurn):
    """The agent needs a person: a verdict on calls or on a plan, or an answer."""

    kind = NoticeKind.TURN_WAITS
    waits_for: Literal["approval", "plan", "input"]
    tools: tuple[str, ...]
    """The tools whose calls wait for a verdict."""


@dataclass(frozen=True, slots=True)
class DocumentUploaded(Notice):
    kind = NoticeKind.DOCUMENT_UPLOADED
    document_id: str
    name: str
    mime_type: str
    size: int
    user_id: str


@dataclass(frozen=True, slots=True)
class DocumentRead(Notice):
    """The text of the document is there."""

    kind = NoticeKind.DOCUMENT_READ
    document_id: str
    name: str
    pages: int


@dataclass(frozen=True, slots=True)
class DocumentReadFailed(Notice):
    """`code` is a member of ReadFailure."""

    kind = NoticeKind.DOCUMENT_READ_FAILED
    document_id: str
    code: str


@dataclass(frozen=True, slots=True)
class DocumentDeleted(Notice):
    kind = NoticeKind.DOCUMENT_DELETED
    document_id: str
    user_id: str


@dataclass(frozen=True, slots=True)
class ExtractionCompleted(Notice):
    """A new result of a model. `problems` counts the fields that are still wrong."""

    kind = NoticeKind.EXTRACTION_COMPLETED
    document_id: str
    prompt_revid: str
    prompt_id: str
    prompt_version: int
    revision: int
    model: str
    problems: int
    user_id: str
    job_id: str | None


@dataclass(frozen=True, slots=True)
class ExtractionFailed(Notice):
    """An extraction in the background came to nothing. Without a prompt: the job as a whole was given up."""

    kind = NoticeKind.EXTRACTION_FAILED
    document_id: str
    prompt_revid: str | None
    job_id: str


@dataclass(frozen=True, slots=True)
class PromptRunEnded(Notice):
    """A run of a prompt over many documents is over: `done`, `stopped` by a person, or `failed`."""

    kind = NoticeKind.PROMPT_RUN_ENDED
    run_id: str
    prompt_id: str
    prompt_revid: str
    outcome: Literal["done", "stopped", "failed"]
    done: int
    failed: int
    user_id: str


@dataclass(frozen=True, slots=True)
class AboutResult(Notice):
    """What a person did to a result."""

    document_id: str
    prompt_revid: str
    prompt_id: str
    prompt_version: int
    revision: int
    user_id: str


@dataclass(frozen=True, slots=True)
class ResultChanged(AboutResult):
    """Values were edited, verified, or put back as they were."""

    kind = NoticeKind.RESULT_CHANGED


@dataclass(frozen=True, slots=True)
class ResultReviewed(AboutResult):
    """The result as a whole was seen and found right."""

    kind = NoticeKind.RESULT_REVIEWED


@dataclass(frozen=True, slots=True)
class ResultRejected(AboutResult):
    """The result was found unusable."""

    kind = NoticeKind.RESULT_REJECTED


@dataclass(frozen=True, slots=True)
class AboutLivingDocument(Notice):
    """What all notices about a living document hold.

    `version` is its newest one after the change. `author` says whether `user_id` did it, or the agent for that user.
    """

    project_id: str
    living_document_id: str
    name: str
    version: int
    author: Author
    user_id: str
    turn_id: str | None
    """The turn in which the agent did it, or in which a call was undone."""


@dataclass(frozen=True, slots=True)
class LivingDocumentCreated(AboutLivingDocument):
    kind = NoticeKind.LIVING_DOCUMENT_CREATED


@dataclass(frozen=True, slots=True)
class LivingDocumentChanged(AboutLivingDocument):
    """A new version with another text or another standing instruction."""

    kind = NoticeKind.LIVING_DOCUMENT_CHANGED


@dataclass(frozen=True, slots=True)
class LivingDocumentRenamed(AboutLivingDocument):
    """A new version under another name. A change of its text has its own notice."""

    kind = NoticeKind.LIVING_DOCUMENT_RENAMED
    former_name: str


@dataclass(frozen=True, slots=True)
class LivingDocumentDeleted(AboutLivingDocument):
    """The document is out of reach, alone or with its project."""

    kind = NoticeKind.LIVING_DOCUMENT_DELETED


@dataclass(frozen=True, slots=True)
class LivingDocumentRestored(AboutLivingDocument):
    """A former version is the newest again, or a deleted document is back."""

    kind = NoticeKind.LIVING_DOCUMENT_RESTORED
    restored_version: int | None
    """The former version; None for a document that was deleted."""


@dataclass(frozen=True, slots=True)
class CallbackDue(Notice):
    """A job ended whose end somebody asked to be told. Only that address is called; other webhooks do not carry it."""

    kind = NoticeKind.CALLBACK_DUE
    webhook_id: str
    job_id: str
    document_id: str
    prompt_revid: str
    error: str | None
    credential_id: str | None = None
    """The token or session that asked for it."""


@dataclass(frozen=True, slots=True)
class ModelCalled(Notice):
    """One model call that was charged. Told inside the process only; webhooks do not carry it."""

    kind = NoticeKind.MODEL_CALLED
    operation: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    credits: int


PUBLIC = tuple(kind for kind in NoticeKind if kind not in (NoticeKind.CALLBACK_DUE, NoticeKind.MODEL_CALLED))
"""The kinds of notice that a webhook may ask for."""


def notice_json(notice: Notice) -> dict[str, Any]:
    """The fields of a notice. Times stay as they are, for the encoder to write."""
    return asdict(notice)
