"""Server-sent events: lines of bytes, ids from which a client can continue, and comments that keep the line open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Any

import orjson
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from docagent.domain.errors import DocAgentError
from docagent.domain.failure_codes import failure_code
from docagent.domain.turns.events import Delta, Recorded, payload
from docagent.services.accounts.open_streams import OpenStream
from docagent.services.deliveries.live_changes import News
from docagent.services.turns.live import Item

HEARTBEAT = b": still here\n\n"
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS
LISTENER = "listens for the end of a stream"


class EventStream(StreamingResponse):
    media_type = "text/event-stream"

    def __init__(
        self,
        lines: AsyncIterator[bytes],
        headers: dict[str, str] | None = None,
        left: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`left` is called if the client leaves before the lines end."""
        super().__init__(lines, headers={**HEADERS, **(headers or {})})
        self._left = left

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines until they end or the client leaves. Starlette would use a task group for this."""
        streaming = asyncio.current_task()
        assert streaming is not None
        client_is_gone = False

        async def listen() -> None:
            nonlocal client_is_gone
            await self.listen_for_disconnect(receive)
            client_is_gone = True
            streaming.cancel()

        listening = asyncio.create_task(listen(), name=LISTENER)
        try:
            await self.stream_response(send)
        except asyncio.CancelledError:
            if not client_is_gone:
                raise
            streaming.uncancel()
            if self._left is not None:
                await self._left()
        finally:
            listening.cancel()


async def until_lost(
    stream: OpenStream, answer: Callable[[Receive, Send], Awaitable[None]], receive: Receive, send: Send
) -> None:
    """Answer with somebody else's stream. When it may no longer be open, it finds the client gone, and ends."""
    losing = asyncio.create_task(stream.lost(), name="credential of a stream")
    is_begun = False

    async def hear() -> Message:
        hearing = asyncio.ensure_future(receive())
        try:
            await asyncio.wait({hearing, losing}, return_when=asyncio.FIRST_COMPLETED)
            return {"type": "http.disconnect"} if losing.done() else hearing.result()
        finally:
            hearing.cancel()

    async def say(message: Message) -> None:
        nonlocal is_begun
        is_begun = message["type"] == "http.response.start" or message.get("more_body", False)
        await send(message)

    try:
        await answer(hear, say)
        if losing.done() and is_begun:
            await send({"type": "http.response.body", "body": b""})
    finally:
        losing.cancel()


def data_line(value: Any) -> bytes:
    return b"data: " + orjson.dumps(value, option=OPTIONS) + b"\n\n"


def error_line(error: str, code: str) -> bytes:
    """The last line of a stream that cannot continue."""
    return data_line({"type": "error", "error": error, "code": code})


def event_json(recorded: Recorded) -> dict[str, Any]:
    """An event as clients see it."""
    event = recorded.event
    return {"seq": recorded.seq, "at": recorded.at, "type": event.type, **payload(event)}


def delta_json(delta: Delta) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "type": f"{delta.kind}_delta",
        "text": delta.text,
        "step": delta.step,
        "phase": delta.phase,
    }
    if delta.kind == "call":
        shown["call"] = delta.call
        if delta.begins is not None:
            shown["begins"] = delta.begins
    return shown


async def run_lines(
    items: AsyncGenerator[list[Item]],
    tell: Callable[[Item], Iterable[bytes]],
    finish: Callable[[], bytes],
    *,
    begin: Callable[[], bytes] | None = None,
    broken: Callable[[str, str], bytes] = error_line,
) -> AsyncIterator[bytes]:
    """One run in the words of some protocol: from the message or the verdict to the next pause or the end.

    `tell` writes what happens, `finish` the end; `broken` writes an error and its code if watching has to stop.
    """
    if begin is not None:
        yield begin()
    try:
        async with aclosing(items):
            async for group in items:
                written = [line for item in merged(group) for line in tell(item)]
                if written or not group:
                    yield b"".join(written) or HEARTBEAT
    except DocAgentError as error:
        yield broken(error.detail, failure_code(error))
        return
    yield finish()


async def told(items: Sequence[Item]) -> AsyncGenerator[list[Item]]:
    """What happened, for whoever repeats a request: as if it happened now."""
    yield list(items)


async def turn_lines(items: AsyncGenerator[list[Item]], *, with_calls: bool) -> AsyncIterator[bytes]:
    """A turn as it happens: durable events carry their number as the id, deltas carry none.

    Pieces of calls are only for those who ask: a client that does not know them may take them for events.
    """
    try:
        async with aclosing(items):
            async for group in items:
                wanted = group if with_calls else [item for item in group if not _is_of_a_call(item)]
                if wanted or not group:
                    yield b"".join(_line(item) for item in merged(wanted)) or HEARTBEAT
    except DocAgentError as error:
        yield error_line(error.detail, failure_code(error))


def _is_of_a_call(item: Item) -> bool:
    return isinstance(item, Delta) and item.kind == "call"


async def change_lines(news: AsyncGenerator[News]) -> AsyncIterator[bytes]:
    """What changed in an organisation, as it changes, and whether all of it is heard."""
    hears_all: bool | None = None
    try:
        async with aclosing(news):
            async for item in news:
                lines = [data_line({"type": change.noun, "id": change.id}) for change in item.changes]
                if item.hears_all is not hears_all:
                    hears_all = item.hears_all
                    lines.append(data_line({"type": "hearing", "all": hears_all}))
                yield b"".join(lines) or HEARTBEAT
    except DocAgentError as error:
        yield error_line(error.detail, failure_code(error))


def _line(item: Item) -> bytes:
    if isinstance(item, Recorded):
        return b"id: %d\n" % item.seq + data_line(event_json(item))
    return data_line(delta_json(item))


def merged(items: list[Item]) -> list[Item]:
    """The items, with neighbouring pieces of the same text joined."""
    if len(items) < 2:
        return items
    found: list[Item] = []
    for item in items:
        last = found[-1] if found else None
        both = last.followed_by(item) if isinstance(item, Delta) and isinstance(last, Delta) else None
        if both is not None:
            found[-1] = both
        else:
            found.append(item)
    return found
