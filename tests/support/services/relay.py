"""A line between two programs that a test can cut: a relay of bytes on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

BYTES_AT_ONCE = 65536

Target = tuple[str, int] | Path
"""A host and its port, or a Unix socket."""


class Relay:
    """Carries every connection. While the line is cut, all connections are dead and no new one can be made."""

    def __init__(self, listener: socket.socket, target: Target) -> None:
        self._listener = listener
        self._target = target
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        with self._lock:
            self._is_cut = True
            ended, self._open = self._open, set()
        for connection in ended:
            _end(connection)

    def mend(self) -> None:
        self._is_cut = False

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            self._join(browser)

    def _join(self, browser: socket.socket) -> None:
        try:
            server = _connected(self._target)
        except OSError:
            _end(browser)
            return
        with self._lock:
            refused = self._is_cut
            if not refused:
                self._open |= {browser, server}
        if refused:
            _end(browser)
            _end(server)
            return
        for source, target in ((browser, server), (server, browser)):
            threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(BYTES_AT_ONCE):
                target.sendall(data)
        with self._lock:
            self._open -= {source, target}
        _end(source)
        _end(target)


def _connected(target: Target) -> socket.socket:
    if not isinstance(target, Path):
        return socket.create_connection(target)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(target))
    return connection


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def running_relay(url: str) -> Iterator[Relay]:
    """Run a relay to the server at this address."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    with relay_to((address.hostname, address.port)) as relay:
        yield relay


@contextmanager
def relay_to(target: Target) -> Iterator[Relay]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        relay = Relay(listener, target)
        thread = threading.Thread(target=relay.serve, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.cut()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)
