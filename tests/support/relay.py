"""A line between browser and server that a test can cut: a relay of bytes on loopback."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

BYTES_AT_ONCE = 65536


class Relay:
    """Carries every connection. While the line is cut, all connections are dead and no new one can be made."""

    def __init__(self, listener: socket.socket, target: tuple[str, int]) -> None:
        self._listener = listener
        self._target = target
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False

    @property
    def url(self) -> str:
        host, port = self._listener.getsockname()[:2]
        return f"http://{host}:{port}"

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
            server = socket.create_connection(self._target)
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
    with socket.create_server(("127.0.0.1", 0)) as listener:
        relay = Relay(listener, (address.hostname, address.port))
        thread = threading.Thread(target=relay.serve, daemon=True)
        thread.start()
        try:
            yield relay
        finally:
            relay.cut()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)
