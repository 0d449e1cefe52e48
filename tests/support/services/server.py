"""The server as a process of its own, started by its command as a user would."""

from __future__ import annotations

import contextlib
import re
import signal
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.support.product import HASHING_MB
from tests.support.services.keeper import kept_server, temporary_folder

ADMIN_EMAIL = "root@example.com"
ADMIN_PASSWORD = "the root password of a test"
ENVIRONMENT = {
    "DOCAGENT_AUTH__ADMIN_EMAIL": ADMIN_EMAIL,
    "DOCAGENT_AUTH__ADMIN_PASSWORD": ADMIN_PASSWORD,
    "DOCAGENT_AUTH__ACCESS_MINUTES": "600",
    "DOCAGENT_AUTH__PASSWORD_MEMORY_MB": str(HASHING_MB),
    "DOCAGENT_AUTH__SECRET": "a secret that only the tests know",
    "DOCAGENT_LOG__FORMAT": "text",
    "DOCAGENT_MODELS__FIND_LOCAL": "false",
}
_ADDRESS = re.compile(r"running at\s+(http://\S+)")
_SECONDS_TO_ANSWER = 30


@dataclass(frozen=True, slots=True)
class RunningServer:
    """Where the server is, what it wrote so far, and as whom a test signs in."""

    url: str
    log_file: Path
    email: str = ADMIN_EMAIL
    password: str = ADMIN_PASSWORD

    def last_words(self, lines: int = 60) -> str:
        return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-lines:])


@contextlib.contextmanager
def running_server(settings: Mapping[str, str] | None = None) -> Iterator[RunningServer]:
    """Run `docagent serve` on a free port with its own data. Stop it and remove the data at the end."""
    with temporary_folder("server") as folder:
        log = folder / "server.log"
        command = [str(Path(sys.executable).with_name("docagent")), "serve", "--port", "0"]
        with kept_server(
            folder,
            [*command, "--data", str(folder / "data")],
            ready=lambda: is_healthy(log),
            stop_signal=signal.SIGTERM,
            environment={**ENVIRONMENT, **(settings or {})},
        ):
            yield RunningServer(address(log) or "", log)


def address(log: Path) -> str | None:
    """Return the address in the server's greeting, or None before the greeting."""
    greeting = _ADDRESS.search(log.read_text(errors="replace"))
    return greeting[1] if greeting else None


def is_healthy(log: Path) -> bool:
    url = address(log)
    if url is None:
        return False
    try:
        with urllib.request.urlopen(f"{url}/health", timeout=_SECONDS_TO_ANSWER) as answer:
            return bool(answer.status == 200)
    except urllib.error.URLError:
        return False
