"""The agent: our server's processor time for turns, approvals and streamed chunks, as multiples of a bare loop's.

Both sides talk to the same scripted provider and send it the same requests. Our server runs behind HTTP,
signs the caller in, judges calls and stores every event; the floor does none of this (`agent_floor.py`). The
server has one core to itself; the provider and the client share the other.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from tests.support.services.postgres import running_postgres

from benchmarks.agent_load import Job
from benchmarks.measure import MIB, interleaved
from benchmarks.server import Ours, call, free_port, server_with_token, serving

NAME = "agent"
TURN = "list_tags:3:50:0"
APPROVAL = "create_tag:1:50:0"
THREAD = "list_tags:1:50:0"
STREAMS = 200
PACE_SECONDS = 0.02
OPENING_SECONDS = 4.0
CLOSING_SECONDS = 6.0
SAMPLES = 5
"""The number of turns over which the cost at one length of a thread is averaged."""


def run(quick: bool) -> dict[str, float]:
    window = 2.0 if quick else 6.0
    chunks = int((OPENING_SECONDS + window + CLOSING_SECONDS) / PACE_SECONDS)
    paced = f"list_tags:0:{chunks}:{PACE_SECONDS * 1000:g}"
    with running_provider() as provider, _server(provider, [TURN, APPROVAL, THREAD, paced]) as ours:
        count, repetitions = (40, 3) if quick else (100, 7)
        return {
            **_turns(ours, provider, count, repetitions),
            **_on_postgres(provider, count, repetitions),
            **_streams(ours, provider, paced, window, 1 if quick else 3),
            **_long_threads(ours, provider, (100,) if quick else (100, 1000), 1 if quick else 3),
            **_paused(ours, 300 if quick else 1000),
        }


# Turns and approvals


def _turns(ours: Agent, provider: str, count: int, repetitions: int) -> dict[str, float]:
    ours.load("turns", TURN, ours.threads(20))
    ours.load("approvals", APPROVAL, ours.threads(5))
    figures: dict[str, float] = {}
    for name, kind, model in (("turn", "turns", TURN), ("approve", "approvals", APPROVAL)):
        seconds: list[float] = []

        def server(kind: str = kind, model: str = model, seconds: list[float] = seconds) -> float:
            threads = ours.threads(count)
            before = ours.processor_seconds()
            seconds.append(ours.load(kind, model, threads)["seconds"] / count)
            return (ours.processor_seconds() - before) / count

        def floor(kind: str = kind, model: str = model) -> float:
            return _floor(kind, provider, model, count)

        costs = interleaved(repetitions, {"ours": server, "floor": floor})
        figures[f"{name}_x_floor"] = costs.ratio("ours", "floor")
        figures[f"{name}_processor_ms"] = costs.median("ours") * 1000
        figures[f"{name}_floor_ms"] = costs.median("floor") * 1000
        figures[f"{name}_ms"] = median(seconds) * 1000
    return figures


def _on_postgres(provider: str, count: int, repetitions: int) -> dict[str, float]:
    """The same turns and approvals on PostgreSQL, which is a process of its own and not counted."""
    with running_postgres() as postgres:
        shared = {
            "DOCAGENT_DATABASE__URL": postgres.create_database().url,
            "DOCAGENT_AUTH__SECRET": secrets.token_urlsafe(32),
        }
        with _server(provider, [TURN, APPROVAL], shared) as ours:
            found = _turns(ours, provider, count, repetitions)
    return {f"postgresql_{name}": value for name, value in found.items() if "floor_ms" not in name}


# Streams


@dataclass
class _Streamed:
    """The figures of repeated runs with many streams."""

    chunk: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)
    seen: list[dict[str, Any]] = field(default_factory=list)

    def best(self, key: str) -> float:
        return min(float(each[key]) for each in self.seen)


def _streams(ours: Agent, provider: str, model: str, window: float, repetitions: int) -> dict[str, float]:
    with _bare_stream(provider) as bare:
        found = {"ours": _Streamed(), "floor": _Streamed()}

        def cost(agent: Agent, streamed: _Streamed) -> Callable[[], float]:
            def measured() -> float:
                threads = agent.threads(STREAMS)
                before = agent.processor_seconds()
                in_window, seen = agent.stream(model, threads, window)
                streamed.seen.append(seen)
                streamed.chunk.append(in_window / seen["chunks"])
                streamed.whole.append((agent.processor_seconds() - before) / seen["all_chunks"])
                return streamed.chunk[-1]

            return measured

        costs = interleaved(
            repetitions, {"ours": cost(ours, found["ours"]), "floor": cost(bare, found["floor"])}
        )
    asked = STREAMS / PACE_SECONDS
    pace = {
        name: max(each["chunks"] / each["seconds"] for each in of.seen) / asked for name, of in found.items()
    }
    return {
        "chunk_x_floor": costs.ratio("ours", "floor"),
        "chunk_us": costs.median("ours") * 1e6,
        "chunk_floor_us": costs.median("floor") * 1e6,
        "chunk_with_start_us": median(found["ours"].whole) * 1e6,
        "chunk_with_start_floor_us": median(found["floor"].whole) * 1e6,
        "streams200_pace": pace["ours"],
        "streams200_p95_ms": found["ours"].best("p95_ms"),
        "streams200_opening_p95_ms": found["ours"].best("opening_p95_ms"),
        "streams200_core_share": costs.median("ours") * asked * pace["ours"],
        "streams200_floor_pace": pace["floor"],
        "streams200_floor_p95_ms": found["floor"].best("p95_ms"),
    }


# Long threads


def _long_threads(ours: Agent, provider: str, lengths: Sequence[int], repetitions: int) -> dict[str, float]:
    """Measure what a turn costs at the beginning of a thread and at these lengths."""
    figures: dict[str, float] = {}
    for length in (1, *lengths):
        most = repetitions if length <= 100 else 1

        def server(length: int = length) -> float:
            return _cost_at(ours, length)

        def floor(length: int = length) -> float:
            return _floor("thread", provider, THREAD, max(length, SAMPLES))

        costs = interleaved(most, {"ours": server, "floor": floor} if length == 100 else {"ours": server})
        figures[f"turn{length}_processor_ms"] = costs.median("ours") * 1000
        if length == 100:
            figures["turn100_x_floor"] = costs.ratio("ours", "floor")
            figures["turn100_floor_ms"] = costs.median("floor") * 1000
    return figures


def _cost_at(ours: Agent, length: int) -> float:
    """Return the processor seconds of a turn at this length of a thread, averaged over SAMPLES turns."""
    if length == 1:
        measured = ours.threads(SAMPLES)
    else:
        thread = ours.threads(1)[0]
        ours.load("turns", THREAD, [thread] * (length - SAMPLES))
        measured = [thread] * SAMPLES
    before = ours.processor_seconds()
    ours.load("turns", THREAD, measured)
    return (ours.processor_seconds() - before) / SAMPLES


# Paused turns


def _paused(ours: Agent, count: int) -> dict[str, float]:
    """Measure how much waiting turns make the server grow. The first ones only fill allocator and caches."""
    ours.load("pauses", APPROVAL, [None] * (count // 2), at_once=10)
    before = ours.resident_bytes()
    ours.load("pauses", APPROVAL, [None] * count, at_once=10)
    after = ours.resident_bytes()
    return {"paused_turn_kib": (after - before) / 1024 / count, "server_mib": after / MIB}


# Processes


@dataclass(frozen=True)
class Agent:
    """A server with a chat: ours, or the floor, which takes the same requests but has no threads."""

    chat_url: str
    token: str
    pid: int
    has_threads: bool = True

    def threads(self, count: int) -> list[str | None]:
        if not self.has_threads:
            return [None] * count
        made = [call(f"{self.chat_url}/threads", {}, token=self.token)["thread_id"] for _ in range(count)]
        return [str(thread_id) for thread_id in made]

    def load(self, kind: str, model: str, threads: Sequence[str | None], at_once: int = 1) -> dict[str, Any]:
        job = Job(kind, self.chat_url, self.token, model, threads, at_once)
        with _client(job) as client:
            return _said(client)

    def stream(
        self, model: str, threads: Sequence[str | None], window: float
    ) -> tuple[float, dict[str, Any]]:
        """Return the processor seconds while all streams ran, and what the client saw."""
        job = Job(
            "streams",
            self.chat_url,
            self.token,
            model,
            threads,
            opening_seconds=OPENING_SECONDS,
            window_seconds=window,
        )
        with _client(job) as client:
            _said(client)
            before = self.processor_seconds()
            _said(client)
            spent = self.processor_seconds() - before
            return spent, _said(client)

    def processor_seconds(self) -> float:
        """Return the scheduler's count, in nanoseconds: clock ticks are too coarse for single turns."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def resident_bytes(self) -> int:
        return int(psutil.Process(self.pid).memory_info().rss)


