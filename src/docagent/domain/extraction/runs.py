"""A run: one prompt over many documents, in the background. It is a job that works in steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from docagent.domain.jobs import Job, JobState
from docagent.domain.json_objects import from_json

RunMode = Literal["missing", "outdated"]
"""Documents that have no result of the prompt; or none of the version that runs."""


class RunState(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"
    """For credits; it continues by itself."""
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which documents a run is about: those named, or those with a tag, or all."""

    document_ids: Sequence[str] | None = None
    tag_id: str | None = None
    mode: RunMode = "missing"


@dataclass(frozen=True, slots=True)
class Estimate:
    documents: int
    pages: int
    credits: int
    model: str
    unread: int
    """How many chosen documents have no text yet. They are left out."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the job of a run knows from step to step."""

    prompt_revid: str
    user_id: str
    selection: Selection
    last: str
    """The newest document when the run began. Later ones are not part of it."""
    after: str = ""
    """The document that was last dealt with: documents are taken in the order of their ids."""
    done: int = 0
    """Documents that have a result now, from this run or another: a step that was killed is counted too."""
    failed: int = 0
    failed_in_a_row: int = 0
    last_failure: str | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> Plan:
        return from_json(cls)(stored)

    def after_step(self, after: str, failures: Sequence[str], *, any_succeeded: bool) -> Plan:
        return replace(
            self,
            after=after,
            failed=self.failed + len(failures),
            failed_in_a_row=0 if any_succeeded else self.failed_in_a_row + len(failures),
            last_failure=failures[-1] if failures else self.last_failure,
        )


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    prompt_id: str
    prompt_revid: str
    state: RunState
    total: int
    """How many documents it was about when it began."""
    done: int
    failed: int
    reason: str | None
    """Why it waits or failed, or why a document failed, in a sentence."""
    created_by: str
    created_at: datetime
    finished_at: datetime | None
    selection: Selection = field(default_factory=Selection)


_STATES = {
    JobState.DONE: RunState.DONE,
    JobState.FAILED: RunState.FAILED,
    JobState.STOPPED: RunState.STOPPED,
}


def run_of(job: Job) -> Run:
    plan = Plan.of_json(job.arguments)
    open_state = RunState.WAITING if job.state is JobState.QUEUED and job.error else RunState.RUNNING
    return Run(
        id=job.id,
        prompt_id=job.subject_id or "",
        prompt_revid=plan.prompt_revid,
        state=_STATES.get(job.state, open_state),
        total=job.progress_total or 0,
        done=plan.done,
        failed=plan.failed,
        reason=job.error or plan.last_failure,
        created_by=plan.user_id,
        created_at=job.created_at,
        finished_at=job.finished_at,
        selection=plan.selection,
    )
