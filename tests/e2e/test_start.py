"""What the commands say when they cannot start: one sentence, the exit code 2, and no traceback."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from docagent.domain.clock import now
from docagent.security import Secrets
from docagent.store import config
from docagent.store.engine import open_database
from docagent.store.migrate import migrate_now
from docagent.store.trouble import DAMAGED, NO_ANSWER, READ_ONLY

DOCAGENT = str(Path(sys.executable).with_name("docagent"))
SECRET = "a secret that only the tests know"
WRITE_VERSION = 18
"""The byte of a database file that says who may write it. SQLite only reads files with a number that it does not know,
whoever runs it."""


def run(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [DOCAGENT, *command],
        cwd=folder,
        env=kept | {"DOCAGENT_MODELS__FIND_OLLAMA": "false", **settings},
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )


def refused(folder: Path, *command: str, **settings: str) -> str:
    """What is said. The command must have ended at once, with one line and the exit code 2."""
    done = run(folder, *(command or ("serve", "--port", "0")), **settings)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The file of a deployment that was used before."""
    file = tmp_path / "data" / "docagent.db"
    file.parent.mkdir()
    migrate_now(f"sqlite:///{file}")
    with sqlite3.connect(file) as connection:
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
        ("MODELS__ENDPOINTS", "not json", "Write lists and tables as JSON."),
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
            "DOCAGENT_CONFIG names /nowhere/docagent.toml, which is no file.",
        ),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, variable: str, value: str, said: str) -> None:
    assert said in refused(tmp_path, **{f"DOCAGENT_{variable}": value})


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "docagent.toml").write_text("[server\nport = 1")
    assert "The settings file docagent.toml cannot be read" in refused(tmp_path)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"DOCAGENT_DATABASE__URL": "postgresql://nobody@127.0.0.1:1/none"}, "PostgreSQL"),
        ({"DOCAGENT_BLOBS__BUCKET": "docs"}, "S3"),
    ],
)
@pytest.mark.parametrize("command", ["serve", "worker"])
def test_what_several_processes_share_wants_a_secret(
    tmp_path: Path, settings: dict[str, str], what: str, command: str
) -> None:
    told = refused(tmp_path, command, **settings)
    assert told.startswith("Set DOCAGENT_AUTH__SECRET, to the same value in every process: ")
    assert what in told
    (tmp_path / "data" / "secret.key").write_text(SECRET)
    assert "secret.key" in refused(tmp_path, command, **settings)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    for command in ("serve", "worker", "migrate", "login-link"):
        assert (
            refused(tmp_path, command, DOCAGENT_DATABASE__URL=url, DOCAGENT_AUTH__SECRET=SECRET) == NO_ANSWER
        )


@pytest.mark.parametrize("command", ["serve", "worker", "migrate", "login-link"])
def test_a_damaged_database(database: Path, command: str) -> None:
    database.write_bytes(b"this was a database once" * 1000)
    assert refused(database.parent.parent, command) == DAMAGED


def test_a_database_with_a_damaged_page(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    database.write_bytes(content)
    assert refused(database.parent.parent, "serve", "--port", "0") == DAMAGED


def test_a_database_that_can_only_be_read(database: Path) -> None:
    content = bytearray(database.read_bytes())
    content[WRITE_VERSION] = 9
    database.write_bytes(content)
    assert refused(database.parent.parent, "serve", "--port", "0") == READ_ONLY


def test_a_database_of_a_newer_version(database: Path) -> None:
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    assert "If a newer docagent made it, install that version again." in refused(database.parent.parent)


def test_a_data_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    told = refused(tmp_path)
    assert told.startswith("data cannot be used: ")
    assert "Look at the setting data" in told


async def test_a_secret_that_opens_nothing_and_the_way_out(database: Path) -> None:
    folder = database.parent.parent
    db = open_database(f"sqlite:///{database}")
    async with db.write() as tx:
        await config.put(tx, "aws", Secrets("the secret that was lost").seal("key"), now())
    await db.close()
    told = refused(folder, "serve", "--port", "0", DOCAGENT_AUTH__SECRET=SECRET)
    assert told.startswith("This secret cannot open what is sealed in the database")
    assert "docagent forget-sealed" in told
    done = run(folder, "forget-sealed", DOCAGENT_AUTH__SECRET=SECRET)
    assert (done.returncode, done.stdout) == (
        0,
        "Removed 1 values that this secret cannot open. Enter keys and webhooks again.\n",
    )
    done = run(folder, "login-link", DOCAGENT_AUTH__SECRET=SECRET)
    assert done.returncode == 0, done.stderr
