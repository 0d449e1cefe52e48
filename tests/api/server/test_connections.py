"""Slow, idle and too many connections end; those that are slow or long for good reason do not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.support.doors import House, Line, house, request
from tests.support.polling import until

GET = request("GET", "/")
LARGE = 4 * 1024 * 1024


class Application:
    """Answers by path: at once, after the body, with a stream of events, or with more than a client takes."""

    def __init__(self) -> None:
        self.read = 0
        self.gone = 0
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await self._talk(scope, receive, send)
            return
        if scope["path"] == "/read" and not await self._read(receive):
            self.gone += 1
            return
        body = b"x" * LARGE if scope["path"] == "/large" else b"ok"
        streams = scope["path"] == "/events"
        headers = [] if streams else [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if streams:
            await send({"type": "http.response.body", "body": b"one", "more_body": True})
            await self.go_on.wait()
        await send({"type": "http.response.body", "body": body})

    async def _read(self, receive: Any) -> bool:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            self.read += len(message["body"])
            if not message["more_body"]:
                return True

    async def _talk(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        if scope["path"] == "/closed":
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": str(len(message["text"]))})


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
async def served(application: Application) -> AsyncIterator[House]:
    async with house(application) as found:
        yield found


async def known(served: House, source: str = "127.0.0.1") -> Line:
    """A connection of which the server knows."""
    before = served.connections.count
    line = await served.connect(source)
    await served.holds(before + 1)
    return line


# --- time ---------------------------------------------------------------------------------------------------------


async def test_a_connection_that_says_nothing_ends(served: House) -> None:
    line = await known(served)
    await served.after(9)
    await line.send(GET)
    assert (await line.answer())[0] == 200
    silent = await known(served)
    await served.after(11)
    assert await silent.is_ended()


async def test_headers_that_never_end_end_the_connection_however_often_a_byte_comes(served: House) -> None:
    line = await known(served)
    await line.send(b"GET / HTTP/1.1\r\nX-A: ")
    await served.after(9)
    await line.send(b"a")
    await served.after(11)
    assert await line.is_ended()


async def test_a_connection_ends_when_no_other_request_comes(served: House) -> None:
    line = await known(served)
    await line.send(GET)
    await line.answer()
    await line.send(b"\r\n")
    await served.after(4)
    await line.send(GET)
    await line.answer()
    await line.send(b"\r\n\r\n")
    await served.after(6)
    assert await line.is_ended()


async def test_a_body_that_trickles_ends_the_connection(served: House, application: Application) -> None:
    line = await known(served)
    await line.send(request("POST", "/read", {"Content-Length": "1000000"}, b"x" * 50_000))
    await until(lambda: _so(application.read == 50_000))
    await served.after(0)
    await line.send(b"x" * 9_000)
    await until(lambda: _so(application.read == 59_000))
    await served.after(21)
    assert await line.is_ended()
    await until(lambda: _so(application.gone == 1))


async def test_a_body_may_take_long_if_it_goes_on(served: House, application: Application) -> None:
    line = await known(served)
    await line.send(request("POST", "/read", {"Content-Length": "33000"}, b"x" * 11_000))
    await until(lambda: _so(application.read == 11_000))
    await served.after(0)
    await line.send(b"x" * 11_000)
    await until(lambda: _so(application.read == 22_000))
    await served.after(21)
    await line.send(b"x" * 10_999)
    await until(lambda: _so(application.read == 32_999))
    await served.after(42)
    await line.send(b"x")
    assert (await line.answer())[0] == 200


async def test_who_waits_for_leave_to_send_is_not_slow(served: House, application: Application) -> None:
    line = await known(served)
    await line.send(request("POST", "/events", {"Content-Length": "5", "Expect": "100-continue"}))
    assert await line.reader.readuntil(b"one")
    await served.after(1000)
    application.go_on.set()
    assert b"ok" in await line.reader.readuntil(b"0\r\n\r\n")


async def test_an_answer_that_nobody_takes_ends_the_connection(served: House) -> None:
    line = await known(served)
    line.writer.transport.pause_reading()  # type: ignore[attr-defined]
    await line.send(request("GET", "/large"))
    await until(served.has_unsent)
    await served.after(0)
    await served.after(61)
    line.writer.transport.resume_reading()  # type: ignore[attr-defined]
    with pytest.raises((asyncio.IncompleteReadError, ConnectionResetError)):
        await line.answer()


async def test_an_answer_that_is_taken_slowly_arrives(served: House) -> None:
    line = await known(served)
    line.writer.transport.pause_reading()  # type: ignore[attr-defined]
    await line.send(request("GET", "/large"))
    await until(served.has_unsent)
    await served.after(0)
    await served.after(50)
    line.writer.transport.resume_reading()  # type: ignore[attr-defined]
    status, _, body = await line.answer()
    assert (status, len(body)) == (200, LARGE)


async def test_streams_of_events_and_websockets_last(served: House, application: Application) -> None:
    line = await known(served)
    await line.send(request("GET", "/events"))
    assert await line.reader.readuntil(b"one")
    async with connect(f"ws://127.0.0.1:{served.port}/chat") as socket:
        await served.after(100_000)
        application.go_on.set()
        assert b"ok" in await line.reader.readuntil(b"0\r\n\r\n")
        await socket.send("hello")
        assert await socket.recv() == "5"
        await served.holds(2)
    await served.holds(1)


# --- number -------------------------------------------------------------------------------------------------------


async def test_new_connections_of_a_place_end_its_oldest_idle_ones(application: Application) -> None:
    async with house(application, per_place=3) as served:
        lines = [await known(served) for _ in range(3)]
        elsewhere = await known(served, "127.0.0.2")
        await lines[0].send(request("GET", "/events"))
        await lines[0].reader.readuntil(b"one")
        newest = await served.connect()
        assert await lines[1].is_ended()
        for line in (newest, lines[2], elsewhere):
            await line.send(GET)
            assert (await line.answer())[0] == 200
        application.go_on.set()
        assert b"ok" in await lines[0].reader.readuntil(b"0\r\n\r\n")


async def test_a_place_whose_connections_all_work_gets_no_more_and_is_told(application: Application) -> None:
    async with house(application, per_place=2) as served:
        for _ in range(2):
            line = await known(served)
            await line.send(request("GET", "/events"))
            await line.reader.readuntil(b"one")
        refused = await served.connect()
        status, _, body = await refused.answer()
        assert (status, b"too many connections" in body) == (503, True)
        elsewhere = await served.connect("127.0.0.2")
        await elsewhere.send(GET)
        assert (await elsewhere.answer())[0] == 200
        application.go_on.set()


async def test_a_proxy_stands_for_many(application: Application) -> None:
    async with house(application, proxies=["127.0.0.2/31"], per_place=1) as served:
        lines = [await known(served, "127.0.0.2") for _ in range(5)]
        for line in lines:
            await line.send(GET)
            assert (await line.answer())[0] == 200


async def test_when_all_are_too_many_the_place_with_most_gives_way(application: Application) -> None:
    async with house(application, in_all=4) as served:
        one = await known(served, "127.0.0.2")
        flood = [await known(served) for _ in range(3)]
        other = await served.connect("127.0.0.3")
        assert await flood[0].is_ended()
        for line in (one, other, flood[2]):
            await line.send(GET)
            assert (await line.answer())[0] == 200


async def test_connections_that_end_make_room(served: House) -> None:
    line = await known(served)
    line.writer.close()
    await served.holds(0)


# --- answers before the end of a body -----------------------------------------------------------------------------


async def test_the_answer_to_an_unread_body_arrives_and_the_rest_is_thrown_away(served: House) -> None:
    line = await known(served)
    await line.send(request("POST", "/", {"Content-Length": str(LARGE), "Connection": "close"}))
    await line.send(b"x" * LARGE)
    status, headers, body = await line.answer()
    assert (status, body, headers["connection"]) == (200, b"ok", "close")
    assert await line.is_ended()


async def test_who_sends_on_and_on_is_cut_off(served: House) -> None:
    line = await known(served)
    await line.send(request("POST", "/", {"Transfer-Encoding": "chunked", "Connection": "close"}))
    assert (await line.answer())[0] == 200
    await line.send(b"10000\r\n" + b"x" * 65536 + b"\r\n")
    await served.after(31)
    await served.holds(0)


async def test_headers_and_trailers_have_a_largest_size(served: House, application: Application) -> None:
    line = await known(served)
    await line.send(b"GET / HTTP/1.1\r\nX-A: " + b"a" * 300_000)
    status, _, body = await line.answer()
    assert (status, b"headers" in body) == (431, True)
    line = await known(served)
    chunked = request("POST", "/read", {"Transfer-Encoding": "chunked"}, b"1\r\nx\r\n0\r\nX-A: ")
    await line.send(chunked)
    await until(lambda: _so(application.read == 1))
    await line.send(b"a" * 300_000)
    assert await line.is_ended()


async def test_a_websocket_takes_large_messages_once_its_client_is_known(served: House) -> None:
    async with connect(f"ws://127.0.0.1:{served.port}/chat") as socket:
        await socket.send("x" * 65_537)
        with pytest.raises(ConnectionClosed) as caught:
            await socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    async with connect(f"ws://127.0.0.1:{served.port}/chat") as socket:
        await socket.send("hello")
        assert await socket.recv() == "5"
        await socket.send("x" * 1_000_000)
        assert await socket.recv() == "1000000"


async def test_a_websocket_that_is_refused_is_gone_though_its_client_stays(served: House) -> None:
    line = await known(served)
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    await line.send(request("GET", "/closed", upgrade | {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}))
    assert (await line.answer())[0] == 403
    await served.holds(0)
    await until(lambda: _so(not served.server.server_state.connections))


async def _so(condition: bool) -> bool:
    return condition
