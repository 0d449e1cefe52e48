"""Somebody who uses the deployment through any of its processes, and looks before repeating what got no answer."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

import aiohttp

from tests.scale.deployment import Deployment, Node
from tests.support.made.documents import base64_of
from tests.support.polling import SECONDS
from tests.support.services.server import ADMIN_EMAIL, ADMIN_PASSWORD

PAUSE = 0.1
OVER = frozenset({"completed", "stopped", "failed", "limit_reached"})
Json = dict[str, Any]


class Gone(Exception):
    """The process does not answer, or not now."""


@dataclass
class Person:
    deployment: Deployment
    client: aiohttp.ClientSession
    organization_id: str = ""
    document_id: str = ""
    token: str = ""
    answers: Counter[int] = field(default_factory=Counter)
    """How often each status was answered."""

    @property
    def chat(self) -> str:
        return f"/documents/{self.document_id}/chat"

    # --- asking -----------------------------------------------------------------------------------------------

    async def once(self, at: Node, method: str, path: str, body: object = None) -> Any:
        """Ask one process once. Raises Gone if it cannot answer now."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        url = f"{at.url}{path if path.startswith('/v0') else f'/v0/orgs/{self.organization_id}{path}'}"
        try:
            async with self.client.request(method, url, json=body, headers=headers) as answer:
                self.answers[answer.status] += 1
                if answer.status == 503 and "Retry-After" in answer.headers:
                    raise Gone(await answer.text())
                assert answer.status < 400, (
                    f"{method} {path} got {answer.status}: {(await answer.text())[:500]}"
                )
                return await answer.json()
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError) as error:
            raise Gone(f"{method} {path}: {error}") from error

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Ask whichever process answers. For what may be asked twice."""
        async with asyncio.timeout(SECONDS):
            while True:
                for node in self.deployment.apis:
                    try:
                        return await self.once(node, method, path, body)
                    except Gone:
                        continue
                await asyncio.sleep(PAUSE)

    async def settle(self) -> None:
        """Sign in, and make an organisation with a document."""
        login = {"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD}
        self.token = (await self.ask("POST", "/v0/account/auth/login", login))["token"]
        lasting = {"name": "scale", "lifetime": 0}
        self.token = (await self.ask("POST", "/v0/account/access_tokens", lasting))["token"]
        wanted = {"name": "Scale", "type": "team", "default_prompt_enabled": False}
        self.organization_id = (await self.ask("POST", "/v0/account/organizations", wanted))["id"]
        self.document_id = await self.upload(b"Invoice 4711", "invoice.txt")

    # --- documents --------------------------------------------------------------------------------------------

    async def upload(self, content: bytes, name: str, at: Node | None = None) -> str:
        new = {"documents": [{"name": name, "content": base64_of(content)}]}
        made = await (self.once(at, "POST", "/documents", new) if at else self.ask("POST", "/documents", new))
        document_id: str = made["documents"][0]["document_id"]
        return document_id

    async def is_read(self, document_id: str) -> Json:
        async with asyncio.timeout(SECONDS):
            while True:
                found: Json = await self.ask("GET", f"/documents/{document_id}?include_content=false")
                if found["state"] in ("ocr_completed", "ocr_failed", "llm_completed", "llm_failed"):
                    return found
                await asyncio.sleep(PAUSE)

    # --- turns ------------------------------------------------------------------------------------------------

    async def begin(self, text: str, at: Node | None = None, **options: object) -> str:
        """Say something, once, and return the turn."""
        thread = (await self.ask("POST", f"{self.chat}/threads", {}))["thread_id"]
        body = {
            "messages": [{"role": "user", "content": text}],
            "thread_id": thread,
            "background": True,
            **options,
        }
        async with asyncio.timeout(SECONDS):
            while True:
                for node in [at] if at else self.deployment.apis:
                    try:
                        return str((await self.once(node, "POST", self.chat, body))["turn"])
                    except Gone:
                        found = (await self.ask("GET", f"{self.chat}/threads/{thread}"))["turns"]
                        if found:
                            return str(found[0]["id"])
                await asyncio.sleep(PAUSE)

    async def until(self, turn: str, *states: str) -> str:
        async with asyncio.timeout(SECONDS):
            while True:
                state: str = (await self.ask("GET", f"/turns/{turn}"))["state"]
                if state in states:
                    return state
                assert state not in OVER, f"turn {turn} is {state}: {(await self.log(turn))[-1]}"
                await asyncio.sleep(PAUSE)

    async def log(self, turn: str) -> list[Json]:
        found: list[Json] = (await self.ask("GET", f"/turns/{turn}/events"))["events"]
        return found

    async def tags(self) -> list[str]:
        found: list[str] = []
        while True:
            page = (await self.ask("GET", f"/tags?limit=100&skip={len(found)}"))["tags"]
            if not page:
                return found
            found += [tag["name"] for tag in page]

    @asynccontextmanager
    async def stream(self, at: Node, path: str) -> AsyncIterator[Stream]:
        """Everything that a stream of events brings, with its time. The block sees how far it is."""
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        url = f"{at.url}/v0/orgs/{self.organization_id}{path}"
        async with self.client.get(url, headers=headers, timeout=aiohttp.ClientTimeout(None)) as answer:
            assert answer.status == 200, await answer.text()
            stream = Stream()
            reading = asyncio.create_task(stream.read(answer))
            try:
                yield stream
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


class Stream:
    def __init__(self) -> None:
        self.items: list[tuple[float, Json]] = []
        self.has_ended = False
        self._more = asyncio.Condition()

    async def read(self, answer: aiohttp.ClientResponse) -> None:
        async for line in answer.content:
            if line.startswith(b"data: "):
                await self._take((monotonic(), json.loads(line[6:])))
        self.has_ended = True
        await self._take(None)

    async def _take(self, item: tuple[float, Json] | None) -> None:
        async with self._more:
            if item is not None:
                self.items.append(item)
            self._more.notify_all()

    async def first(self, *kinds: str, after: int = 0) -> tuple[float, Json]:
        """The first item of one of these types among those after the first `after`."""
        async with asyncio.timeout(SECONDS), self._more:
            while True:
                for item in self.items[after:]:
                    if item[1]["type"] in kinds:
                        return item
                assert not self.has_ended, f"the stream ended without {kinds}: {self.items[-3:]}"
                await self._more.wait()
