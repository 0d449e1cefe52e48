"""Starts a server as a process and talks over its pipes, with a bound on what it may say.

The SDK's own transport takes lines of any length. Here a line over the limit ends the conversation, and the process
and all that it started are killed at the end, also when the caller is cancelled.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

Heard = MemoryObjectReceiveStream[SessionMessage | Exception]
Saying = MemoryObjectSendStream[SessionMessage]


class Spoken:
    """How the process ended the conversation, if it did."""

    too_long = False
    ended = False


@asynccontextmanager
async def process_streams(
    command: Sequence[str], most_bytes: int, spoken: Spoken
) -> AsyncGenerator[tuple[Heard, Saying]]:
    """Raises OSError if the process cannot be started. It gets none of our environment but the usual few variables."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=get_default_environment(),
        start_new_session=True,
        limit=most_bytes,
    )
    heard, hearing = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    saying, said = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with heard, hearing, saying, said, anyio.create_task_group() as group:
            group.start_soon(_hear, process, heard, spoken)
            group.start_soon(_say, process, said)
            yield hearing, saying
            group.cancel_scope.cancel()
    finally:
        _kill(process)
        with anyio.CancelScope(shield=True):
            await process.wait()


async def _hear(
    process: asyncio.subprocess.Process,
    heard: MemoryObjectSendStream[SessionMessage | Exception],
    spoken: Spoken,
) -> None:
    assert process.stdout is not None
    async with heard:
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # longer than the limit
                spoken.too_long = True
                _kill(process)
                return
            if not line:
                spoken.ended = True
                return
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await heard.send(_message(line))


async def _say(process: asyncio.subprocess.Process, said: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    async with said:
        async for message in said:
            written = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            with suppress(ConnectionError):  # it died; the end of its output tells
                process.stdin.write(f"{written}\n".encode())
                await process.stdin.drain()


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
