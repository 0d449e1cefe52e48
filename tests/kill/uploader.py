"""A user who uploads a document that the agent prepares by itself, and waits for the proposal."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.kill.deployment import Tenant
from tests.kill.story import FOUND, OLD_NAME, PAGES
from tests.kill.user import PAUSE, User
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS


class Uploader(User):
    """Asks nothing and decides nothing. After an outage the document is looked for before it is uploaded again."""

    def __init__(self, tenant: Tenant) -> None:
        super().__init__(tenant)
        self._first_document = tenant.document_id
        self._document: str | None = None

    async def go_on(self, until_approval: int | None = None) -> str:
        assert until_approval is None, "nobody is asked"
        if await self._find() is None:
            new = {"name": OLD_NAME, "content": base64_of(pdf(*PAGES)), "auto_create": True}
            await self.call("POST", "/documents", {"documents": [new]})
        return await self._prepared()

    async def look(self) -> str:
        before = await self._status()
        if before in (None, "running"):
            return f"went on by itself, {await self._prepared()}"
        return f"was {before}"

    async def turn(self) -> str | None:
        proposal = await self._proposal()
        self.thread_id = proposal["thread_id"]
        turn: str | None = proposal["turn_id"]
        return turn

    async def thread(self) -> Any:
        return await self.call("GET", f"/documents/{self._document}/chat/threads/{self.thread_id}")

    async def complaints(self) -> list[str]:
        proposal = await self._proposal()
        if proposal["status"] != "proposed":
            return [f"the proposal is {proposal['status']}: {proposal['error']}"]
        found = []
        for noun in ("schemas", "prompts"):
            if (listed := await self.call("GET", f"/{noun}"))["total_count"]:
                found.append(f"{noun} are seen before anybody has accepted them: {listed}")
        revid = proposal["prompt"]["prompt_revid"]
        result = await self.call("GET", f"/llm/result/{self._document}?prompt_revid={revid}")
        if result["llm_result"] != FOUND:
            found.append(f"the result is {result['llm_result']}")
        accepted = await self.call("POST", f"/documents/{self._document}/auto_create/accept", {})
        if accepted["status"] != "accepted":
            found.append(f"it cannot be accepted: {accepted}")
        return found

    async def _prepared(self) -> str:
        async with asyncio.timeout(SECONDS):
            while True:
                status = await self._status()
                if status not in (None, "running"):
                    return status
                await asyncio.sleep(PAUSE)

    async def _status(self) -> str | None:
        document = await self._find()
        return document["auto_create_status"] if document else None

    async def _find(self) -> Any:
        listed = (await self.call("GET", "/documents"))["documents"]
        mine = [document for document in listed if document["id"] != self._first_document]
        assert len(mine) <= 1, f"the document was uploaded twice: {mine}"
        if not mine:
            return None
        self._document = mine[0]["id"]
        return mine[0]

    async def _proposal(self) -> Any:
        return await self.call("GET", f"/documents/{self._document}/auto_create")
