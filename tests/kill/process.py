"""The server as a process that can be killed: started by its command, or forked from a process that has it loaded.

Both run `docagent serve` in a process of its own. Forking avoids the imports, which take most of a start.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import BinaryIO, Protocol

_LOADED = ["docagent.cli.operations.serve", "docagent.cli.operations.work", "tests.kill.trial"]
_context = get_context("forkserver")


class Process(Protocol):
    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    def kill(self) -> None: ...

    def terminate(self) -> None: ...

    async def wait(self) -> int: ...


class Start(Protocol):
    async def __call__(
        self, arguments: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> Process: ...


async def by_command(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Process:
    with open_log(log) as output:
        return await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("docagent")),
            *arguments,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )


async def forked(arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Process:
    _context.set_forkserver_preload(_LOADED)
    # As a daemon, it does not outlive us.
    process = _context.Process(
        target=_serve, args=(list(arguments), dict(environment), str(log)), daemon=True
    )
    with open_log(log):
        process.start()
    return _Forked(process)


class _Forked:
    def __init__(self, process: object) -> None:
        assert isinstance(process, _context.Process)
        self._process = process

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()

    async def wait(self) -> int:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def _serve(arguments: list[str], environment: dict[str, str], log: str) -> None:
    """Run the command in the new process."""
    from docagent.cli.main import app  # noqa: PLC0415  # loaded already, and not needed elsewhere

    output = os.open(log, os.O_WRONLY | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.clear()
    os.environ.update(environment)
    app(arguments)


def open_log(log: Path) -> BinaryIO:
    return log.open("wb")
