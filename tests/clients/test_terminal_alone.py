"""Commands on a data folder: with the server that runs on it, with none at all, and what looks after the folder."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from docagent.cli.main import app
from docagent.client import Client
from tests.support.made.documents import pdf
from tests.support.services.server import ENVIRONMENT, RunningServer


def call(data: Path, *words: str | Path, **settings: str) -> Result:
    environment = {**ENVIRONMENT, "DOCAGENT_DATA": str(data), **settings}
    return CliRunner().invoke(app, list(map(str, words)), env=environment)


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    file = tmp_path / "invoice.pdf"
    file.write_bytes(pdf(["ACME Ltd", "Invoice number: 4711"]))
    return file


def tokens(data: Path) -> int:
    with closing(sqlite3.connect(data / "docagent.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM access_tokens").fetchone()[0])


def test_no_server_is_needed(tmp_path: Path, invoice: Path) -> None:
    data = tmp_path / "data"
    assert call(data, "upload", invoice, "--wait").exit_code == 0
    found = call(data, "search", "ACME")
    assert found.exit_code == 0, found.output
    assert found.stdout.split("\t")[2] == "invoice.pdf"
    assert call(data, "search", "nothing like it").exit_code == 1
    kept = data / "terminal.token"
    assert kept.stat().st_mode & 0o077 == 0
    assert tokens(data) == 1, "the pass is kept for the next command"
    with closing(sqlite3.connect(data / "docagent.db")) as connection, connection:
        connection.execute("DELETE FROM access_tokens")
    assert call(data, "search", "ACME").exit_code == 0, "a pass that was revoked is made again"
    kept.write_text("no JSON")
    assert call(data, "search", "ACME", "--org", "My organisation").exit_code == 0
    unknown = call(data, "search", "ACME", "--org", "Unknown")
    assert unknown.stderr == "There is no organisation with the id or name Unknown.\n"


def test_the_server_of_the_folder_is_found(server: RunningServer, invoice: Path) -> None:
    data = server.log_file.parent / "data"
    uploaded = call(data, "upload", invoice, "--json")
    assert uploaded.exit_code == 0, uploaded.output
    (told,) = json.loads(uploaded.stdout)
    kept = json.loads((data / "terminal.token").read_text())
    with Client(server.url, kept["token"], kept["organization_id"]) as client:
        assert client.documents.get(told["document_id"]).document_name == "invoice.pdf"
    with_token = call(data, "token", "list", DOCAGENT_TOKEN=kept["token"])
    assert "This token is not of one organisation." in with_token.stderr
    made = call(data, "token", "make", "robot")
    assert made.exit_code == 0, made.output
    with Client(server.url, made.stdout.strip()) as robot:
        assert robot.documents.get(told["document_id"]).document_name == "invoice.pdf"
    ready = json.loads(call(data, "doctor", "--json").stdout)
    assert [finding["says"] for finding in ready if finding["about"] == "server"] == [
        f"{server.url} is ready."
    ]
    running = call(data, "restore", invoice)
    assert "Stop it first." in running.stderr


def test_a_server_without_a_token_and_a_token_without_a_server(tmp_path: Path) -> None:
    named = call(tmp_path / "data", "search", "ACME", "--url", "http://127.0.0.1:9")
    assert named.exit_code == 2
    assert named.stderr.startswith("A server that is named needs a token: --token or DOCAGENT_TOKEN.")
    alone = call(tmp_path / "data", "search", "ACME", "--token", "org_x")
    assert alone.exit_code == 2
    assert alone.stderr.startswith("There is a token, but no server:")
    assert not (tmp_path / "data").exists()


def test_a_backup_brings_everything_back(tmp_path: Path, invoice: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "backup.tar.gz"
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "DOCAGENT_AUTH__SECRET"}

    def without_secret(folder: Path, *words: str | Path) -> Result:
        return CliRunner().invoke(
            app, list(map(str, words)), env={**environment, "DOCAGENT_DATA": str(folder)}
        )

    assert without_secret(data, "upload", invoice, "--wait").exit_code == 0
    assert without_secret(data, "backup", file).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.tar.gz", "data", "invoice.pdf"]

    new = tmp_path / "new"
    restored = without_secret(new, "restore", file, "--json")
    assert json.loads(restored.stdout)["documents"] == 1
    assert (new / "secret.key").read_text() == (data / "secret.key").read_text()
    assert without_secret(new, "search", "ACME").exit_code == 0
    assert without_secret(new, "doctor").exit_code == 0
    over = without_secret(new, "restore", file)
    assert over.exit_code == 2
    assert "has a database already" in over.stderr

    file.write_bytes(file.read_bytes()[:2000])
    cut = without_secret(tmp_path / "third", "restore", file)
    assert cut.exit_code == 1
    assert "is not a complete backup" in cut.stderr
    assert not (tmp_path / "third" / "docagent.db").exists()
    nothing = without_secret(tmp_path / "fourth", "backup", file)
    assert "There is nothing to back up" in nothing.stderr
    elsewhere = call(data, "backup", file, DOCAGENT_DATABASE__URL="postgresql://127.0.0.1/x")
    assert "backups of their own" in elsewhere.stderr


def test_the_doctor_finds_what_is_wrong(tmp_path: Path) -> None:
    data = tmp_path / "data"
    new = call(data, "doctor", "--json")
    assert new.exit_code == 0, new.output
    told = {finding["about"]: finding for finding in json.loads(new.stdout)}
    assert told["reading pictures"]["says"] == "Read “docagent 4711” from a picture of it."
    assert told["database"]["says"] == "There is none yet; the first start makes it."
    assert not data.exists(), "looking changes nothing"

    assert call(data, "migrate").exit_code == 0
    with closing(sqlite3.connect(data / "docagent.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    older = call(data, "doctor")
    assert older.exit_code == 0
    assert "Its schema is 0001" in older.stdout
    with closing(sqlite3.connect(data / "docagent.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    newer = call(data, "doctor")
    assert newer.exit_code == 1
    assert "is of a newer docagent" in newer.stdout
    (data / "docagent.db").write_bytes(b"no database" * 1000)
    damaged = call(data, "doctor")
    assert damaged.exit_code == 1
    assert "The file is damaged" in damaged.stdout
    unusable = call(data, "doctor", DOCAGENT_SERVER__PORT="many")
    assert unusable.exit_code == 2
