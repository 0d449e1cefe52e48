"""`docagent upload`: files go to a server, and one line tells what became of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from docagent.cli.main import app
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Invoice date: 2024-05-17", "Total: 99.50 EUR"]


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    file = tmp_path / "invoice.pdf"
    file.write_bytes(pdf(LINES))
    return file


def upload(workspace: Workspace, *arguments: str | Path, token: str | None = None) -> Result:
    environment = {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": token or workspace.org_token}
    return CliRunner().invoke(app, ["upload", *map(str, arguments)], env=environment)


def test_a_file_is_uploaded_and_a_proposal_is_told(workspace: Workspace, invoice: Path) -> None:
    done = upload(workspace, invoice, "--auto-create", "--wait")
    assert done.exit_code == 0, done.output
    first, second = done.stdout.splitlines()
    assert first.startswith(f"{invoice}: uploaded as ")
    assert second.startswith(f"{invoice}: proposed. Schema Invoice with ")


def test_without_the_option_the_document_is_read_and_nothing_is_proposed(
    workspace: Workspace, invoice: Path
) -> None:
    done = upload(workspace, invoice, "--no-auto-create", "--wait")
    assert done.stdout.splitlines()[1] == f"{invoice}: llm_completed"


def test_a_file_that_is_refused_does_not_hold_up_the_others(workspace: Workspace, invoice: Path) -> None:
    empty = invoice.with_name("empty.pdf")
    empty.touch()
    done = upload(workspace, empty, invoice)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{empty}: empty.pdf is empty.")
    assert done.stdout.startswith(f"{invoice}: uploaded as ")


def test_what_cannot_work_is_said_in_a_sentence(workspace: Workspace, invoice: Path) -> None:
    assert "There is no tag named Bills." in upload(workspace, invoice, "--tag", "Bills").stderr
    account = upload(workspace, invoice, token=workspace.account_token)
    assert "This token is not of one organisation. Name one (organization_id, or --org)" in account.stderr
    assert upload(workspace, invoice, token="org_unknown").stderr == "Invalid token\n"
    away = upload(workspace, invoice, "--url", "http://127.0.0.1:9")
    assert away.exit_code == 1
    assert "cannot be reached" in away.stderr
