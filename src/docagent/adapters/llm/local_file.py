"""A model from a file of weights that the operator names, run by a child process with limits.

The child starts with the first call. After a crash, or when it was killed because it hung, the next call starts
another one, after a pause that doubles.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from docagent.adapters.llm.errors import Endpoint, Provider
from docagent.adapters.llm.http_model import HttpModel
from docagent.adapters.llm.local_child import MISSING
from docagent.adapters.llm.retries import Retries, with_retries
from docagent.adapters.llm.transport import ModelTransport, Timeouts
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import ModelError, ModelEvent, ModelFailure, ModelRequest

LONGEST_PAUSE = 60.0
LONGEST_WAIT = 10.0
"""How long a call waits for the end of a pause. During a longer one it is refused."""
SECONDS_TO_END = 5.0
_PROVIDER = Provider("local", "The local model")
_KEPT = ("PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")
"""What the child may know of our environment: no secrets."""


@dataclass(frozen=True, slots=True)
class LocalFile:
    """The file, and how much of the machine the child may use."""

    path: Path
    context: int
    threads: int
    memory_bytes: int
    """Its address space; 0 for no limit."""
    seconds: float
    """Longest time for loading the file, and for an answer."""


@dataclass(frozen=True, slots=True)
class _Child:
    process: asyncio.subprocess.Process
    base_url: str
    key: str


class LocalFileModel:
    def __init__(self, file: LocalFile, wire: Wire, first_pause: float = 1.0) -> None:
        self._file = file
        self._wire = wire
        self._first_pause = first_pause
        seconds = file.seconds
        limits = Timeouts(first_byte=seconds, between_chunks=seconds, whole=seconds)
        self._transport = ModelTransport(limits, use_environment_proxy=False)
        self._child: _Child | None = None
        self._starting = asyncio.Lock()
        self._failures = 0
        self._not_before = 0.0

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        return with_retries(partial(self._attempt, request), Retries())

    async def close(self) -> None:
        """End the child, if there is one."""
        await self._end()
        await self._transport.close()

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        child = await self._ready(Endpoint(_PROVIDER, request.model))
        once = Retries(most=0)
        model = HttpModel(self._wire, _PROVIDER, child.base_url, child.key, self._transport, once)
        try:
            async with aclosing(model.stream(request)) as events:
                async for event in events:
                    yield event
        except ModelError as error:
            if error.failure is ModelFailure.TIMED_OUT and self._child is child:
                await self._end()
                self._failed()
            raise
        self._failures = 0

    async def _ready(self, endpoint: Endpoint) -> _Child:
        """Return the child that runs, or start one. Raises ModelError."""
        async with self._starting:
            if self._child is not None and self._child.process.returncode is not None:
                self._child = None
                self._failed()
            if self._child is None:
                pause = self._not_before - time.monotonic()
                if pause > LONGEST_WAIT:
                    raise endpoint.error(
                        ModelFailure.UNAVAILABLE,
                        f"The local model has ended unexpectedly and is started again in {pause:.0f} seconds. "
                        "Try again then.",
                    )
                await asyncio.sleep(max(0.0, pause))
                self._child = await self._start(endpoint)
            return self._child

    def _failed(self) -> None:
        pause = min(LONGEST_PAUSE, self._first_pause * 2**self._failures)
        self._failures += 1
        self._not_before = time.monotonic() + pause

    async def _start(self, endpoint: Endpoint) -> _Child:
        file = self._file
        if not file.path.is_file():
            raise endpoint.error(
                ModelFailure.BAD_REQUEST,
                f"The setting models.local_file names {file.path}, which is not a file.",
            )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "docagent.adapters.llm.local_child"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={
                **{name: os.environ[name] for name in _KEPT if name in os.environ},
                "PYTHONPATH": _packages(),
            },
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        key = secrets.token_urlsafe(24)
        wanted = {
            "file": str(file.path.resolve()),
            "name": file.path.stem,
            "context": file.context,
            "threads": file.threads,
            "memory_bytes": file.memory_bytes,
            "key": key,
        }
        answer: dict[str, str] = {}
        try:
            async with asyncio.timeout(file.seconds):
                process.stdin.write(f"{json.dumps(wanted)}\n".encode())
                with suppress(ConnectionError, ValueError):
                    answer = json.loads(await process.stdout.readline())
        except TimeoutError:
            answer = {"error": f"loading it took more than {file.seconds:g} seconds"}
        finally:
            if "address" not in answer:
                await _killed(process)
        if "address" in answer:
            return _Child(process, f"{answer['address']}/v1", key)
        self._failed()
        raise endpoint.error(ModelFailure.UNAVAILABLE, _why(file, answer.get("error")))

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            assert child.process.stdin is not None
            child.process.stdin.close()
            try:
                async with asyncio.timeout(SECONDS_TO_END):
                    await child.process.wait()
            except TimeoutError:
                await _killed(child.process)


def _why(file: LocalFile, error: str | None) -> str:
    if error == MISSING:
        return "The package that runs models from files is not installed: pip install 'docagent[local]'."
    megabytes = file.memory_bytes // 2**20
    reason = error or "its process ended"
    return (
        f"The file {file.path.name} could not be loaded: {reason}. Check that it is a GGUF file, and that the setting "
        f"models.local_memory_mb ({megabytes}) leaves room for it."
    )


def _packages() -> str:
    """Where packages are, this one among them."""
    here = str(Path(__file__).parents[3])
    return os.pathsep.join(filter(None, (here, os.environ.get("PYTHONPATH"))))


async def _killed(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()
