"""Everything that we override or read inside uvicorn, which does not promise to keep it.

Its protocols get the limits that they lack, for slow, idle and too many connections, and its server ends what would
last for ever before it waits for open answers. No other file uses these names, a rule test checks that, and
tests/unit/api/test_foreign_internals.py names each of them; pyproject.toml bounds the version.

Uvicorn itself ends a connection that stays idle after an answer (`timeout_keep_alive`), stops reading a body that the
application does not take, and pings WebSockets. Server-sent events and WebSockets may last as long as they like.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any, ClassVar

import uvicorn
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from docagent.api.server.connections import Connections
from docagent.domain.accounts.addresses import Networks, place_of

logger = logging.getLogger(__name__)

MOST_HEAD_BYTES = 64 * 1024
"""The largest headers of a request, and the most of anything else that is neither headers nor body."""
STRANGERS_MESSAGE = 64 * 1024
"""The largest WebSocket message until the application has answered, which it does when it knows its client."""
FORWARDED_FOR = b"x-forwarded-for"
UNKNOWN_PROXY = (
    "A request from %s names another address in X-Forwarded-For, which is not trusted. If this is your proxy, "
    "name it in the setting server.trusted_proxies; until then everybody behind it counts as one address."
)
TOO_MANY = "There are too many connections from your address. Close some, and try again in a few seconds."
HEAD_TOO_LARGE = "The headers of the request are too large."


class Door:
    """What the connections of a process share."""

    def __init__(self, connections: Connections, proxies: Networks) -> None:
        self.connections = connections
        self._proxies = proxies
        self._has_warned = False

    def place_of(self, client: tuple[str, int] | None) -> str | None:
        """Where a client connects from; None for a proxy, which stands for many."""
        return place_of(client[0]) if client and client[0] not in self._proxies else None

    def look_for_proxy(self, client: tuple[str, int] | None, headers: list[tuple[bytes, bytes]]) -> None:
        """Tell the operator, once, of what looks like a proxy that no setting names."""
        if self._has_warned or client is None or client[0] in self._proxies:
            return
        if any(name == FORWARDED_FOR for name, _ in headers):
            self._has_warned = True
            logger.warning(UNKNOWN_PROXY, client[0])

    def http(self) -> type[LimitedHttp]:
        return type("Http", (LimitedHttp,), {"door": self})

    def websocket(self) -> type[LimitedWebSocket]:
        return type("WebSocket", (LimitedWebSocket,), {"door": self})


class LimitedHttp(HttpToolsProtocol):
    door: ClassVar[Door]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.place: str | None = None
        self._limits = self.door.connections.limits
        self._in_head = True
        self._waiting_since = self.loop.time()
        self._without_result = 0
        self._is_body_read = True
        self._body_bytes = 0
        self._body_pace = _Pace(self._limits.body_seconds, self._limits.bytes_per_second)
        self._answer_pace = _Pace(self._limits.answer_seconds, self._limits.bytes_per_second)
        self._leaving_since: float | None = None

    # --- what the list of connections asks -------------------------------------------------------------------------

    def is_idle(self) -> bool:
        is_answered = self.cycle is None or self.cycle.response_complete
        return self.is_leaving() or (is_answered and not self.transport.get_write_buffer_size())

    def is_overdue(self, now: float) -> bool:
        if self._leaving_since is not None:
            return now - self._leaving_since > self._limits.leaving_seconds
        if self.is_idle():
            self._body_pace.rest()
            self._answer_pace.rest()
            allowed = self._limits.head_seconds if self._in_head else self._limits.idle_seconds
            return now - self._waiting_since > allowed
        return self._sends_too_slowly(now) or self._takes_too_slowly(now)

    def _sends_too_slowly(self, now: float) -> bool:
        cycle = self.cycle
        if not cycle.more_body or self.flow.read_paused or cycle.waiting_for_100_continue:
            self._body_pace.rest()
            return False
        return self._body_pace.is_too_slow(now, self._body_bytes)

    def _takes_too_slowly(self, now: float) -> bool:
        unsent = self.transport.get_write_buffer_size()
        if not unsent:
            self._answer_pace.rest()
            return False
        return self._answer_pace.is_too_slow(now, self._gentle.written - unsent)

    def cut(self) -> None:
        self.transport.abort()

    # --- a connection's life ---------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._gentle = _GentleTransport(transport, self)
        super().connection_made(self._gentle)  # type: ignore[arg-type]
        self.place = self.door.place_of(self.client)
        if not self.door.connections.admit(self):
            self._answer_plainly(HTTPStatus.SERVICE_UNAVAILABLE, TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.connections.remove(self)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self.door.connections.remove(self)
        self._is_body_read = True
        super().handle_websocket_upgrade()

    def shutdown(self) -> None:
        if self.is_leaving():
            self.cut()
        else:
            super().shutdown()

    # --- reading ---------------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self.is_leaving():
            return
        self._without_result += len(data)
        super().data_received(data)
        if self._without_result > MOST_HEAD_BYTES and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        if not self._in_head:
            self._in_head = True
            self._waiting_since = self.loop.time()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._without_result = 0
        self._is_body_read = False
        self._body_pace.rest()
        self.door.look_for_proxy(self.client, self.headers)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._without_result = 0
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._without_result = 0
        self._is_body_read = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._waiting_since = self.loop.time()
        super().on_response_complete()

    # --- leaving: an answer is sent, and its client may still be sending -------------------------------------------

    def is_leaving(self) -> bool:
        return self._leaving_since is not None

    def has_unread_body(self) -> bool:
        return not self._is_body_read

    def leave(self) -> None:
        """Send nothing more, and throw away what comes until the client has seen the answer and goes.

        Closing at once would reset the connection, and the client would lose the answer with it.
        """
        if self._leaving_since is None:
            self._leaving_since = self.loop.time()
            self.transport.write_eof()
            self.flow.resume_reading()

    def _refuse_head(self) -> None:
        if self.cycle is not None and not self.cycle.response_complete:
            self.cut()
            return
        self._answer_plainly(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, HEAD_TOO_LARGE)
        self.leave()

    def _answer_plainly(self, status: HTTPStatus, text: str) -> None:
        body = text.encode()
        headers = (
            b"content-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(STATUS_LINE[status] + headers % len(body) + body)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    door: ClassVar[Door]

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.place: str | None = None
        self._largest_message = self.conn.max_message_size
        self.conn.max_message_size = STRANGERS_MESSAGE

    def is_idle(self) -> bool:
        return False

    def is_overdue(self, now: float) -> bool:
        return False

    def cut(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.place = self.door.place_of(self.client)
        if not self.door.connections.admit(self):
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.connections.remove(self)
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.conn.max_message_size = self._largest_message
        await super().send(message)


class _GentleTransport:
    """A transport that leaves, instead of closing, while its client is still sending a body."""

    def __init__(self, transport: asyncio.Transport, protocol: LimitedHttp) -> None:
        self._transport = transport
        self._protocol = protocol
        self.written = 0

    def write(self, data: bytes) -> None:
        self.written += len(data)
        self._transport.write(data)

    def close(self) -> None:
        if self._protocol.has_unread_body() and not self._transport.is_closing():
            self._protocol.leave()
        else:
            self._transport.close()

    def is_closing(self) -> bool:
        return self._protocol.is_leaving() or self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _Pace:
    """Whether bytes move as fast as they must, measured over some seconds."""

    def __init__(self, seconds: float, bytes_per_second: int) -> None:
        self._seconds = seconds
        self._least = seconds * bytes_per_second
        self._since: float | None = None
        self._moved_then = 0

    def rest(self) -> None:
        """Nothing has to move now."""
        self._since = None

    def is_too_slow(self, now: float, moved_in_all: int) -> bool:
        if self._since is not None and now - self._since < self._seconds:
            return False
        is_slow = self._since is not None and moved_in_all - self._moved_then < self._least
        self._since, self._moved_then = now, moved_in_all
        return is_slow


class Server(uvicorn.Server):
    """Answers until `end` is called. Signals are left to whoever runs it."""

    def __init__(self, config: Config, before_the_end: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._before_the_end = before_the_end
        self.listening = asyncio.Event()

    def end(self) -> None:
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._before_the_end()
        await super().shutdown(sockets)


class ServerUntilSignal(Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """uvicorn's own raises the signal again at the end, and that kills the process before it hands its work on."""
        loop = asyncio.get_running_loop()
        for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(asked_to_stop, self.handle_exit, asked_to_stop, None)
        try:
            yield
        finally:
            for asked_to_stop in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(asked_to_stop)
