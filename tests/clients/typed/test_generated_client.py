"""A client that `openapi-python-client` makes of docs/openapi.json, unmodified: it is complete, typed, and works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.made.manual import ROOT
from tests.support.services.server import RunningServer

LEFT_OUT = "Unsupported content_type"
PROGRAM = """
import io
import json
import sys

from made import AuthenticatedClient
from made.api.extraction import extract, get_extraction
from made.api.tags import create_tag, list_tags
from made.models import ExtractedOut, ExtractFilesBody, Problem, TagIn, TagsOut
from made.types import File

SCHEMA = {"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}


def main(address: str, token: str, organization: str, path: str) -> None:
    client = AuthenticatedClient(base_url=address, token=token)
    create_tag.sync(organization, client=client, body=TagIn(name="made", color="#000000"))
    tags = list_tags.sync(organization, client=client)
    assert isinstance(tags, TagsOut)
    assert [tag.name for tag in tags.tags] == ["made"]
    with open(path, "rb") as content:
        file = File(payload=io.BytesIO(content.read()), file_name="bill.pdf", mime_type="application/pdf")
    body = ExtractFilesBody(file=file, schema=json.dumps(SCHEMA), wait=60)
    found = extract.sync(organization, client=client, body=body, idempotency_key="one")
    assert isinstance(found, ExtractedOut), found
    assert found.to_dict()["data"] == {"total": 90.5}
    assert [one["state"] for one in found.to_dict()["evidence"]] == ["proven"]
    refused = get_extraction.sync(organization, "none", client=client)
    assert isinstance(refused, Problem), refused
    assert refused.to_dict()["detail"] == "Extraction not found"


main(*sys.argv[1:])
"""


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    command = ["-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", str(ROOT / "docs/openapi.json"), "--output-path", str(folder / "made")]
    said = run(command, folder)
    told = [line for line in said.splitlines() if "Cannot parse" in line or "ERROR" in line]
    assert all(LEFT_OUT in line for line in told), (
        said
    )  # files and pictures, which it does not take for answers
    (folder / "program.py").write_text(PROGRAM)
    return folder


@pytest.mark.release
def test_it_is_typed(made: Path) -> None:
    """Every module of it, and a program that uses it."""
    run(["-m", "mypy", "--config-file=", "-p", "made", "-m", "program"], made)


def test_its_calls_are_answered(made: Path, workspace: Workspace) -> None:
    file = made / "bill.pdf"
    file.write_bytes(pdf(["ACME Ltd", "Invoice", "Total: 90.50 EUR"]))
    place = [workspace.base_url, workspace.org_token, workspace.organization_id]
    run(["program.py", *place, str(file)], made)


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
