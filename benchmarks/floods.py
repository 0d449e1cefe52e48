"""What strangers cost others: bodies without a sign-in, sign-ins with made-up names, connections that say nothing."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import psutil

from benchmarks.measure import MIB, interleaved, processor_seconds_of, watched_memory
from benchmarks.server import Ours, bare_server, call, our_server, server_with_token

NAME = "floods"
CLIENTS = 10
SIGN_INS = 200
ELSEWHERE = "127.0.0.2"
EMAIL, PASSWORD = "bench@example.com", "a long password of a benchmark"
ADMINISTRATOR = {"DOCAGENT_AUTH__ADMIN_EMAIL": EMAIL, "DOCAGENT_AUTH__ADMIN_PASSWORD": PASSWORD}


def run(quick: bool) -> dict[str, float]:
    return {**bodies(quick), **uploads(quick), **sign_ins(quick), **idle(quick)}


def bodies(quick: bool) -> dict[str, float]:
    """Ten strangers send 100 MB each. The floor is the bare framework, which has no such route and reads nothing."""
    megabytes = 20 if quick else 100
    figures: dict[str, float] = {}
    with bare_server() as bare, server_with_token() as ours:
        url = f"{ours.base_url}/v0/orgs/{ours.organization_id}/documents"

        def cost(name: str, url: str, pid: int, status: str) -> Callable[[], float]:
            def measured() -> float:
                before, memory = processor_seconds_of(pid), psutil.Process(pid).memory_info().rss / MIB
                with watched_memory(pid) as peak:
                    seen = flood("bodies", url, CLIENTS, megabytes)
                if seen != {status: CLIENTS}:
                    raise RuntimeError(f"the {name} answered {seen}")
                figures[f"{name}_mib"] = max(figures.get(f"{name}_mib", 0), peak.parent - memory)
                return processor_seconds_of(pid) - before

            return measured

        costs = interleaved(
            3,
            {
                "strangers_bodies_floor": cost(
                    "strangers_bodies_floor", f"{bare.base_url}/health", bare.pid, "405"
                ),
                "strangers_bodies": cost("strangers_bodies", url, ours.pid, "401"),
            },
        )
    figures["strangers_bodies_x"] = costs.ratio("strangers_bodies", "strangers_bodies_floor")
    figures["strangers_bodies_processor_ms"] = costs.median("strangers_bodies") / CLIENTS * 1000
    return figures


def uploads(quick: bool) -> dict[str, float]:
    """A member uploads a large file as JSON. The floor is the same file as a form, which always was streamed."""
    content = bytes(range(256)) * 4096 * (10 if quick else 75)
    figures: dict[str, float] = {}
    with server_with_token() as ours:
        as_json = b'{"documents": [{"name": "a.txt", "content": "' + base64.b64encode(content) + b'"}]}'
        as_form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + content
        as_form += b"\r\n--b--\r\n"

        def cost(name: str, suffix: str, kind: str, body: bytes) -> Callable[[], float]:
            def measured() -> float:
                before, memory = (
                    processor_seconds_of(ours.pid),
                    psutil.Process(ours.pid).memory_info().rss / MIB,
                )
                with watched_memory(ours.pid) as peak:
                    _upload(ours, suffix, kind, body)
                figures[f"{name}_mib"] = max(figures.get(f"{name}_mib", 0), peak.parent - memory)
                return processor_seconds_of(ours.pid) - before

            return measured

        costs = interleaved(
            3,
            {
                "upload_floor": cost(
                    "upload_floor", "/multipart", "multipart/form-data; boundary=b", as_form
                ),
                "upload": cost("upload", "", "application/json", as_json),
            },
        )
    return {**figures, "upload_x": costs.ratio("upload", "upload_floor")}


def sign_ins(quick: bool) -> dict[str, float]:
    """How long somebody waits who signs in while 200 clients, at one address and at twenty, try made-up names.

    The floor is a sign-in while nothing else happens.
    """
    times = 3 if quick else 7
    figures: dict[str, float] = {}
    for places in (1, 20):
        with tempfile.TemporaryDirectory() as data, our_server(Path(data), ADMINISTRATOR) as server:
            url = f"{server.base_url}/v0/account/auth/login"
            figures["sign_in_floor_ms"] = quiet = median(_sign_in(url) for _ in range(times))
            with flooding("sign-ins", url, SIGN_INS, places) as ended:
                waits = [_sign_in(url) for _ in range(times)]
                if "429" not in ended():
                    raise RuntimeError("nobody of the flood was sent away")
            figures[f"sign_in_flood_of_{places}_ms"] = median(waits)
            figures[f"sign_in_flood_of_{places}_worst_ms"] = max(waits)
            figures[f"sign_in_flood_of_{places}_x"] = median(waits) / quiet
    return figures


def idle(quick: bool) -> dict[str, float]:
    """A thousand connections say nothing. Others, of the same address too, are served; in the end all have ended."""
    connections = 200 if quick else 1000
    with tempfile.TemporaryDirectory() as data, our_server(Path(data)) as server:
        url = f"{server.base_url}/health"
        quiet = median(_seconds(lambda: call(url)) for _ in range(20))
        memory = psutil.Process(server.pid).memory_info().rss / MIB
        started = time.perf_counter()
        with flooding("idle", url, connections) as ended:
            served = median(_seconds(lambda: call(url)) for _ in range(20))
            grown = psutil.Process(server.pid).memory_info().rss / MIB - memory
            seen = ended()
        seconds = time.perf_counter() - started
    if seen != {"ended": connections}:
        raise RuntimeError(f"of the idle connections {seen}")
    return {
        "idle_connections": connections,
        "idle_mib": grown,
        "idle_ended_after_seconds": seconds,
        "served_among_idle_ms": served * 1000,
        "served_floor_ms": quiet * 1000,
    }


def flood(kind: str, url: str, *numbers: int) -> dict[str, int]:
    with flooding(kind, url, *numbers) as ended:
        return ended()


@contextlib.contextmanager
def flooding(kind: str, url: str, *numbers: int) -> Iterator[Callable[[], dict[str, int]]]:
    """Run a flood while the block runs. What is yielded ends it, or waits for its end, and returns what it saw."""
    command = [sys.executable, "-m", "benchmarks.flood_client", kind, url, *map(str, numbers)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        if kind != "bodies":
            client.stdout.readline()

        def ended() -> dict[str, int]:
            told, _ = client.communicate()
            if client.returncode:
                raise RuntimeError("the flood failed")
            seen: dict[str, int] = json.loads(told.splitlines()[-1])
            return seen

        try:
            yield ended
        finally:
            if client.poll() is None:
                client.kill()


def _sign_in(url: str) -> float:
    """Sign in from an address of one's own, again when told so. Return the milliseconds it took."""
    parts = urlsplit(url)
    body = json.dumps({"email": EMAIL, "password": PASSWORD})

    def ask() -> None:
        while True:
            connection = http.client.HTTPConnection(parts.netloc, timeout=120, source_address=(ELSEWHERE, 0))
            connection.request("POST", parts.path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            connection.close()
            if answer.status == 200:
                return
            time.sleep(int(answer.headers["Retry-After"]))

    return _seconds(ask) * 1000


def _upload(ours: Ours, suffix: str, kind: str, body: bytes) -> None:
    parts = urlsplit(ours.base_url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=300)
    headers = {"Content-Type": kind, "Authorization": f"Bearer {ours.token}"}
    connection.request("POST", f"/v0/orgs/{ours.organization_id}/documents{suffix}", body, headers)
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"the upload was answered {answer.status}: {answer.read()!r}")
    connection.close()


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
