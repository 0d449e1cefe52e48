"""Starts the servers to measure: the real one, and the bare framework as its floor."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS_TO_START = 300


@dataclass(frozen=True, slots=True)
class Running:
    """A server that is ready to answer."""

    base_url: str
    pid: int


@dataclass(frozen=True, slots=True)
class Ours:
    """The real server, with one organisation and a token for it."""

    base_url: str
    pid: int
    organization_id: str
    token: str
    email: str
    password: str


@contextlib.contextmanager
def server_with_token(settings: dict[str, str] | None = None) -> Iterator[Ours]:
    """Run the real server on a new data folder, with somebody signed in."""
    with tempfile.TemporaryDirectory() as data, signed_in(Path(data), settings or {}) as ours:
        yield ours


@contextlib.contextmanager
def signed_in(data: Path, settings: dict[str, str]) -> Iterator[Ours]:
    """Run the real server for the first time on its data, with somebody signed in."""
    email, password = "bench@example.com", secrets.token_urlsafe(16)
    administrator = {"DOCAGENT_AUTH__ADMIN_EMAIL": email, "DOCAGENT_AUTH__ADMIN_PASSWORD": password}
    with our_server(data, {**settings, **administrator}) as server:
        api = f"{server.base_url}/v0"
        session = call(f"{api}/account/auth/login", {"email": email, "password": password})
        account = str(session["token"])
        organizations = call(f"{api}/account/organizations", token=account)["organizations"]
        organization_id = str(organizations[0]["id"])
        wanted = {"name": "benchmarks", "lifetime": 1}
        made = call(f"{api}/orgs/{organization_id}/access_tokens", wanted, token=account)
        yield Ours(server.base_url, server.pid, organization_id, str(made["token"]), email, password)


@contextlib.contextmanager
def our_server(
    data: Path, environment: dict[str, str] | None = None, command: list[str] | None = None
) -> Iterator[Running]:
    """Run the real server as an operator starts it. It is ready when the block begins."""
    port = free_port()
    program = command or [str(Path(sys.executable).with_name("docagent"))]
    ours = {"DOCAGENT_DATA": str(data), "DOCAGENT_LOG__LEVEL": "warning", **(environment or {})}
    with serving([*program, "serve", "--port", str(port)], port, ours) as pid:
        yield Running(f"http://127.0.0.1:{port}", pid)


@contextlib.contextmanager
def bare_server() -> Iterator[Running]:
    """Run the floor, with the same uvicorn settings as our server."""
    port = free_port()
    settings = ["--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"]
    command = [sys.executable, "-m", "uvicorn", "benchmarks.bare_app:app", "--port", str(port), *settings]
    with serving(command, port) as pid:
        yield Running(f"http://127.0.0.1:{port}", pid)


@contextlib.contextmanager
def serving(command: list[str], port: int, environment: dict[str, str] | None = None) -> Iterator[int]:
    with tempfile.TemporaryFile() as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=output, env={**usual_environment(), **(environment or {})}
        )
        try:
            deadline = time.monotonic() + SECONDS_TO_START
            while not _answers(f"http://127.0.0.1:{port}/health"):
                if server.poll() is not None or time.monotonic() > deadline:
                    output.seek(0)
                    raise RuntimeError(f"{command} did not start:\n{output.read().decode(errors='replace')}")
                time.sleep(0.05)
            yield server.pid
        finally:
            server.terminate()
            server.wait(30)


def usual_environment() -> dict[str, str]:
    """Return our environment without the variable that keeps Python from storing compiled modules, as is usual."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def call(url: str, body: dict[str, Any] | None = None, token: str | None = None) -> Any:
    """Ask for JSON: by POST if there is a body, else by GET."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        return json.load(answer)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
