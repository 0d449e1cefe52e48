"""A deployment that is made once and copied for every kill, and the server process on such a copy."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from docagent.adapters.kill_point import VARIABLE
from tests.kill.process import Process, Start, by_command
from tests.kill.story import OLD_NAME, PAGES
from tests.support.made.documents import base64_of, pdf
from tests.support.polling import SECONDS
from tests.support.services.postgres import Database, PostgresServer
from tests.support.services.server import ADMIN_EMAIL, ADMIN_PASSWORD, ENVIRONMENT

MODEL = "story/teller"
ANSWER_SECONDS = 6.0
"""More than a busy machine takes, and no more: about twice as long, a killed process holds the credits of its call."""
_ADDRESS = re.compile(r"running at\s+(http://\S+)")
_POINT = re.compile(r"^kill point (\d+): (.*)$", re.MULTILINE)


class ServerGone(Exception):
    """The server no longer answers."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation with one document that has been read, and a token for it."""

    organization_id: str
    document_id: str
    token: str

    @property
    def base(self) -> str:
        return f"/v0/orgs/{self.organization_id}"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the deployment: a data folder and, with PostgreSQL, a database."""

    kind: str
    folder: Path
    tenant: Tenant
    database: Database | None

    @property
    def url(self) -> str:
        return self.database.url if self.database else f"sqlite:///{self.folder / 'data' / 'docagent.db'}"


@dataclass(frozen=True, slots=True)
class Template:
    kind: str
    folder: Path
    tenant: Tenant
    postgres: PostgresServer | None
    database: Database | None

    @asynccontextmanager
    async def copied(self, folder: Path) -> AsyncIterator[Copy]:
        shutil.copytree(self.folder / "data", folder / "data")
        database = None
        if self.postgres is not None:
            database = await asyncio.to_thread(self.postgres.create_database, self.database)
        try:
            yield Copy(self.kind, folder, self.tenant, database)
        finally:
            shutil.rmtree(folder / "data", ignore_errors=True)
            if self.postgres is not None and database is not None:
                await asyncio.to_thread(self.postgres.drop_database, database)


class Server:
    """One run of `docagent serve`."""

    def __init__(self, process: Process, log: Path) -> None:
        self.process = process
        self.url = ""
        self.log = log

    def points(self) -> list[str]:
        """Return the names of the kill points that it passed."""
        return [name for _, name in _POINT.findall(self.log.read_text(errors="replace"))]

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def was_killed(self) -> bool:
        """Return whether the server ended by the signal, and not by an error of its own."""
        async with asyncio.timeout(SECONDS):
            return await self.process.wait() == -signal.SIGKILL


@asynccontextmanager
async def serving(
    copy: Copy,
    log: Path,
    *,
    model_url: str,
    start: Start,
    kill_point: int | str | None = None,
    jobs: bool = False,
) -> AsyncIterator[Server]:
    environment = {
        **os.environ,
        **ENVIRONMENT,
        "DOCAGENT_AGENT__LEASE_SECONDS": "0.5",
        "DOCAGENT_EXTRACTION__WINDOW_PAGES": "1",
        "DOCAGENT_MODELS__ANSWER_SECONDS": str(ANSWER_SECONDS),
        "DOCAGENT_MODELS__DEFAULT": MODEL,
        "DOCAGENT_MODELS__ENDPOINTS": json.dumps(
            {"story": {"base_url": model_url, "models": ["teller"], "seeing": ["teller"]}}
        ),
        "DOCAGENT_WORKER__LEASE_SECONDS": "2",
        "DOCAGENT_WORKER__EMBEDDED": "true" if jobs else "false",
    }
    environment.pop(VARIABLE, None)
    # The server starts hundreds of times but should be compiled once.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if copy.database is not None:
        environment["DOCAGENT_DATABASE__URL"] = copy.database.url
    if kill_point is not None:
        environment[VARIABLE] = str(kill_point)
    arguments = ["serve", "--port", "0", "--data", str(copy.folder / "data")]
    server = Server(await start(arguments, environment, log), log)
    try:
        server.url = await _address(server)
        yield server
    finally:
        await server.kill()


async def make_template(
    kind: str, folder: Path, postgres: PostgresServer | None, start: Start = by_command
) -> Template:
    """Make a deployment with an organisation that has limited credits, and a document of two pages."""
    make_folder(folder)
    database = postgres.create_database() if postgres else None
    nobody = Tenant("", "", "")
    copy = Copy(kind, folder, nobody, database)
    nowhere = "http://127.0.0.1:9/v1"
    async with serving(copy, folder / "server.log", model_url=nowhere, start=start, jobs=True) as server:
        async with aiohttp.ClientSession(server.url, raise_for_status=True) as client:
            tenant = await _settle(client)
        # Stop it properly, so that nothing is left in the write-ahead log that a copy would miss.
        server.process.terminate()
        await server.process.wait()
    return Template(kind, folder, tenant, postgres, database)


def make_folder(folder: Path) -> None:
    folder.mkdir()


async def _settle(client: aiohttp.ClientSession) -> Tenant:
    async def post(path: str, body: object, token: str | None = None, method: str = "POST") -> dict[str, str]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with client.request(method, path, json=body, headers=headers) as answer:
            result: dict[str, str] = await answer.json()
            return result

    login = await post("/v0/account/auth/login", {"email": ADMIN_EMAIL, "password": ADMIN_PASSWORD})
    account = await post("/v0/account/access_tokens", {"name": "story", "lifetime": 0}, login["token"])
    token = account["token"]
    organization = await post(
        "/v0/account/organizations",
        {"name": "Kill test", "type": "team", "default_prompt_enabled": False},
        token,
    )
    base = f"/v0/orgs/{organization['id']}"
    await post(f"{base}/payments/limits", {"enforced": True}, token, "PUT")
    new = {"name": OLD_NAME, "content": base64_of(pdf(*PAGES))}
    async with client.post(
        f"{base}/documents", json={"documents": [new]}, headers={"Authorization": f"Bearer {token}"}
    ) as answer:
        document_id = (await answer.json())["documents"][0]["document_id"]
    async with asyncio.timeout(SECONDS):
        state = ""
        while state != "ocr_completed":
            await asyncio.sleep(0.05)
            shown = f"{base}/documents/{document_id}?include_content=false"
            state = (await post(shown, None, token, "GET"))["state"]
            assert state != "ocr_failed", state
    return Tenant(organization["id"], document_id, token)


async def _address(server: Server) -> str:
    """Return the server's address once it answers."""
    async with asyncio.timeout(SECONDS), aiohttp.ClientSession() as client:
        while True:
            told = server.log.read_text(errors="replace")
            if server.process.returncode is not None:
                raise ServerGone(f"the server did not start:\n{told}")
            if found := _ADDRESS.search(told):
                try:
                    async with client.get(f"{found[1]}/health", raise_for_status=True):
                        return found[1]
                except aiohttp.ClientConnectionError:
                    pass
            await asyncio.sleep(0.02)
