"""Makes the deployment of a release for the tests, once, when it is released:

    python -m tests.releases.make path/to/the/release/.venv/bin/docagent

It starts that release's server, tells it the story over its API, stops it and packs what it left: for each database
the data folder, the database itself, and what a test must know (`known.json`).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import httpx2

from tests.releases.story import ENDPOINT, SECONDS, tell
from tests.support.models.provider import running_provider
from tests.support.services.keeper import kept_server, temporary_folder
from tests.support.services.postgres import Database, running_postgres
from tests.support.services.server import ENVIRONMENT, address, is_healthy

HERE = Path(__file__).parent
DUMP = "postgresql.sql"
KNOWN = "known.json"


async def make(command: Path, version: str, folder: Path, database: Database | None) -> Path:
    """Run the story on the release and return the folder with what it left."""
    numbers = tuple(map(int, version.split(".")))
    left = folder / "left"
    left.mkdir()
    running = folder / "running"
    running.mkdir()
    log = running / "server.log"
    async with running_provider() as provider:
        endpoints = {ENDPOINT: {"base_url": provider.base_url, "models": ["teller"]}}
        environment = {
            **ENVIRONMENT,
            "DOCAGENT_MODELS__ENDPOINTS": json.dumps(endpoints),
        }
        if numbers >= (0, 2):
            environment["DOCAGENT_AGENT__ANSWER_MINUTES"] = "0"  # a question waits without a time limit
        if database is not None:
            environment["DOCAGENT_DATABASE__URL"] = database.url
        serve = [str(command), "serve", "--port", "0", "--data", str(left / "data")]
        keeping = kept_server(
            running,
            serve,
            ready=lambda: is_healthy(log),
            stop_signal=signal.SIGTERM,
            environment={**os.environ, **environment},
        )
        with keeping:
            async with httpx2.AsyncClient(base_url=address(log) or "", timeout=SECONDS) as client:
                known = await tell(client, provider, numbers)
    (left / KNOWN).write_text(json.dumps({"version": version, **known}, indent=1))
    return left


def dump(database: Database, path: Path, binaries: Path) -> None:
    command = [
        str(binaries / "pg_dump"),
        "--no-owner",
        "--inserts",
        "--rows-per-insert=50",
        database.conninfo,
    ]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Lines that begin with a backslash are commands for psql.
    path.write_text("".join(line for line in text.splitlines(True) if not line.startswith("\\")))


def pack(left: Path, archive: Path) -> None:
    archive.parent.mkdir(exist_ok=True)
    with tarfile.open(archive, "w:xz", preset=9) as packed:
        for path in sorted(left.iterdir()):
            packed.add(path, path.name)
    sys.stdout.write(f"{archive.relative_to(HERE)}: {archive.stat().st_size} bytes\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.releases.make", description=__doc__)
    parser.add_argument("command", type=Path, help="the command docagent of the release")
    command = parser.parse_args().command.resolve()
    asked = subprocess.run([str(command), "version"], check=True, capture_output=True, text=True)
    version = asked.stdout.strip()
    with temporary_folder("release") as folder:
        left = asyncio.run(make(command, version, folder, None))
        pack(left, HERE / version / "sqlite.tar.xz")
    with running_postgres() as server, temporary_folder("release") as folder:
        database = server.create_database()
        left = asyncio.run(make(command, version, folder, database))
        dump(database, left / DUMP, server.binaries)
        pack(left, HERE / version / "postgresql.tar.xz")


if __name__ == "__main__":
    main()
