"""Folders and the server: `ingest` uploads what is in one, `project` keeps living documents in one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from docagent.cli.main import app
from docagent.client import Client
from tests.clients.workspace import Workspace, new_workspace
from tests.support.browser.terminal import DOCAGENT
from tests.support.made.documents import pdf
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer


@pytest.fixture
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


def environment(workspace: Workspace) -> dict[str, str]:
    return {"DOCAGENT_URL": workspace.base_url, "DOCAGENT_TOKEN": workspace.org_token}


def call(workspace: Workspace, *words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)), env=environment(workspace))


def test_a_folder_is_uploaded_once(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "1.pdf").write_bytes(pdf(["one"]))
    (tmp_path / "inner" / "2.pdf").write_bytes(pdf(["two"]))
    (tmp_path / ".hidden.pdf").write_bytes(pdf(["hidden"]))
    (tmp_path / "empty.pdf").touch()
    with Client(workspace.base_url, workspace.org_token) as client:
        tag = client.tags.create("Bills")
    first = call(workspace, "ingest", tmp_path, "--tag", "bills", "--json")
    assert first.exit_code == 1
    assert [(Path(one["file"]).name, one["new"], bool(one["error"])) for one in json.loads(first.stdout)] == [
        ("1.pdf", True, False),
        ("empty.pdf", False, True),
        ("2.pdf", True, False),
    ]
    (tmp_path / "empty.pdf").unlink()
    (tmp_path / "1.pdf").rename(tmp_path / "renamed.pdf")
    again = call(workspace, "ingest", tmp_path)
    assert again.exit_code == 0, again.output
    assert [line.split("\t")[2] for line in again.stdout.splitlines()] == ["known", "known"]
    with Client(workspace.base_url, workspace.org_token) as client:
        assert [document.tag_ids for document in client.documents.list().documents] == [[tag.id], [tag.id]]
    assert "There is no tag named Other." in call(workspace, "ingest", tmp_path, "--tag", "Other").stderr


def test_a_folder_is_watched(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "1.pdf").write_bytes(pdf(["one"]))
    with subprocess.Popen(
        [DOCAGENT, "ingest", str(tmp_path), "--watch", "--json"],
        env={**os.environ, **environment(workspace)},
        stdout=subprocess.PIPE,
        text=True,
    ) as watching:
        try:
            assert watching.stdout is not None
            assert json.loads(watching.stdout.readline())["file"] == str(tmp_path / "1.pdf")
            (tmp_path / "2.pdf").write_bytes(pdf(["two"]))
            assert json.loads(watching.stdout.readline())["file"] == str(tmp_path / "2.pdf")
            watching.send_signal(signal.SIGINT)
            assert watching.wait(SECONDS) == 130
            assert watching.stdout.read() == ""
        finally:
            watching.kill()


def test_living_documents_are_pulled_changed_and_pushed(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "handbook"
    text = "".join(f"Rule {number}.\n\n" for number in range(1, 10))
    with Client(workspace.base_url, workspace.org_token) as client:
        project = client.projects.create("Handbook")
        rules = client.projects.documents.create(project.id, "Rules", text)
        client.projects.documents.create(project.id, "../../escape", "Stay here.\n")

        pulled = call(workspace, "project", "pull", "handbook", folder)
        assert pulled.exit_code == 0, pulled.output
        assert sorted(file.name for file in folder.glob("*.md")) == ["Rules.md", "_.._escape.md"]
        assert not list(tmp_path.glob("*.md"))
        assert call(workspace, "project", "diff", folder).stdout == ""

        (folder / "Rules.md").write_text(text.replace("Rule 1.", "The first rule."))
        (folder / "New.md").write_text("A new page.\n")
        differs = call(workspace, "project", "diff", folder)
        assert differs.exit_code == 3
        assert "- Rule 1.\n+ The first rule.\n" in differs.stdout
        assert "+ A new page." in differs.stdout

        client.projects.documents.update(project.id, rules.id, content=text.replace("Rule 9.", "The last."))
        assert call(workspace, "project", "pull", "Handbook", folder).exit_code == 3, "both have changed"
        pushed = call(workspace, "project", "push", folder, "--reason", "Clearer", "--json")
        assert pushed.exit_code == 0, pushed.output
        outcomes = {one["file"]: one["outcome"] for one in json.loads(pushed.stdout)}
        assert outcomes == {"Rules.md": "pushed, merged with what others wrote", "New.md": "made"}
        merged = client.projects.documents.get(project.id, rules.id)
        assert (merged.reason, merged.version) == ("Clearer", 3)
        assert "The first rule." in merged.content
        assert "The last." in merged.content
        assert (folder / "Rules.md").read_text() == merged.content
        assert call(workspace, "project", "push", folder).stdout == ""

        client.projects.documents.update(
            project.id, rules.id, content=merged.content.replace("Rule 5.", "Five.")
        )
        (folder / "Rules.md").write_text(merged.content.replace("Rule 5.", "5."))
        refused = call(workspace, "project", "push", folder)
        assert refused.exit_code == 3
        assert "Five." in client.projects.documents.get(project.id, rules.id).content
        assert "5." in (folder / "Rules.md").read_text()

    assert "There is no project" in call(workspace, "project", "pull", "Missing", folder).stderr
    other = call(workspace, "project", "push", tmp_path)
    assert other.exit_code == 2
    assert "was not made by `docagent project pull`" in other.stderr
