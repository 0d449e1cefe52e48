"""What the manual shows is run: every block of Python, and every `curl`, against a real server."""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path
from string import Template

import httpx2
import pytest

from docagent.client import Client
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.made.manual import Command, commands, fenced
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Invoice date: 2024-05-17", "Total: 99.50 EUR"]
FIELDS = {
    "type": "object",
    "properties": {"total_amount": {"type": "number"}},
    "required": ["total_amount"],
    "additionalProperties": False,
}
PYTHON = list(fenced("python"))
CURL = commands("curl")
SHOWN_ONLY: dict[tuple[str, str], str] = {}
"""Why a block is not run, by its page and its first line."""


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    """With what the pages take for granted: a prompt, and a document with a tag that it has not been run on."""
    made = new_workspace(server.url)
    with Client(made.base_url, made.org_token) as client:
        tag = client.tags.create("invoices")
        document = client.documents.upload(pdf(LINES), name="older.pdf", tag_ids=[tag.id])
        client.documents.wait(document.document_id)
        schema = client.schemas.create("Invoices", FIELDS)
        client.prompts.create("Invoices", "Read the invoice.", schema=schema)
    return made


@pytest.fixture(scope="module")
def variables(workspace: Workspace) -> dict[str, str]:
    """What the variables of the examples stand for."""
    with Client(workspace.base_url, workspace.org_token) as client:
        document = client.documents.upload(pdf(LINES), name="invoice.pdf").document_id
        client.documents.wait(document)
        client.results.run(document)
        project = client.projects.create("Trial").id
        client.projects.documents.create(project, "Notes", "# Notes\n")
        thread = client.agent.new_thread(document_id=document)
    return {
        "URL": workspace.base_url,
        "TOKEN": workspace.org_token,
        "ORG": workspace.organization_id,
        "DOC": document,
        "PROJECT": project,
        "THREAD": thread,
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the examples name, in the folder where they run."""
    (tmp_path / "invoice.pdf").write_bytes(pdf(LINES))
    (tmp_path / "Start.md").write_text("# Start\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Notes from afar.md", "# Far\n")
    (tmp_path / "notes.zip").write_bytes(packed.getvalue())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("page", "block"), PYTHON, ids=[f"{page}-{at}" for at, (page, _) in enumerate(PYTHON)]
)
@pytest.mark.usefixtures("folder")
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # LlamaIndex leaves a connection open
def test_python_on_pages_runs(workspace: Workspace, page: str, block: str) -> None:
    if (page, block.splitlines()[0]) in SHOWN_ONLY:
        return
    real = block.replace("http://127.0.0.1:8000", workspace.base_url).replace("org_...", workspace.org_token)
    exec(compile(real, page, "exec"), {"__name__": "__main__"})


def test_no_reason_is_left_over() -> None:
    assert set(SHOWN_ONLY) <= {(page, block.splitlines()[0]) for page, block in PYTHON}


@pytest.mark.parametrize("command", CURL, ids=str)
@pytest.mark.usefixtures("folder")
def test_curl_on_pages_is_answered(variables: dict[str, str], command: Command) -> None:
    words = [Template(word).substitute(variables) for word in command.words[1:]]
    given = curl().parse_args([word.replace("http://127.0.0.1:8000", variables["URL"]) for word in words])
    fields = [field.partition("=@") for field in given.F]
    files = [(name, (Path(path.partition(";")[0]).name, _read(path))) for name, _, path in fields]
    body = {"files": files} if files else {"content": given.d} if given.d else {}
    with httpx2.Client() as client:
        answer = client.request(
            given.X or ("POST" if body else "GET"),
            given.address,
            headers=dict(header.split(": ", 1) for header in given.H),
            timeout=60,
            **body,
        )
    assert answer.status_code < 400, answer.text


def curl() -> argparse.ArgumentParser:
    """The few options that the pages use. An example with another one fails here, and is to be added."""
    parser = argparse.ArgumentParser("curl")
    parser.add_argument("-X")
    parser.add_argument("-H", action="append", default=[])
    parser.add_argument("-F", action="append", default=[])
    parser.add_argument("-d")
    parser.add_argument("address")
    return parser


def _read(path: str) -> bytes:
    return Path(path.partition(";")[0]).read_bytes()
