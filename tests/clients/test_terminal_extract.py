"""`docagent extract`: data out of files, proven or marked, and nothing done twice however it was stopped."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from docagent import __version__
from docagent.adapters.llm.scripted import make_reply
from docagent.cli.main import app
from docagent.client import Client
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ModelReply
from tests.clients.test_scripted_provider import choose_provider
from tests.clients.workspace import Workspace, new_workspace
from tests.support.browser.terminal import DOCAGENT
from tests.support.made.documents import pdf
from tests.support.models.provider import running_provider
from tests.support.services.server import ENVIRONMENT, RunningServer

FIELDS = {
    "type": "object",
    "properties": {"invoice_number": {"type": "string"}, "total": {"type": "number"}},
    "required": ["invoice_number", "total"],
    "additionalProperties": False,
}
PILE = 6
KILL_AFTER = 3


@pytest.fixture
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    file = tmp_path / "Bill values.json"
    file.write_text(json.dumps(FIELDS))
    return file


def invoice(file: Path, number: int) -> Path:
    file.write_bytes(pdf(["ACME Ltd", "Invoice", f"Invoice number: INV-{number}", f"Total: {number}.50 EUR"]))
    return file


def extract(workspace: Workspace, *arguments: str | Path) -> Result:
    environment = {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.org_token}
    return CliRunner().invoke(app, ["extract", *map(str, arguments)], env=environment)


def test_values_of_a_schema_go_into_a_table(workspace: Workspace, schema: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bills"
    (folder / "more").mkdir(parents=True)
    first = invoice(folder / "1.pdf", 1)
    (folder / "copy of 1.pdf").write_bytes(first.read_bytes())
    invoice(folder / "more" / "2.pdf", 2)
    (folder / "notes.unknown").write_text("left out")
    done = extract(workspace, folder, "--schema", schema)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    found = {Path(row["file"]).name: (row["invoice_number"], row["total"], row["unproven"]) for row in rows}
    assert found == {
        "1.pdf": ("INV-1", "1.5", ""),
        "copy of 1.pdf": ("INV-1", "1.5", ""),
        "2.pdf": ("INV-2", "2.5", ""),
    }
    assert done.stderr == ""

    again = extract(workspace, folder, "--prompt", "bill values", "--out", tmp_path / "values.xlsx", "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout) == {
        "file": str(tmp_path / "values.xlsx"),
        "documents": 2,
        "pages": 2,
        "values": 4,
        "unproven": 0,
        "failed": 0,
    }
    with Client(workspace.base_url, workspace.org_token) as client:
        assert client.documents.list().total_count == 2
        assert [prompt.prompt_version for prompt in client.prompts.list().prompts] == [1]
        assert [schema.schema_version for schema in client.schemas.list().schemas] == [1]


def test_the_agent_finds_out_what_is_in_a_document(workspace: Workspace, tmp_path: Path) -> None:
    file = invoice(tmp_path / "1.pdf", 1)
    done = extract(workspace, file, "--auto", "--json")
    assert done.exit_code == 0, done.output
    (document,) = json.loads(done.stdout)
    assert "INV-1" in document["data"].values()
    assert document["prompt"] == "Invoice"
    with Client(workspace.base_url, workspace.org_token) as client:
        assert client.documents.proposal(document["document_id"]).status == "accepted"
    assert json.loads(extract(workspace, file, "--auto", "--json").stdout) == [document]


async def test_an_unproven_value_is_marked_and_told_by_the_exit_code(
    workspace: Workspace, schema: Path, tmp_path: Path
) -> None:
    file = invoice(tmp_path / "1.pdf", 1)

    def answer(body: dict[str, Any]) -> ModelReply:
        wanted = {"invoice_number": "INV-1", "total": 88_888.25}
        summary = {"document_type": "invoice", "document_date": None, "summary": "An invoice."}
        return make_reply(json.dumps(wanted if "invoice_number" in json.dumps(body) else summary))

    async with running_provider() as provider:
        provider.add(answer, answer, answer)
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        done = await asyncio.to_thread(extract, workspace, file, "--schema", schema, "--json")
        (document,) = json.loads(done.stdout)

        def wait() -> None:
            with Client(workspace.base_url, workspace.org_token) as client:
                client.documents.wait(document["document_id"])

        await asyncio.to_thread(wait)
        assert len(provider.requests) == 3, "the total is asked for once more"
    assert done.exit_code == 3, done.output
    assert document["unproven"] == ["total"]
    assert {value["path"]: value["proven"] for value in document["values"]} == {
        "invoice_number": True,
        "total": False,
    }


def test_one_bad_file_does_not_hold_up_the_others(workspace: Workspace, schema: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.pdf"
    empty.touch()
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and nothing else")
    good = invoice(tmp_path / "good.pdf", 7)
    done = extract(workspace, empty, broken, good, "--schema", schema)
    assert done.exit_code == 1
    assert f"{empty}: empty.pdf is empty." in done.stderr
    assert f"{broken}: " in done.stderr
    assert "INV-7" in done.stdout


def test_what_cannot_work_is_said(workspace: Workspace, schema: Path, tmp_path: Path) -> None:
    file = invoice(tmp_path / "1.pdf", 1)
    assert "exactly one of them" in extract(workspace, file).stderr
    assert "exactly one of them" in extract(workspace, file, "--auto", "--schema", schema).stderr
    assert "no prompt with the name or id Bills" in extract(workspace, file, "--prompt", "Bills").stderr
    assert "no file and no schema" in extract(workspace, file, "--schema", "missing.json").stderr
    schema.write_text("[1]")
    assert "it must be an object" in extract(workspace, file, "--schema", schema).stderr
    assert extract(workspace, file, "--auto", "--out", "values.pdf").exit_code == 2
    nothing = tmp_path / "empty folder"
    nothing.mkdir()
    assert "no files that can be read" in extract(workspace, nothing, "--auto").stderr


def test_a_killed_command_goes_on_and_does_nothing_twice(schema: Path, tmp_path: Path) -> None:
    """No server runs here: the kill takes the command's own one with it, in the middle of its work."""
    pile = tmp_path / "pile"
    pile.mkdir()
    for number in range(PILE):
        invoice(pile / f"{number}.pdf", number)
    data = tmp_path / "data"
    command = [DOCAGENT, "extract", str(pile), "--schema", str(schema), "--json", "--parallel", "1"]
    environment = {**os.environ, **ENVIRONMENT, "DOCAGENT_DATA": str(data)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as killed:
        while count(data, "documents") < KILL_AFTER:
            assert killed.poll() is None, "it ended before it could be killed"
            time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
    assert killed.returncode == -signal.SIGKILL

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {document["data"]["invoice_number"] for document in json.loads(done.stdout)}
    assert found == {f"INV-{number}" for number in range(PILE)}
    assert count(data, "documents") == PILE
    assert count(data, "prompt_revisions") == count(data, "schema_revisions") == 1
    ours = "extraction_revisions WHERE result_id IN (SELECT id FROM extraction_results WHERE prompt_revid != 'default')"
    assert count(data, ours) == PILE


def test_ctrl_c_ends_in_a_sentence_and_the_same_command_continues(schema: Path, tmp_path: Path) -> None:
    pile = tmp_path / "pile"
    pile.mkdir()
    for number in range(PILE):
        invoice(pile / f"{number}.pdf", number)
    data = tmp_path / "data"
    command = [DOCAGENT, "extract", str(pile), "--schema", str(schema), "--json", "--parallel", "1"]
    environment = {**os.environ, **ENVIRONMENT, "DOCAGENT_DATA": str(data)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as stopped:
        while count(data, "extraction_results WHERE prompt_revid != 'default'") < 1:
            assert stopped.poll() is None, "it ended before it could be stopped"
            time.sleep(0.02)
        stopped.send_signal(signal.SIGINT)
        _, said = stopped.communicate()
    assert stopped.returncode == 130
    assert re.fullmatch(r"Stopped\. \d of 6 files are done; the same command continues\.\n", said)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == count(data, "documents") == PILE


def test_a_class_is_a_schema(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = f"models_{new_id()}"
    fields = "    invoice_number: str\n    total: float\n"
    (tmp_path / f"{module}.py").write_text(f"import pydantic\n\nclass Bill(pydantic.BaseModel):\n{fields}")
    monkeypatch.chdir(tmp_path)
    file = invoice(tmp_path / "1.pdf", 1)
    done = extract(workspace, file, "--schema", f"{module}:Bill", "--json")
    assert done.exit_code == 0, done.output
    (document,) = json.loads(done.stdout)
    assert (document["data"], document["prompt"]) == ({"invoice_number": "INV-1", "total": 1.5}, "Bill")
    assert "has no class Bil." in extract(workspace, file, "--schema", f"{module}:Bil").stderr
    assert "cannot be imported" in extract(workspace, file, "--schema", "nowhere_at_all:Bill").stderr


def test_names_are_printed_without_control_characters(workspace: Workspace, tmp_path: Path) -> None:
    hostile = tmp_path / "a\x1b[2Jb.pdf"
    hostile.touch()
    done = extract(workspace, hostile, "--auto")
    assert done.exit_code == 1
    assert "\x1b" not in done.stderr


def test_an_organisation_is_named_by_id_or_name(workspace: Workspace, schema: Path, tmp_path: Path) -> None:
    file = invoice(tmp_path / "1.pdf", 1)
    for name in (workspace.organization_name, workspace.organization_id):
        environment = {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.account_token}
        asked = ["extract", str(file), "--schema", str(schema), "--json", "--org", name]
        done = CliRunner().invoke(app, asked, env=environment)
        assert done.exit_code == 0, done.output
    assert "cannot look up names" in extract(workspace, file, "--schema", schema, "--org", "Acme").stderr


def test_the_version_is_an_option() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.strip() == __version__


def count(data: Path, what: str) -> int:
    """How many rows there are; none as long as there is no table."""
    file = data / "docagent.db"
    if not file.is_file():
        return 0
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute(f"SELECT count(*) FROM {what}").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
