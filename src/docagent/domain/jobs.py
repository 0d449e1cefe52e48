"""Background work: a job is written with the change that needs it, and runs until it is done or given up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

FIRST_RETRY = timedelta(seconds=5)
RETRY_FACTOR = 4
ERROR_CODE = "error_code"
"""Under this name the code of a failure is kept beside the arguments."""
MOST_CRASHES = 20
"""How often a job's worker may die before the job is given up. Most that are hit so are not the cause."""
CRASHES_WITHOUT_DELAY = 3
LONGEST_CRASH_DELAY = timedelta(minutes=5)
CRASHED = "crashed"
"""The code of a job that was given up: its worker died, or something happened that nobody foresaw."""


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """A person ended it."""


class JobKind(StrEnum):
    READ_TEXT = "read_text"
    EXTRACT = "extract"
    SET_UP = "set_up"
    RUN_PROMPT = "run_prompt"
    DELIVER_WEBHOOK = "deliver_webhook"
    CALIBRATE = "calibrate"
    LEARN = "learn"
    MEASURE = "measure"


@dataclass(frozen=True, slots=True)
class Job:
    id: str
    organization_id: str
    kind: JobKind
    subject_id: str | None
    arguments: dict[str, Any]
    max_attempts: int
    created_at: datetime
    run_at: datetime
    progress_total: int | None = None
    state: JobState = JobState.QUEUED
    attempts: int = 0
    """How often it was begun, without the times that its worker died."""
    crashes: int = 0
    """How often its worker died. A job that works in steps begins to count again with each step."""
    progress: int = 0
    error: str | None = None
    finished_at: datetime | None = None
    lease_owner: str | None = None

    @property
    def error_code(self) -> str | None:
        """What went wrong, as a word for programs. Jobs that ended before 0.3.0 have none."""
        return self.arguments.get(ERROR_CODE)

    @property
    def is_last_attempt(self) -> bool:
        return self.attempts >= self.max_attempts


class LeaseLost(Exception):
    """Another worker holds the job now: whatever this one does must not be kept."""


def crash_delay(crashes: int) -> timedelta:
    """How long to wait after its worker has died so often: a job that kills its process must not keep killing it."""
    doubled = max(0, crashes - CRASHES_WITHOUT_DELAY - 1)
    if crashes <= CRASHES_WITHOUT_DELAY:
        return timedelta(0)
    return min(timedelta(seconds=2**doubled), LONGEST_CRASH_DELAY)


def retry_delay(attempts: int) -> timedelta:
    """How long to wait after the given number of attempts."""
    factor: int = RETRY_FACTOR ** max(0, attempts - 1)
    return FIRST_RETRY * factor