@contextlib.contextmanager
def running_provider() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.agent_provider", str(port)]
    with serving(command, port) as pid:
        _on_core(pid, 1)
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def _server(provider: str, models: Sequence[str], settings: dict[str, str] | None = None) -> Iterator[Agent]:
    with server_with_token({**provider_settings(provider, models), **(settings or {})}) as ours:
        _on_core(ours.pid, 0)
        api = f"{ours.base_url}/v0/orgs/{ours.organization_id}"
        yield Agent(f"{api}/documents/{made_document(ours)}/chat", ours.token, ours.pid)


def provider_settings(provider: str, models: Sequence[str]) -> dict[str, str]:
    """Settings of a server that knows only these models of the scripted provider."""
    endpoints = {"scripted": {"base_url": provider, "models": list(models)}}
    return {
        "DOCAGENT_MODELS__ENDPOINTS": json.dumps(endpoints),
        "DOCAGENT_MODELS__FIND_LOCAL": "false",
        "DOCAGENT_MODELS__CALLS_PER_PROVIDER": "1000",
        "DOCAGENT_MODELS__CALLS_PER_ORGANIZATION": "1000",
    }


def made_document(ours: Ours) -> str:
    """Upload a document, make a tag, and wait until the document is read."""
    api = f"{ours.base_url}/v0/orgs/{ours.organization_id}"
    text = "Invoice 4711. " * 100
    document = {"name": "invoice.txt", "content": base64.b64encode(text.encode()).decode()}
    uploaded = call(f"{api}/documents", {"documents": [document]}, token=ours.token)
    document_id = str(uploaded["documents"][0]["document_id"])
    call(f"{api}/tags", {"name": "bench"}, token=ours.token)
    _wait_for_text(f"{api}/documents/{document_id}?include_content=false", ours.token)
    return document_id


