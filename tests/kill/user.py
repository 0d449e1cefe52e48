"""The user of the story: asks, decides, and after an outage looks at the state before doing anything again."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp

from tests.kill.deployment import ServerGone, Tenant
from tests.kill.story import QUESTION, REJECTED_CALL
from tests.support.polling import SECONDS

PAUSE = 0.05
OVER = {"completed", "stopped", "limit_reached", "failed"}


class User:
    """Knows only what a browser would know: the thread. Everything else is asked of the server."""

    def __init__(self, tenant: Tenant, *, stops_at: int | None = None) -> None:
        self._tenant = tenant
        self._stops_at = stops_at
        self._client: aiohttp.ClientSession | None = None
        self.thread_id: str | None = None

    async def connect(self, url: str) -> None:
        await self.leave()
        headers = {"Authorization": f"Bearer {self._tenant.token}"}
        self._client = aiohttp.ClientSession(url, headers=headers)

    async def leave(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def call(self, method: str, path: str, body: object = None) -> Any:
        assert self._client is not None
        try:
            async with self._client.request(method, f"{self._tenant.base}{path}", json=body) as answer:
                if answer.status >= 400:
                    raise AssertionError(
                        f"{method} {path} got {answer.status}: {(await answer.text())[:500]}"
                    )
                return await answer.json()
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError) as error:
            raise ServerGone(f"{method} {path}: {error}") from error

    # --- what the user does -----------------------------------------------------------------------------------

    async def go_on(self, until_approval: int | None = None) -> str:
        """Go on to the end of the turn or to an approval (counted from 1), and return the state."""
        while True:
            turn = await self.turn()
            if turn is None:
                await self._ask()
                continue
            state = await self.settled(turn)
            if state in OVER:
                return state
            calls = await self.waiting(turn)
            if until_approval is not None and await self.approval_number(turn) >= until_approval:
                return state
            if self._stops_at is not None and await self.approval_number(turn) >= self._stops_at:
                await self.call("POST", f"/turns/{turn}/stop")
            else:
                await self._decide(turn, calls)

    async def look(self) -> str:
        """Return what the turn does after a restart, before anybody does anything."""
        turn = await self.turn()
        if turn is None:
            return "not begun; asked again"
        before = await self.state(turn)
        if before in OVER:
            return f"was {before}"
        after = await self.settled(turn)
        if after in OVER:
            return f"went on by itself, {after}"
        number = await self.approval_number(turn)
        assert await self.waiting(turn), "the turn waits for nothing"
        if before == "running":
            return f"went on by itself to approval {number}"
        return f"waits for approval {number}"

    async def complaints(self) -> list[str]:
        """Return what the user misses at the end."""
        return []

    async def turn(self) -> str | None:
        """Return the thread's turn, if the message arrived."""
        if self.thread_id is None:
            return None
        turns = (await self.thread())["turns"]
        assert len(turns) <= 1, f"the message was taken twice: {turns}"
        return turns[0]["id"] if turns else None

    async def thread(self) -> Any:
        return await self.call("GET", f"/documents/{self._tenant.document_id}/chat/threads/{self.thread_id}")

    async def state(self, turn: str) -> str:
        state: str = (await self.call("GET", f"/turns/{turn}"))["state"]
        return state

    async def settled(self, turn: str) -> str:
        """Return the turn's state once it pauses or ends."""
        try:
            async with asyncio.timeout(SECONDS):
                while True:
                    if (state := await self.state(turn)) != "running":
                        return state
                    await asyncio.sleep(PAUSE)
        except TimeoutError as error:
            log = await self.events(turn)
            raise AssertionError(f"the turn neither paused nor ended; its last event: {log[-1]}") from error

    async def events(self, turn: str) -> list[Any]:
        log: list[Any] = (await self.call("GET", f"/turns/{turn}/events"))["events"]
        return log

    async def approval_number(self, turn: str) -> int:
        """Return the number of the approval that the turn waits for now."""
        return sum(event["type"] == "approval_requested" for event in await self.events(turn))

    async def waiting(self, turn: str) -> list[Any]:
        """Return the turn's calls in the inbox."""
        inbox = (await self.call("GET", "/approvals"))["approvals"]
        (entry,) = [entry for entry in inbox if entry["turn_id"] == turn]
        calls: list[Any] = entry["calls"]
        return calls

    async def _ask(self) -> None:
        document = f"/documents/{self._tenant.document_id}"
        if self.thread_id is None:
            self.thread_id = (await self.call("POST", f"{document}/chat/threads", {}))["thread_id"]
        body = {
            "messages": [{"role": "user", "content": QUESTION}],
            "thread_id": self.thread_id,
            "background": True,
        }
        await self.call("POST", f"{document}/chat", body)

    async def _decide(self, turn: str, calls: list[Any]) -> None:
        verdicts = [{"call_id": call["id"], "approved": call["id"] != REJECTED_CALL} for call in calls]
        body = {"turn_id": turn, "approvals": verdicts, "background": True}
        await self.call("POST", f"/documents/{self._tenant.document_id}/chat/approve", body)
