"""Runs a prompt over documents as they become readable, in rounds: a prompt has one run at a time on the server."""

from __future__ import annotations

import asyncio

from docagent.client import AsyncClient, BadRequest, Conflict, NotFound
from docagent.client.models import Prompt, PromptRun, Result
from docagent.domain.errors import Unavailable

LOOK_SECONDS = 0.3
MOST_AT_ONCE = 1000
OPEN = ("running", "waiting")


class PromptRounds:
    """Give it documents with `result_of`; `keep_running` serves them until it is cancelled."""

    def __init__(self, client: AsyncClient, prompt: Prompt) -> None:
        self._client = client
        self._prompt = prompt
        self._wanted: dict[str, asyncio.Future[Result]] = {}
        self._woken = asyncio.Event()

    async def result_of(self, document_id: str) -> Result:
        """The result; one that is there is not made again. Raises Unavailable with the reason if there is none."""
        present = await self._present(document_id)
        if present is not None:
            return present
        waiting = self._wanted.setdefault(document_id, asyncio.get_running_loop().create_future())
        self._woken.set()
        return await waiting

    async def keep_running(self) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._wanted:
                await self._round(sorted(self._wanted)[:MOST_AT_ONCE])

    async def _round(self, document_ids: list[str]) -> None:
        prompt_id = self._prompt.prompt_id
        reason: str | None = None
        try:
            run = await self._client.runs.start(prompt_id, document_ids=document_ids, mode="outdated")
        except Conflict:
            # An earlier command or somebody else began a run. What it leaves is run in the next round.
            earlier = await self._open_run()
            if earlier is not None:
                await self._follow(earlier, document_ids)
            return
        except BadRequest as error:
            reason = error.detail  # nothing is missing any more, or cannot be run at all
        else:
            reason = (await self._follow(run, document_ids)).reason
        for document_id in document_ids:
            await self._settle(document_id, reason or "No result was made.")

    async def _open_run(self) -> PromptRun | None:
        runs = (await self._client.runs.list(self._prompt.prompt_id)).runs
        return next((run for run in runs if run.state in OPEN), None)

    async def _follow(self, run: PromptRun, document_ids: list[str]) -> PromptRun:
        """Follow a run to its end, and hand results over while they come: a run goes by the order of ids."""
        left = list(document_ids)
        dealt_with = 0
        while run.state == "running":
            await asyncio.sleep(LOOK_SECONDS)
            run = await self._client.runs.get(run.prompt_id, run.id)
            if run.done + run.failed > dealt_with:
                dealt_with = run.done + run.failed
                while left and await self._settle(left[0], None):
                    left.pop(0)
        if run.state == "waiting":
            raise Unavailable(
                f"The run waits: {run.reason} It goes on by itself; call this again for the results."
            )
        return run

    async def _settle(self, document_id: str, failure: str | None) -> bool:
        """Hand over the result; without one, the failure, if it is final. Whether that was done."""
        result = await self._present(document_id)
        if result is None and failure is None:
            return False
        waiting = self._wanted.pop(document_id, None)
        if waiting is not None and not waiting.done():
            if result is not None:
                waiting.set_result(result)
            else:
                waiting.set_exception(Unavailable(failure or ""))
        return True

    async def _present(self, document_id: str) -> Result | None:
        try:
            return await self._client.results.get(document_id, self._prompt.prompt_revid)
        except NotFound:
            return None
