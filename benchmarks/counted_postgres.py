"""A relay in front of PostgreSQL that counts what is asked through it, and can make the way long."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

_STARTUP_CODES = {80877103: "SSL", 80877104: "GSS"}
_ENDS_A_REQUEST = frozenset(b"QSH")
"""A query, a sync and a flush: with these a client sends off what it asked for, and waits."""
_BEGINNING = (b"BEGIN", b"START TRANSACTION")
_ENDING = (b"COMMIT", b"ROLLBACK", b"SAVEPOINT", b"RELEASE")


class Counted:
    """Reads the messages of one client, however they were cut."""

    def __init__(self, relay: CountedPostgres) -> None:
        self._counts = relay.counts
        self._seen = relay.texts
        self._rest = b""
        self._has_started = False
        self._texts: dict[bytes, bytes] = {}
        self._bound = b""

    def feed(self, data: bytes) -> None:
        self._rest += data
        while message := self._next():
            self._count(*message)

    def _next(self) -> tuple[int, bytes] | None:
        kind = 1 if self._has_started else 0
        if len(self._rest) < kind + 4:
            return None
        length = int.from_bytes(self._rest[kind : kind + 4])
        if len(self._rest) < kind + length:
            return None
        body, first = self._rest[kind + 4 : kind + length], self._rest[0]
        self._rest = self._rest[kind + length :]
        if kind:
            return first, body
        self._has_started = int.from_bytes(body[:4]) not in _STARTUP_CODES
        return 0, body

    def _count(self, kind: int, body: bytes) -> None:
        if kind in _ENDS_A_REQUEST:
            self._counts["round_trips"] += 1
        if kind == ord("P"):
            name, text = body.split(b"\0", 2)[:2]
            self._texts[name] = text
        elif kind == ord("B"):
            self._bound = self._texts.get(body.split(b"\0", 2)[1], b"")
        elif kind == ord("E"):
            self._statement(self._bound)
        elif kind == ord("Q"):
            self._statement(body)

    def _statement(self, text: bytes) -> None:
        self._seen.append(" ".join(text.decode(errors="replace").split()))
        text = text.lstrip().upper()
        if text.startswith(_BEGINNING):
            self._counts["transactions"] += 1
        elif not text.startswith(_ENDING):
            self._counts["statements"] += 1


@dataclass
class CountedPostgres:
    """Where the relay listens, and what has passed it."""

    port: int
    counts: Counter[str] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)
    """The statements, in the order in which they passed."""
    seconds_a_round_trip: float = 0.0


@contextlib.contextmanager
def counted_postgres(socket_folder: Path, port: int) -> Iterator[CountedPostgres]:
    """Relay a port of this machine to the server's Unix socket until the block ends."""
    relay = CountedPostgres(port)
    started: Future[Callable[[], object]] = Future()
    thread = threading.Thread(target=asyncio.run, args=[_relay(relay, socket_folder, started)], daemon=True)
    thread.start()
    stop = started.result()
    try:
        yield relay
    finally:
        stop()
        thread.join()


async def _relay(relay: CountedPostgres, socket_folder: Path, started: Future[Callable[[], object]]) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    carrying: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_server = await asyncio.open_unix_connection(str(socket_folder / ".s.PGSQL.5432"))
        for task in (
            asyncio.create_task(_carry(reader, to_server[1], relay, Counted(relay))),
            asyncio.create_task(_carry(to_server[0], writer, relay, None)),
        ):
            carrying.add(task)
            task.add_done_callback(carrying.discard)

    async with await asyncio.start_server(serve, "127.0.0.1", relay.port) as server:
        started.set_result(lambda: loop.call_soon_threadsafe(ended.set))
        await ended.wait()
        server.close()
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)


async def _carry(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    relay: CountedPostgres,
    counted: Counted | None,
) -> None:
    loop = asyncio.get_running_loop()
    try:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if counted is not None:
                    counted.feed(data)
                if relay.seconds_a_round_trip:
                    loop.call_later(relay.seconds_a_round_trip / 2, writer.write, data)
                else:
                    writer.write(data)
            await asyncio.sleep(relay.seconds_a_round_trip)
    finally:
        writer.close()
