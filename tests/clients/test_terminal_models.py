"""`docagent models`: what is found on this machine, what a model can do, and making one the default."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner, Result

from docagent.adapters.llm.scripted import make_reply
from docagent.cli.main import app
from docagent.domain.models.llm import ToolCall
from tests.clients.workspace import Workspace, new_workspace
from tests.support.browser.agent_page import provider_beside
from tests.support.models.local_servers import as_ollama, beside
from tests.support.models.provider import Refusal, ScriptedProvider
from tests.support.services.server import running_server

LLAMA = "ollama/llama3.2"


@pytest.fixture(scope="module")
def ollama() -> Iterator[ScriptedProvider]:
    """An Ollama in a thread of its own, for the commands wait for the server and the server for it."""
    with provider_beside() as provider:
        as_ollama(provider, **{"llama3.2": (2_019_393_189, ["completion", "tools"])})
        yield provider


@pytest.fixture(scope="module")
def workspace(ollama: ScriptedProvider) -> Iterator[Workspace]:
    with running_server(beside(ollama=ollama)) as server:
        yield new_workspace(server.url)


def models(workspace: Workspace, *arguments: str) -> Result:
    environment = {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.org_token}
    return CliRunner().invoke(app, ["models", *arguments], env=environment)


def test_a_model_is_listed_checked_and_used(workspace: Workspace, ollama: ScriptedProvider) -> None:
    listed = models(workspace, "list")
    assert listed.stdout == f"{LLAMA}\t2.0 GB\tyes\tno\t\n"
    called = make_reply("", tool_calls=[ToolCall("c", "get_weather", '{"city": "Paris"}')])
    refusal = Refusal(400, {"error": {"message": "no pictures"}})
    ollama.add("ready", called, '{"name": "Ada", "born": 1815}', refusal)
    checked = models(workspace, "check", LLAMA)
    assert checked.exit_code == 0
    assert [line.split("\t")[:2] for line in checked.stdout.splitlines()] == [
        ["speaks", "yes"],
        ["calls tools", "yes"],
        ["keeps a schema", "yes"],
        ["sees pictures", "no"],
    ]
    assert models(workspace, "use", LLAMA, "--for", "agent").exit_code == 0
    assert models(workspace, "list").stdout.endswith("\tagent\n")
    chosen = json.loads(models(workspace, "use", LLAMA, "--json").stdout)
    assert chosen == {"model": LLAMA, "agent_model": LLAMA}


def test_what_cannot_work_is_said_in_a_sentence(workspace: Workspace, ollama: ScriptedProvider) -> None:
    unknown = models(workspace, "use", "ollama/zz")
    assert unknown.exit_code == 1
    assert unknown.stderr.startswith("Invalid model: ollama/zz.")
    ollama.add(Refusal(400, {"error": {"message": "it does not fit into memory"}}))
    failed = models(workspace, "check", LLAMA)
    assert failed.exit_code == 1
    assert "it does not fit into memory" in failed.stderr