@contextlib.contextmanager
def _bare_stream(provider: str) -> Iterator[Agent]:
    port = free_port()
    settings = ["--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"]
    command = [sys.executable, "-m", "uvicorn", "benchmarks.agent_floor:app", "--port", str(port), *settings]
    with serving(command, port, {"PROVIDER": provider}) as pid:
        _on_core(pid, 0)
        yield Agent(f"http://127.0.0.1:{port}/chat", "", pid, has_threads=False)


def _floor(kind: str, provider: str, model: str, count: int) -> float:
    command = [sys.executable, "-m", "benchmarks.agent_floor", kind, provider, model, str(count)]
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run(
            command, check=True, capture_output=True, text=True, env={**os.environ, "TMPDIR": folder}
        )
    return float(told.stdout)


@contextlib.contextmanager
def _client(job: Job) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "benchmarks.agent_load", json.dumps(asdict(job))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        _on_core(client.pid, 1)
        yield client


def _said(client: subprocess.Popen[str]) -> dict[str, Any]:
    assert client.stdout is not None
    line = client.stdout.readline()
    if not line:
        raise RuntimeError(f"the client ended with {client.wait()}")
    found: dict[str, Any] = json.loads(line)
    return found


def _on_core(pid: int, core: int) -> None:
    """Bind a process to a core, so that the server and its clients do not wait for one another."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {cores[core]})


def _wait_for_text(url: str, token: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        state = str(call(url, token=token)["state"])
        if state.endswith("completed"):
            return
        if state.endswith("failed") or time.monotonic() > deadline:
            raise RuntimeError(f"the document is {state}")
        time.sleep(0.1)
