"""PostgreSQL and S3 behind lines that can be cut, and the processes of docagent on them."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import aiohttp
import psycopg

from tests.kill.process import Process, forked
from tests.scale.teller import MODEL, Teller, telling
from tests.support.polling import SECONDS
from tests.support.services.keeper import temporary_folder
from tests.support.services.postgres import SOCKET, USER, Database, running_postgres
from tests.support.services.relay import Relay, relay_to, running_relay
from tests.support.services.s3 import S3Server, running_s3
from tests.support.services.server import ENVIRONMENT

Kind = Literal["serve", "worker"]
ONE_READER_MB = "700"
"""Too little memory for the second reader: what it reads is not what is tested."""
_ADDRESS = re.compile(r"running at\s+(http://\S+)")
_WORKS = "docagent worker is running"


@dataclass
class Node:
    """One process of the deployment."""

    kind: Kind
    process: Process
    log: Path
    url: str = ""

    def words(self, lines: int = 40) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])


class Deployment:
    def __init__(
        self,
        folder: Path,
        database: Database,
        postgres_line: Relay,
        s3: S3Server,
        s3_line: Relay,
        teller: Teller,
    ) -> None:
        self._folder = folder
        self._database = database
        self.postgres_line = postgres_line
        self.s3_line = s3_line
        self.teller = teller
        self.nodes: list[Node] = []
        self._started = 0
        self._environment = {
            **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            **ENVIRONMENT,
            "DOCAGENT_DATABASE__URL": f"postgresql://{USER}@127.0.0.1:{postgres_line.port}/{database.name}",
            "DOCAGENT_BLOBS__BUCKET": s3.bucket,
            "DOCAGENT_BLOBS__ENDPOINT": s3_line.url,
            "DOCAGENT_BLOBS__ACCESS_KEY_ID": s3.access_key,
            "DOCAGENT_BLOBS__SECRET_ACCESS_KEY": s3.secret_key,
            "DOCAGENT_MODELS__DEFAULT": MODEL,
            "DOCAGENT_MODELS__ENDPOINTS": json.dumps(
                {"scale": {"base_url": teller.base_url, "models": ["teller"]}}
            ),
            "DOCAGENT_READER__MEMORY_MB": ONE_READER_MB,
            "DOCAGENT_WORKER__EMBEDDED": "false",
            "DOCAGENT_WORKER__CONCURRENCY": "1",
        }

    @property
    def apis(self) -> list[Node]:
        return [node for node in self.nodes if node.kind == "serve"]

    @property
    def workers(self) -> list[Node]:
        return [node for node in self.nodes if node.kind == "worker"]

    async def start(self, kind: Kind) -> Node:
        """Start a process, each with a data folder of its own, as on a machine of its own."""
        arguments, log = self._command(kind)
        node = Node(kind, await forked(arguments, self._environment, log), log)
        async with asyncio.timeout(SECONDS):
            while not await self._is_up(node):
                assert node.process.returncode is None, f"it did not start:\n{node.words()}"
                await asyncio.sleep(0.02)
        self.nodes.append(node)
        return node

    async def kill(self, node: Node) -> None:
        self.nodes.remove(node)
        node.process.kill()
        await node.process.wait()

    async def stop(self, node: Node) -> int:
        """Ask it to end, and return its exit status."""
        self.nodes.remove(node)
        node.process.terminate()
        async with asyncio.timeout(SECONDS):
            return await node.process.wait()

    async def refused(self, **settings: str) -> tuple[int, str]:
        """The exit status and the words of a server that must not start with these settings."""
        arguments, log = self._command("serve")
        process = await forked(arguments, {**self._environment, **settings}, log)
        async with asyncio.timeout(SECONDS):
            return await process.wait(), log.read_text()

    async def rows(self, statement: str, *values: object) -> list[Any]:
        """Ask the database itself, around the line."""

        def ask() -> list[Any]:
            with psycopg.connect(self._database.conninfo) as connection:
                return connection.execute(statement, values).fetchall()

        return await asyncio.to_thread(ask)

    def _command(self, kind: Kind) -> tuple[list[str], Path]:
        self._started += 1
        place = self._folder / f"{kind}-{self._started}"
        place.mkdir()
        port = ["--port", "0"] if kind == "serve" else []
        return [kind, *port, "--data", str(place / "data")], place / "log"

    async def _is_up(self, node: Node) -> bool:
        told = node.log.read_text(errors="replace")
        if node.kind == "worker":
            return _WORKS in told
        if not (found := _ADDRESS.search(told)):
            return False
        node.url = found[1]
        try:
            async with aiohttp.ClientSession() as client, client.get(f"{node.url}/ready") as answer:
                return answer.status == 200
        except aiohttp.ClientConnectionError:
            return False


@asynccontextmanager
async def deployed() -> AsyncIterator[Deployment]:
    """Two API processes and two workers."""
    async with telling() as teller:
        with (
            temporary_folder("scale") as folder,
            running_postgres() as postgres,
            running_s3() as s3,
            running_relay(s3.endpoint) as s3_line,
            relay_to(postgres.socket_folder / SOCKET) as postgres_line,
        ):
            deployment = Deployment(folder, postgres.create_database(), postgres_line, s3, s3_line, teller)
            try:
                await deployment.start("serve")
                await asyncio.gather(*(deployment.start(kind) for kind in ("serve", "worker", "worker")))
                yield deployment
            finally:
                for node in [*deployment.nodes]:
                    await deployment.kill(node)
