"""The npm clients `@docrouter/sdk` and `@ag-ui/client` 1.0.0, exercised by Node's own test runner, file by file."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.clients.workspace import Workspace, two_page_pdf

FOLDER = Path(__file__).parent / "js"
TEST_FILES = sorted(path.name for path in FOLDER.glob("*.test.js"))
FAR_FROM_UTC = "Asia/Tokyo"
SECONDS_PER_FILE = 240
AT_BOTH_ADDRESSES = ("agent.test.js", "connection.test.js", "documents.test.js")
"""Streams, connections and files. The prefix is taken off before a route is looked up: more would prove nothing."""


@pytest.fixture(scope="module")
def pdf_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("npm") / "invoice.pdf"
    path.write_bytes(two_page_pdf())
    return path


def test_the_client_is_the_published_one() -> None:
    package = json.loads((FOLDER / "node_modules/@docrouter/sdk/package.json").read_text())
    assert package["version"] == "1.0.0"


def test_the_lock_file_names_no_registry() -> None:
    packages = json.loads((FOLDER / "package-lock.json").read_text())["packages"]
    assert packages["node_modules/@docrouter/sdk"]["version"] == "1.0.0"
    assert all("integrity" in package for path, package in packages.items() if path)
    assert not any("resolved" in package for package in packages.values())


@pytest.mark.parametrize("workspace", [""], ids=["root"], indirect=True)
@pytest.mark.parametrize("file", [file for file in TEST_FILES if file not in AT_BOTH_ADDRESSES])
def test_npm_sdk(file: str, workspace: Workspace, pdf_path: Path) -> None:
    run_js_file(file, workspace, pdf_path)


@pytest.mark.parametrize("file", AT_BOTH_ADDRESSES)
def test_npm_sdk_at_both_addresses(file: str, workspace: Workspace, pdf_path: Path) -> None:
    run_js_file(file, workspace, pdf_path)


def run_js_file(file: str, workspace: Workspace, pdf_path: Path, **more: str) -> None:
    """Run one of the js files with Node; fails with what it printed."""
    known = json.dumps(asdict(workspace) | {"pdf_path": str(pdf_path), **more})
    run = subprocess.run(
        ["node", "--test-reporter=spec", file],
        cwd=FOLDER,
        env=os.environ | {"CLIENT_TEST_WORKSPACE": known, "TZ": FAR_FROM_UTC, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS_PER_FILE,
    )
    assert run.returncode == 0, run.stdout + run.stderr
