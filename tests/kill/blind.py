"""Clients that repeat every request blindly, and a server that is killed again and again meanwhile."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp

from tests.kill.deployment import Copy, Server, serving
from tests.kill.process import Start
from tests.support.made.documents import base64_of
from tests.support.polling import SECONDS

CLIENTS = 3
MOST_BETWEEN_KILLS = 7
NOWHERE = "http://127.0.0.1:9/v1"
MODEL = "docagent-offline"
OVER = ("done", "failed", "stopped")
SCHEMA = {"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}


@dataclass
class Storm:
    """What was asked for, and how often the server was asked and killed."""

    copy: Copy
    folder: Path
    kills: int
    start: Start
    random: random.Random
    sent: int = 0
    killed: int = 0
    url: str = ""
    up: asyncio.Event = field(default_factory=asyncio.Event)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    uploads: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    jobs: set[str] = field(default_factory=set)
    token: str = ""
    """Of the organisation: `act` works in that of its token."""
    project_id: str = ""
    prompt_revid: str = ""

    async def run(self) -> list[str]:
        """Kill the server as often as planned while clients work, then return everything that is wrong."""
        killer = asyncio.create_task(self._serve())
        try:
            await self._prepare()
            await asyncio.gather(*(self._client(number) for number in range(CLIENTS)))
            return await self._findings()
        finally:
            killer.cancel()
            await asyncio.gather(killer, return_exceptions=True)

    # --- the server -------------------------------------------------------------------------------------------

    async def _serve(self) -> None:
        while True:
            log = self.folder / f"server-{self.killed}.log"
            async with serving(self.copy, log, model_url=NOWHERE, start=self.start, jobs=True) as server:
                self.url = server.url
                self.up.set()
                await self._until_killed(server)

    async def _until_killed(self, server: Server) -> None:
        if self.killed == self.kills or not self.prompt_revid:
            await self._prepared_or_for_ever()
        last = self.sent + self.random.randint(1, MOST_BETWEEN_KILLS)
        while self.sent < last:
            self.asked.clear()
            await self.asked.wait()
        self.up.clear()
        self.killed += 1
        await server.kill()

    async def _prepared_or_for_ever(self) -> None:
        while self.killed == self.kills or not self.prompt_revid:
            self.asked.clear()
            await self.asked.wait()

    # --- the clients ------------------------------------------------------------------------------------------

    async def _client(self, number: int) -> None:
        """Ask for one thing after another until the server was killed as often as planned."""
        count = 0
        while self.killed < self.kills:
            count += 1
            name = f"{number}-{count}"
            new = {"name": f"{name}.txt", "content": base64_of(f"Total: {name}".encode())}
            uploaded = await self.ask("POST", "/documents", {"documents": [new]})
            document_id = uploaded["documents"][0]["document_id"]
            self.uploads.append(document_id)
            message = f"create a document called 'Note {name}'"
            body = {"message": message, "project_id": self.project_id}
            acted = await self.ask("POST", "/api/agent/act", body)
            assert acted["document"] is not None, acted
            self.notes.append(acted["document"]["id"])
            run = f"/llm/run/{document_id}?prompt_revid={self.prompt_revid}&background=true"
            self.jobs.add((await self.ask("POST", run))["job_id"])

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request with one key until it is answered, whatever happened to those before."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": str(uuid4())}
        whole = path if path.startswith("/api/") else f"{self.copy.tenant.base}{path}"
        while True:
            await self.up.wait()
            self.sent += 1
            self.asked.set()
            try:
                async with (
                    aiohttp.ClientSession(self.url, headers=headers) as client,
                    client.request(method, whole, json=body) as answer,
                ):
                    if answer.status >= 400:
                        raise AssertionError(f"{method} {path}: {answer.status} {await answer.text()}")
                    return await answer.json()
            except aiohttp.ClientError:
                await asyncio.sleep(0)

    async def _prepare(self) -> None:
        self.token = self.copy.tenant.token
        made = await self.ask("POST", "/access_tokens", {"name": "storm", "lifetime": 0})
        self.token = made["token"]
        body = {
            "name": "total",
            "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}},
        }
        body["response_format"]["json_schema"] |= {"name": "total", "strict": False}  # type: ignore[index]
        schema = await self.ask("POST", "/schemas", body)
        prompt = {"name": "total", "content": "Read it", "model": MODEL, "schema_id": schema["schema_id"]}
        prompt["schema_version"] = schema["schema_version"]
        await self.ask("PUT", "/llm/default_model", {"model": MODEL})
        project = await self.ask("POST", "/api/projects", {"name": "Storm"})
        self.project_id = project["id"]
        self.prompt_revid = (await self.ask("POST", "/prompts", prompt))["prompt_revid"]

    # --- what is there at the end -----------------------------------------------------------------------------

    async def _findings(self) -> list[str]:
        found = []
        async with asyncio.timeout(4 * SECONDS):
            jobs = await self._ended_jobs()
        if given_up := [job for job in jobs if job["state"] != "done"]:
            found.append(f"{len(given_up)} jobs were given up: {given_up[0]}")
        if missing := self.jobs - {job["id"] for job in jobs}:
            found.append(f"{len(missing)} jobs are lost")
        extractions = [job for job in jobs if job["kind"] == "extract"]
        if len(extractions) > len(self.jobs):
            found.append(f"{len(extractions)} extractions for {len(self.jobs)} requests")
        listed = await self.ask("GET", "/documents?limit=1000")
        there = {document["id"] for document in listed["documents"]} - {self.copy.tenant.document_id}
        found += _compared("documents", there, self.uploads)
        notes = await self.ask("GET", f"/projects/{self.project_id}/documents?limit=100")
        if notes["total_count"] != len(self.notes):
            found.append(f"{notes['total_count']} notes for {len(self.notes)} messages")
        chats = [
            chat for chat in await self.ask("GET", "/api/chats") if chat["project_id"] == self.project_id
        ]
        if len(chats) != len(self.notes):
            found.append(f"{len(chats)} chats for {len(self.notes)} messages")
        return found

    async def _ended_jobs(self) -> list[Any]:
        while True:
            jobs: list[Any] = []
            while True:
                page = await self.ask("GET", f"/jobs?limit=100&skip={len(jobs)}")
                jobs += page["jobs"]
                if len(jobs) >= page["total_count"]:
                    break
            if all(job["state"] in OVER for job in jobs):
                return jobs
            await asyncio.sleep(0.1)


def _compared(noun: str, there: set[str], made: list[str]) -> list[str]:
    lost, more = set(made) - there, there - set(made)
    found = [f"{len(lost)} {noun} are lost"] if lost else []
    return found + ([f"{len(more)} {noun} are doubled"] if more else [])
