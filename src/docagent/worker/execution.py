"""Runs one job of any kind from claim to end: heartbeats, retries with backoff, and giving up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from docagent.bootstrap import Services
from docagent.domain.background import end
from docagent.domain.deliveries.line import process_name
from docagent.domain.errors import DatabaseAway, FilesAway
from docagent.domain.jobs import MOST_CRASHES, Job, JobKind, LeaseLost
from docagent.services.jobs import GiveUp, Handler, JobRun, JobService
from docagent.store.engine.database import DATABASE_ERRORS


@dataclass(frozen=True, slots=True)
class Work:
    handler: Handler
    give_up: GiveUp


def all_work(services: Services) -> dict[JobKind, Work]:
    return {
        JobKind.READ_TEXT: Work(services.reading.read, services.reading.give_up),
        JobKind.EXTRACT: Work(services.extraction.extract_document, services.extraction.give_up),
        JobKind.SET_UP: Work(services.preparing.prepare, services.preparing.give_up),
        JobKind.RUN_PROMPT: Work(services.prompt_runs.go_on, services.prompt_runs.give_up),
        JobKind.MEASURE: Work(services.accuracy.go_on, services.accuracy.give_up),
        JobKind.CALIBRATE: Work(services.calibrations.calibrate, services.calibrations.give_up),
        JobKind.LEARN: Work(services.learning.learn, services.learning.give_up),
        JobKind.DELIVER_WEBHOOK: Work(services.webhooks.deliver, services.webhooks.give_up),
    }


logger = logging.getLogger(__name__)

SECONDS_BETWEEN_TRIES = 1.0
PUT_OFF = timedelta(seconds=3)
"""How long a job waits that could store or fetch nothing: the database may be back, and the disk still full."""


@dataclass(eq=False)
class Executor:
    """Claims jobs for one worker process and runs them."""

    jobs: JobService
    _work: Mapping[JobKind, Work]
    owner: str = field(default_factory=process_name)
    seconds_between_tries: float = SECONDS_BETWEEN_TRIES
    ended: int = field(default=0, init=False)
    """How many jobs have come to an end here, whatever it was."""

    async def claim(self, limit: int = 1) -> Sequence[Job]:
        return await self.jobs.claim(self.owner, limit)

    async def put_back_all_but(self, running: Collection[str]) -> None:
        await self.jobs.put_back_all_but(self.owner, running)

    async def run(self, job: Job) -> None:
        """Run a claimed job to its end. Raises nothing but a cancellation, after putting the job back."""
        work = self._work[job.kind]
        if job.crashes > MOST_CRASHES:
            reason = f"The worker died {job.crashes} times while it ran this job."
            await self.jobs.give_up(job, reason, work.give_up)
            return
        heart = asyncio.create_task(self._beat(job))
        try:
            await work.handler(JobRun(job, self.jobs.lease))
        except asyncio.CancelledError:
            await asyncio.shield(self.jobs.put_back(job))
            raise
        except (DatabaseAway, FilesAway) as error:
            logger.warning("job waits: %s", error.detail, extra={"job_id": job.id})
            await self._put_off(job)
        except LeaseLost:
            logger.warning("job taken over by another worker", extra={"job_id": job.id})
        except Exception as error:
            logger.exception("job failed", extra={"job_id": job.id, "kind": job.kind})
            await self._failed(job, work, error)
        finally:
            self.ended += 1
            await end(heart)

    async def _put_off(self, job: Job) -> None:
        """Put the job back as soon as the database can be written. The attempt does not count."""
        while True:
            await asyncio.sleep(self.seconds_between_tries)
            with suppress(DatabaseAway):
                await self.jobs.put_back(job, PUT_OFF)
                return

    async def _beat(self, job: Job) -> None:
        while True:
            await asyncio.sleep(self.jobs.lease.total_seconds() / 3)
            try:
                await self.jobs.beat(job)
            except LeaseLost:
                return
            except DATABASE_ERRORS:
                logger.warning("heartbeat failed", extra={"job_id": job.id}, exc_info=True)

    async def _failed(self, job: Job, work: Work, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"[:500]
        if job.is_last_attempt:
            await self.jobs.give_up(job, reason, work.give_up)
            logger.error("job given up", extra={"job_id": job.id, "kind": job.kind, "reason": reason})
        else:
            await self.jobs.retry_later(job, reason)
