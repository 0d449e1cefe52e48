"""One wheel has everything: installed into an empty environment it serves the API, the pages and the built-in model."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path

import pytest

from docagent.client import Client
from tests.clients.workspace import new_workspace
from tests.support.made.documents import pdf
from tests.support.services.keeper import kept_server, temporary_folder
from tests.support.services.server import ENVIRONMENT, address, is_healthy

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Total: 99.50 EUR"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `docagent` of an environment with the wheel and, from beside it, the libraries that it asks for."""
    folder = tmp_path_factory.mktemp("wheel")
    run("build", "--wheel", "--out-dir", folder, ROOT)
    (wheel,) = folder.glob("docagent-*.whl")
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    run("pip", "install", "--no-deps", "--python", environment / "bin" / "python", wheel)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(
        sysconfig.get_path("purelib")
    )  # not its own .pth files: no sources of ours
    return environment / "bin" / "docagent"


def run(*command: str | Path) -> None:
    done = subprocess.run([UV, *command, "--offline"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_wheel_serves_everything(installed: Path) -> None:
    with temporary_folder("wheel") as folder:
        log = folder / "server.log"
        command = [str(installed), "serve", "--port", "0", "--data", str(folder / "data")]
        with kept_server(
            folder,
            command,
            ready=lambda: is_healthy(log),
            stop_signal=signal.SIGTERM,
            environment={**ENVIRONMENT, "PYTHONPATH": ""},
        ):
            url = address(log) or ""
            asked = urllib.request.Request(f"{url}/login", headers={"Accept": "text/html"})
            with urllib.request.urlopen(asked) as page:
                assert b"<div id=" in page.read(), "the web client is inside"
            with urllib.request.urlopen(f"{url}/manual/") as page:
                assert b"The docagent manual" in page.read(), "the manual is inside"
            workspace = new_workspace(url)
            with Client(url, workspace.org_token) as client:
                document = client.documents.upload(pdf(LINES), name="invoice.pdf", auto_create=True)
                client.documents.wait(document.document_id)
                proposal = client.documents.proposal(document.document_id)
            assert (proposal.status, proposal.summary.proven > 0) == ("proposed", True)


def test_the_wheel_is_used_and_not_the_sources(installed: Path) -> None:
    code = "import docagent; print(docagent.__file__)"
    done = subprocess.run(
        [installed.with_name("python"), "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=installed.parent,
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
    )
    assert Path(done.stdout.strip()).is_relative_to(installed.parents[1])
