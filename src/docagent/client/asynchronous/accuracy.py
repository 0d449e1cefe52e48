"""Accuracy: prompts and drafts measured against what people verified."""

from __future__ import annotations

import asyncio
from typing import Any, TypedDict, Unpack

from docagent.client import models
from docagent.client.asynchronous.connection import AsyncPart

POLL_SECONDS = 0.5


class Measured(TypedDict, total=False):
    """What may be said of a run beside the prompt."""

    prompt_revid: str | None
    content: str | None
    json_schema: dict[str, Any] | None
    model: str | None
    limit: int | None


class AsyncAccuracy(AsyncPart):
    async def estimate(self, prompt_id: str, **wanted: Unpack[Measured]) -> models.MeasureEstimate:
        """What a run would be about and cost; nothing is started."""
        body = _wanted(prompt_id, **wanted)
        return await self._ask(models.MeasureEstimate, "POST", "accuracy", "estimate", body=body)

    async def start(self, prompt_id: str, **wanted: Unpack[Measured]) -> models.AccuracyRun:
        """Measure a prompt on verified documents, in the background. `content` and `json_schema` are a draft that is
        tried in place of the prompt's own and not saved. No result is touched."""
        body = _wanted(prompt_id, **wanted)
        return await self._ask(models.AccuracyRun, "POST", "accuracy", "runs", body=body)

    async def list(
        self, prompt_id: str | None = None, *, skip: int = 0, limit: int = 10
    ) -> models.AccuracyRuns:
        """The runs of a prompt, or of all, newest first."""
        params = {"skip": skip, "limit": limit, "prompt_id": prompt_id}
        return await self._ask(models.AccuracyRuns, "GET", "accuracy", "runs", params=params)

    async def get(self, run_id: str) -> models.AccuracyReport:
        """How far a run has come, its score by field, and verified values that are doubtful themselves."""
        return await self._ask(models.AccuracyReport, "GET", "accuracy", "runs", run_id)

    async def wait(self, run_id: str) -> models.AccuracyReport:
        """Wait until a run is over, or waits for credits."""
        while True:
            report = await self.get(run_id)
            if report.run.state != "running":
                return report
            await asyncio.sleep(POLL_SECONDS)

    async def errors(
        self, run_id: str, *, field: str | None = None, skip: int = 0, limit: int = 100
    ) -> models.AccuracyErrors:
        """What a run got wrong: document, path, what is verified and what it gave."""
        params = {"skip": skip, "limit": limit, "field": field}
        path = ("accuracy", "runs", run_id, "errors")
        return await self._ask(models.AccuracyErrors, "GET", *path, params=params)

    async def stop(self, run_id: str) -> models.AccuracyRun:
        """Stop a run. What it has measured is kept."""
        return await self._ask(models.AccuracyRun, "POST", "accuracy", "runs", run_id, "stop")

    async def compare(self, before_id: str, after_id: str) -> models.AccuracyComparison:
        """What got better and worse from one run to another."""
        path = ("accuracy", "runs", before_id, "compare", after_id)
        return await self._ask(models.AccuracyComparison, "GET", *path)


def _wanted(prompt_id: str, **wanted: Unpack[Measured]) -> dict[str, Any]:
    given = {key: value for key, value in wanted.items() if value is not None}
    draft = {key: given.pop(key) for key in ("content", "json_schema") if key in given}
    return {"prompt_id": prompt_id, **given, **({"draft": draft} if draft else {})}
