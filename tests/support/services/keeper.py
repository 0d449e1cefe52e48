"""Runs one server as long as the process that asked for it lives, then stops it and removes its folder.

Run as a script: `keeper.py FOLDER STOP_SIGNAL LEFTOVERS COMMAND...`. The process that asked holds the other
end of our standard input. When that end closes, because the tests have finished or were killed, the server is
stopped.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

SECONDS_TO_START = 150
SECONDS_TO_STOP = 60


class ServerDidNotStart(Exception):
    """A server that the tests need ended early or never became ready."""


@contextlib.contextmanager
def temporary_folder(name: str) -> Iterator[Path]:
    """Make a folder outside all home directories, with a path short enough for a Unix socket."""
    folder = Path(tempfile.mkdtemp(prefix=f"docagent-{name}-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def kept_server(
    folder: Path,
    command: list[str],
    *,
    ready: Callable[[], bool],
    stop_signal: signal.Signals,
    environment: Mapping[str, str] | None = None,
    leftovers: Iterable[Path] = (),
) -> Iterator[None]:
    """Run the command until the block ends. `ready` is called until it returns True.

    `leftovers` are files that the server makes outside the folder and does not remove. The end is waited for as long as
    it takes: the keeper kills a server that does not stop, and removing many files takes a crowded machine long.
    """
    to_remove = os.pathsep.join(map(str, leftovers))
    log = folder / "server.log"
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [sys.executable, __file__, str(folder), str(int(stop_signal)), to_remove, *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    try:
        _wait_until_ready(keeper, ready, log)
        yield
    finally:
        assert keeper.stdin is not None
        keeper.stdin.close()
        keeper.wait()


def owner_other_than_us(folder: Path) -> tuple[int | None, int | None]:
    """Return the user and group for a server: PostgreSQL refuses to run as root, so it runs as its folder's owner."""
    if os.geteuid() != 0:
        return None, None
    owner = folder.stat()
    return owner.st_uid, owner.st_gid


def _wait_until_ready(keeper: subprocess.Popen[bytes], ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while not ready():
        if keeper.poll() is not None or time.monotonic() > deadline:
            told = log.read_text(errors="replace") if log.exists() else "no log"
            raise ServerDidNotStart(f"{keeper.args!r} did not start:\n{told}")
        time.sleep(0.02)


def _stop(server: subprocess.Popen[bytes], stop_signal: int) -> None:
    server.send_signal(stop_signal)
    try:
        server.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _keep(folder: Path, stop_signal: int, leftovers: list[Path], command: list[str]) -> int:
    user, group = owner_other_than_us(folder)
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=folder, user=user, group=group)
    try:
        while server.poll() is None:
            asker_spoke, _, _ = select.select([sys.stdin], [], [], 0.1)
            if asker_spoke and not sys.stdin.buffer.read(1):
                _stop(server, stop_signal)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for path in leftovers:
            path.unlink(missing_ok=True)
    return server.returncode


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, folder_argument, signal_argument, leftovers_argument, *command_argument = sys.argv
    outside = [Path(each) for each in leftovers_argument.split(os.pathsep) if each]
    sys.exit(_keep(Path(folder_argument), int(signal_argument), outside, command_argument))
