"""Starts servers to measure: the real one, and the bare framework as its floor."""

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

SECONDS_TO_START = 60


@dataclass(frozen=True, slots=True)
class Bare:
    """A running server without anything of ours."""

    base_url: str
    pid: int


@dataclass(frozen=True, slots=True)
class Ours:
    """The real server, with one organisation and a token for it."""

    base_url: str
    pid: int
    organization_id: str
    token: str


@contextlib.contextmanager
def start_server() -> Iterator[Ours]:
    """The real server as an operator starts it, on a new data folder."""
    port = _free_port()
    base_url = f"http://127.0.0.1:{port}"
    email, password = "bench@example.com", secrets.token_urlsafe(16)
    command = [str(Path(sys.executable).with_name("docagent")), "serve", "--port", str(port)]
    with tempfile.TemporaryDirectory() as data:
        environment = {
            "DOCAGENT_DATA": data,
            "DOCAGENT_AUTH__ADMIN_EMAIL": email,
            "DOCAGENT_AUTH__ADMIN_PASSWORD": password,
            "DOCAGENT_LOG__LEVEL": "warning",
        }
        with _serving(command, port, environment) as pid:
            session = _call(f"{base_url}/v0/account/auth/login", {"email": email, "password": password})
            account = str(session["token"])
            organizations = _call(f"{base_url}/v0/account/organizations", token=account)["organizations"]
            organization_id = str(organizations[0]["id"])
            wanted = {"name": "benchmarks", "lifetime": 1}
            made = _call(f"{base_url}/v0/orgs/{organization_id}/access_tokens", wanted, token=account)
            yield Ours(base_url, pid, organization_id, str(made["token"]))


@contextlib.contextmanager
def bare_server() -> Iterator[Bare]:
    """The floor, with the settings that our server gives to uvicorn."""
    port = _free_port()
    settings = ["--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning"]
    command = [sys.executable, "-m", "uvicorn", "benchmarks.bare_app:app", "--port", str(port), *settings]
    with _serving(command, port) as pid:
        yield Bare(f"http://127.0.0.1:{port}", pid)


@contextlib.contextmanager
def _serving(command: list[str], port: int, environment: dict[str, str] | None = None) -> Iterator[int]:
    with tempfile.TemporaryFile() as output:
        server = subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, **(environment or {})}
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


def _call(url: str, body: dict[str, Any] | None = None, token: str | None = None) -> Any:
    """Ask for JSON: a POST when there is a body, else a GET."""
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


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
