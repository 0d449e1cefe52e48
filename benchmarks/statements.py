"""What a turn with three calls asks of the database: statements, transactions and round trips, on both databases.

It also measures how much longer such a turn takes when PostgreSQL is 20 ms away.
"""

from __future__ import annotations

import contextlib
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.services.postgres import running_postgres

from benchmarks.agent import TURN, Agent, made_document, provider_settings, running_provider
from benchmarks.counted_postgres import counted_postgres
from benchmarks.server import free_port, our_server, signed_in

NAME = "statements"
SECONDS_AWAY = 0.02

Counts = Callable[[], Counter[str]]


def run(quick: bool) -> dict[str, float]:
    turns = 5 if quick else 20
    with running_provider() as provider:
        settings = provider_settings(provider, [TURN])
        return {**_on_sqlite(settings, turns), **_on_postgres(settings, turns)}


def _on_sqlite(settings: dict[str, str], turns: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        data, told = Path(folder) / "data", Path(folder) / "statements"
        command = [sys.executable, "-m", "benchmarks.counted_sqlite"]
        with _prepared(data, settings, command, {"COUNTED": str(told)}) as ours:
            asked, _ = _asked(ours, turns, lambda: _counted(told))
    return {f"sqlite_{name}_a_turn": count for name, count in asked.items()}


def _on_postgres(settings: dict[str, str], turns: int) -> dict[str, float]:
    port = free_port()
    with (
        running_postgres() as postgres,
        counted_postgres(postgres.socket_folder, port) as relay,
        tempfile.TemporaryDirectory() as folder,
    ):
        database = postgres.create_database()
        shared = {
            "DOCAGENT_DATABASE__URL": f"postgresql://postgres@127.0.0.1:{port}/{database.name}",
            "DOCAGENT_AUTH__SECRET": secrets.token_urlsafe(32),
        }
        with _prepared(Path(folder), {**settings, **shared}) as ours:
            asked, near = _asked(ours, turns, lambda: relay.counts.copy())
            relay.seconds_a_round_trip = SECONDS_AWAY
            _, far = _asked(ours, turns, lambda: relay.counts.copy())
            relay.seconds_a_round_trip = 0.0
    figures = {f"postgresql_{name}_a_turn": count for name, count in asked.items()}
    return {
        **figures,
        "near_turn_ms": near * 1000,
        "far_turn_ms": far * 1000,
        "far_adds_ms": (far - near) * 1000,
    }


@contextlib.contextmanager
def _prepared(
    data: Path,
    settings: dict[str, str],
    command: list[str] | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[Agent]:
    """A server without a worker, over a document that another one has read."""
    with signed_in(data, settings) as ours:
        document_id = made_document(ours)
    alone = {**settings, **(environment or {}), "DOCAGENT_WORKER__EMBEDDED": "false"}
    with our_server(data, alone, command) as server:
        chat = f"{server.base_url}/v0/orgs/{ours.organization_id}/documents/{document_id}/chat"
        yield Agent(chat, ours.token, server.pid)


def _asked(ours: Agent, turns: int, counts: Counts) -> tuple[dict[str, float], float]:
    """What one turn asks for, and how many seconds it takes, when statements and connections are warm."""
    ours.load("turns", TURN, ours.threads(3))
    threads = ours.threads(turns)
    before = counts()
    seconds = ours.load("turns", TURN, threads)["seconds"]
    passed = counts() - before
    return {name: count / turns for name, count in sorted(passed.items())}, seconds / turns


def _counted(told: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in told.read_text().splitlines():
        if line.startswith("BEGIN"):
            counts["transactions"] += 1
        elif not line.startswith(("COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "--")):
            counts["statements"] += 1
    return counts
