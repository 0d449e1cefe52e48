"""With `--json` every command prints JSON, for programs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from docagent.cli.main import app
from docagent.client import Client
from tests.clients.workspace import new_workspace
from tests.support.browser.terminal import DOCAGENT
from tests.support.made.documents import pdf
from tests.support.services.server import ENVIRONMENT, RunningServer
from tests.unit.cli.test_commands import ALL, PROTOCOLS

INVOICE = pdf(["ACME Ltd", "Invoice", "Invoice number: 4711", "Total: 99.50 EUR"])
SETTINGS = {name: value for name, value in ENVIRONMENT.items() if name != "DOCAGENT_AUTH__SECRET"}
"""The secret is the folder's own, so that it can be replaced."""
STAYING = ("serve", "worker")
"""They end when they are told to."""

CALLS: dict[str, tuple[str, ...]] = {
    "extract": ("{file}", "--auto"),
    "chat": ("{file}", "What is the total?"),
    "ingest": ("{folder}",),
    "review": (),
    "project list": (),
    "project pull": ("Handbook", "{folder}/handbook"),
    "project push": ("{folder}/handbook",),
    "project diff": ("{folder}/handbook",),
    "search": ("ACME",),
    "upload": ("{file}", "--wait"),
    "models list": ("--org", "{organization}"),
    "models check": ("docagent-offline", "--org", "{organization}"),
    "models use": ("docagent-offline", "--org", "{organization}"),
    "doctor": (),
    "user list": (),
    "user add": ("ada@example.com", "--password", "a long password"),
    "user remove": ("ada@example.com",),
    "token make": ("robot", "--days", "3", "--org", "{organization}"),
    "token list": ("--org", "{organization}"),
    "token revoke": ("{token}", "--org", "{organization}"),
    "login-link": (),
    "backup": ("{folder}/backup.tar",),
    "restore": ("{folder}/backup.tar", "--data", "{folder}/restored"),
    "migrate": (),
    "rotate-secret": ("--new", "another secret that only the tests know"),
    "forget-sealed": (),
    "compare": ("--doc", "{document}", "--task", "What is the total?", "--strategies", "react"),
    "openapi": (),
    "version": (),
}
"""What each is called with, in an order in which each finds what it needs."""


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """A folder with a file, and one for data on which no server runs."""
    file = tmp_path / "invoice.pdf"
    file.write_bytes(INVOICE)
    return {"folder": str(tmp_path), "file": str(file)}


def invoke(place: dict[str, str], *words: str, **settings: str) -> tuple[int, str]:
    environment = {**SETTINGS, "DOCAGENT_DATA": f"{place['folder']}/data", **settings}
    done = CliRunner().invoke(app, [word.format(**place) for word in words], env=environment)
    assert not isinstance(done.exception, Exception), done.output
    return done.exit_code, done.stdout


def test_every_command_is_called_here() -> None:
    assert {*CALLS, *STAYING} == {" ".join(words) for words in {*ALL} - PROTOCOLS}


def test_every_command_prints_json(place: dict[str, str], server: RunningServer) -> None:
    """One after another, since each leaves something for the next: those of documents on a server, others alone."""
    workspace = new_workspace(server.url)
    with Client(workspace.base_url, workspace.org_token) as client:
        project = client.projects.create("Handbook")
        client.projects.documents.create(project.id, "Rules", "Be kind.\n")
    place["organization"] = workspace.organization_id
    on_server = {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.org_token}
    alone = {
        "doctor",
        "login-link",
        "backup",
        "restore",
        "migrate",
        "rotate-secret",
        "forget-sealed",
        "compare",
    }
    for call, arguments in CALLS.items():
        settings = {} if call in alone else on_server
        if call.startswith("user"):
            settings = {**on_server, "DOCAGENT_TOKEN": workspace.admin_token}
        if call.startswith("token"):
            settings = {**on_server, "DOCAGENT_TOKEN": workspace.account_token}
        if call == "doctor":
            invoke(place, "migrate")
        if call == "compare":
            place["document"] = _uploaded(place)
        code, printed = invoke(place, *call.split(), *arguments, "--json", **settings)
        assert code in (0, 3), call
        lines = printed.splitlines() if call == "chat" else [printed]
        read = [json.loads(line) for line in lines]
        assert read, call
        if call == "token make":
            place["token"] = read[0]["id"]


def _uploaded(place: dict[str, str]) -> str:
    """A document in the folder without a server, uploaded by the command's own one."""
    _, printed = invoke(place, "upload", "{file}", "--wait", "--json")
    return str(json.loads(printed)[0]["document_id"])


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health") as answer:
            return bool(answer.status == 200)
    except urllib.error.URLError:
        return False


@pytest.mark.parametrize("name", STAYING)
def test_a_command_that_stays_prints_its_greeting_as_json(name: str, tmp_path: Path) -> None:
    command = [DOCAGENT, name, "--json", "--data", str(tmp_path / "data")]
    if name == "serve":
        command += ["--port", "0"]
    with subprocess.Popen(
        command,
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdout is not None
        greeting = json.loads(running.stdout.readline())
        while name == "serve" and not _answers(greeting["address"]):
            assert running.poll() is None
            time.sleep(0.1)
        running.send_signal(signal.SIGTERM)
    assert greeting
    assert running.returncode == 0
