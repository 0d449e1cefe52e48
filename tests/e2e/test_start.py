"""What the commands say when they cannot start: one sentence, the exit code 2, and no traceback."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from docagent.cli.main import app
from docagent.security import Secrets
from docagent.store.engine.migrate import migrate_now
from docagent.store.engine.trouble import DAMAGED, NO_ANSWER, READ_ONLY

DOCAGENT = str(Path(sys.executable).with_name("docagent"))
SECRET = "a secret that only the tests know"
WRITE_VERSION = 18
"""The byte of a database file that says who may write it. SQLite only reads files with a number that it does not know,
whoever runs it."""


@dataclass(frozen=True)
class Shell:
    """Runs commands in a folder, in this process: starting one takes seconds, and there are many."""

    folder: Path

    def run(self, *command: str, **settings: str) -> Result:
        return CliRunner().invoke(app, command, env={"DOCAGENT_MODELS__FIND_LOCAL": "false", **settings})

    def refused(self, *command: str, **settings: str) -> str:
        """What is said. The command must have ended at once, with one line and the exit code 2."""
        done = self.run(*(command or ("serve", "--port", "0")), **settings)
        assert done.exit_code == 2, done.output
        assert isinstance(done.exception, SystemExit)
        (line,) = done.stderr.splitlines()
        return line


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.chdir(tmp_path)
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield Shell(tmp_path)
    root.handlers = handlers
    root.setLevel(level)


def test_a_process_ends_with_one_line_and_no_traceback(tmp_path: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [DOCAGENT, "serve", "--port", "0"],
        cwd=tmp_path,
        env=kept | {"DOCAGENT_AGENT__LOOP__STRATEGY": "magic"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("The setting agent.loop.strategy cannot be used. Unknown loop strategy: magic.")


@pytest.fixture
def database(shell: Shell) -> Path:
    """The file of a deployment that was used before."""
    file = shell.folder / "data" / "docagent.db"
    file.parent.mkdir()
    migrate_now(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("AGENT__LOOP__STRATEGY", "magic", "Unknown loop strategy: magic. Choose one of: llm-only, "),
        ("DATABASE__URL", "nonsense", "The setting database.url (DOCAGENT_DATABASE__URL) cannot be used: "),
        ("DATABASE__URL", "mysql://host/name", "postgresql://user:password@host/name"),
        ("DATABASE__URL", "postgresql://host:port/name", "postgresql://user:password@host/name"),
        ("SERVER__PUBLIC_URL", "example.com", "The setting server.public_url "),
        ("BLOBS__ENDPOINT", "s3.example.com:9000", "The setting blobs.endpoint "),
        ("MODELS__ENDPOINTS", '{"vllm": {"base_url": "host/v1", "models": ["m"]}}', "vllm.base_url"),
        ("MODELS__ENDPOINTS", "not json", "DOCAGENT_MODELS__ENDPOINTS cannot be read. Write tables as JSON."),
        (
            "AGENT__LOOP__CALLS_PER_STEP",
            "0",
            "agent.loop.calls_per_step (DOCAGENT_AGENT__LOOP__CALLS_PER_STEP)",
        ),
        ("AUTH__ADMIN_PASSWORD", "short", "auth.admin_password"),
        ("AUTH__ADMIN_EMAIL", "nobody", "auth.admin_email"),
        ("AUTH__SECRET", "short", "The secret is too short"),
        (
            "CONFIG",
            "/nowhere/docagent.toml",
            "DOCAGENT_CONFIG names /nowhere/docagent.toml, which is not a file.",
        ),
    ],
)
def test_settings_that_cannot_be_used(shell: Shell, variable: str, value: str, said: str) -> None:
    assert said in shell.refused(**{f"DOCAGENT_{variable}": value})


def test_a_file_that_is_no_toml(shell: Shell) -> None:
    (shell.folder / "docagent.toml").write_text("[server\nport = 1")
    assert "The settings file docagent.toml cannot be read" in shell.refused()


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"DOCAGENT_DATABASE__URL": "postgresql://nobody@127.0.0.1:1/none"}, "PostgreSQL"),
        ({"DOCAGENT_BLOBS__BUCKET": "docs"}, "S3"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "worker"])
def test_what_several_processes_share_wants_a_secret(
    shell: Shell, settings: dict[str, str], what: str, command: str
) -> None:
    told = shell.refused(command, **settings)
    assert told.startswith("Set DOCAGENT_AUTH__SECRET, to the same value in every process: ")
    assert what in told
    (shell.folder / "data" / "secret.key").write_text(SECRET)
    assert "secret.key" in shell.refused(command, **settings)


def test_a_database_that_is_not_there(shell: Shell) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    for command in ("serve", "worker", "migrate", "login-link"):
        assert shell.refused(command, DOCAGENT_DATABASE__URL=url, DOCAGENT_AUTH__SECRET=SECRET) == NO_ANSWER


@pytest.mark.parametrize("command", ["serve", "worker", "migrate", "login-link"])
def test_a_damaged_database(shell: Shell, database: Path, command: str) -> None:
    database.write_bytes(b"this was a database once" * 1000)
    assert shell.refused(command) == DAMAGED


def test_a_database_with_a_damaged_page(shell: Shell, database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    database.write_bytes(content)
    assert shell.refused("serve", "--port", "0") == DAMAGED


def test_a_database_that_can_only_be_read(shell: Shell, database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[WRITE_VERSION] = 9
    database.write_bytes(content)
    assert shell.refused("serve", "--port", "0") == READ_ONLY


def test_a_database_of_a_newer_version(shell: Shell, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "If a newer docagent made it, install that version again." in shell.refused()


def test_a_data_folder_that_is_none(shell: Shell) -> None:
    (shell.folder / "data").write_text("a file")
    told = shell.refused()
    assert told.startswith("data cannot be used: ")
    assert "Check the setting data" in told


def test_a_secret_that_opens_nothing_and_the_way_out(shell: Shell, database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        sealed = Secrets("the secret that was lost").seal("key")
        row = ("aws", sealed, "2026-01-01T00:00:00+00:00")
        connection.execute(
            "INSERT INTO deployment_config (key, sealed_value, updated_at) VALUES (?, ?, ?)", row
        )
    told = shell.refused("serve", "--port", "0", DOCAGENT_AUTH__SECRET=SECRET)
    assert told.startswith("This secret cannot open what is sealed in the database")
    assert "docagent forget-sealed" in told
    done = shell.run("forget-sealed", DOCAGENT_AUTH__SECRET=SECRET)
    assert done.exit_code == 0, done.output
    assert done.stdout == "Removed 1 values that this secret cannot open. Enter keys and webhooks again.\n"
    assert shell.run("login-link", DOCAGENT_AUTH__SECRET=SECRET).exit_code == 0
