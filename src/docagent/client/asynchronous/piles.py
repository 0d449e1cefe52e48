"""Many documents at once: runs of a prompt over them, and the queue of what people look at."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

from docagent.client import models
from docagent.client.asynchronous.connection import AsyncPart

POLL_SECONDS = 0.5


class AsyncRuns(AsyncPart):
    async def estimate(
        self,
        prompt_id: str,
        *,
        document_ids: Sequence[str] | None = None,
        tag_id: str | None = None,
        mode: Literal["missing", "outdated"] = "missing",
    ) -> models.Estimate:
        """What a run would be about and cost; nothing is started."""
        path, body = ("prompts", prompt_id, "runs", "estimate"), _selection(document_ids, tag_id, mode)
        return await self._ask(models.Estimate, "POST", *path, body=body)

    async def start(
        self,
        prompt_id: str,
        *,
        document_ids: Sequence[str] | None = None,
        tag_id: str | None = None,
        mode: Literal["missing", "outdated"] = "missing",
    ) -> models.PromptRun:
        """Run a prompt on the documents that are named, have the tag, or are there at all, as far as they have no
        result yet. It runs on the server, whoever waits."""
        body = _selection(document_ids, tag_id, mode)
        return await self._ask(models.PromptRun, "POST", "prompts", prompt_id, "runs", body=body, once=True)

    async def list(self, prompt_id: str, *, skip: int = 0, limit: int = 10) -> models.PromptRuns:
        params = {"skip": skip, "limit": limit}
        return await self._ask(models.PromptRuns, "GET", "prompts", prompt_id, "runs", params=params)

    async def get(self, prompt_id: str, run_id: str) -> models.PromptRun:
        return await self._ask(models.PromptRun, "GET", "prompts", prompt_id, "runs", run_id)

    async def wait(self, prompt_id: str, run_id: str) -> models.PromptRun:
        """Wait until a run is over, or waits for credits."""
        while True:
            run = await self.get(prompt_id, run_id)
            if run.state != "running":
                return run
            await asyncio.sleep(POLL_SECONDS)

    async def stop(self, prompt_id: str, run_id: str) -> models.PromptRun:
        """Stop a run. What it has made is kept."""
        return await self._ask(models.PromptRun, "POST", "prompts", prompt_id, "runs", run_id, "stop")


class AsyncReview(AsyncPart):
    async def queues(self) -> Sequence[models.Queue]:
        """Every prompt that has results, and how many of them wait for a person."""
        return (await self._ask(models.Queues, "GET", "review")).queues

    async def set_policy(
        self,
        prompt_id: str,
        mode: Literal["everything", "doubtful", "nothing"],
        *,
        threshold: float | None = None,
        sample_percent: int = 0,
    ) -> models.Queue:
        """Say which results of a prompt people look at."""
        body: dict[str, Any] = {"mode": mode, "sample_percent": sample_percent}
        if threshold is not None:
            body["threshold"] = threshold
        return await self._ask(models.Queue, "PUT", "review", prompt_id, body=body)

    async def straight_through(self, prompt_id: str) -> models.StraightThrough:
        """What share of a prompt's values and documents needs no review."""
        return await self._ask(models.StraightThrough, "GET", "review", prompt_id, "straight-through")

    async def decide_straight_through(
        self, prompt_id: str, *, precision: float = 0.99, auto_verify: bool = False
    ) -> models.StraightThrough:
        """Set the target precision, and whether results that reach it skip review. For administrators."""
        body = {"precision": precision, "auto_verify": auto_verify}
        return await self._ask(
            models.StraightThrough, "PUT", "review", prompt_id, "straight-through", body=body
        )

    async def next(self, prompt_id: str) -> models.Assignment | None:
        """Take the next document for some minutes, in which nobody else gets it; None if nothing waits that is free."""
        return (await self._ask(models.Next, "POST", "review", prompt_id, "next", body={})).assignment

    async def keep(self, prompt_id: str, document_id: str) -> models.Assignment:
        """Keep a document for longer, or take this one."""
        return await self._ask(models.Assignment, "POST", "review", prompt_id, document_id, "keep")

    async def release(self, prompt_id: str, document_id: str) -> None:
        """Leave a document to others."""
        await self._send("POST", "review", prompt_id, document_id, "release")

    async def accept(self, prompt_id: str, result: models.Result) -> models.Result:
        """Say that the result, as it was seen, is right."""
        return await self._conclude(prompt_id, result, "accept")

    async def reject(self, prompt_id: str, result: models.Result) -> models.Result:
        """Say that the result, as it was seen, is of no use."""
        return await self._conclude(prompt_id, result, "reject")

    async def undo(self, prompt_id: str, result: models.Result) -> models.Assignment:
        """Take back the newest change of a result: an edit, a verified value, a verdict."""
        path, body = ("review", prompt_id, result.document_id, "undo"), {"revision": result.revision}
        return await self._ask(models.Assignment, "POST", *path, body=body)

    async def _conclude(self, prompt_id: str, result: models.Result, verdict: str) -> models.Result:
        path = ("review", prompt_id, result.document_id, "conclude")
        body = {"verdict": verdict, "revision": result.revision}
        return await self._ask(models.Result, "POST", *path, body=body)


def _selection(document_ids: Sequence[str] | None, tag_id: str | None, mode: str) -> dict[str, Any]:
    return {
        "document_ids": None if document_ids is None else list(document_ids),
        "tag_id": tag_id,
        "mode": mode,
    }
