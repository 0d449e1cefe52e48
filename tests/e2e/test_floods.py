"""The server as its command starts it, under floods: its limits are those of the settings."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from docagent.domain.ids import new_id
from tests.support.services.server import RunningServer, running_server

SETTINGS = {
    "DOCAGENT_SERVER__TRUSTED_PROXIES": "127.0.0.2",
    "DOCAGENT_AUTH__LOGIN_ATTEMPTS_PER_ADDRESS": "2",
    "DOCAGENT_CONNECTIONS__HEADER_SECONDS": "2",
    "DOCAGENT_CONNECTIONS__PER_ADDRESS": "50",
}
SECONDS = 150


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running_server(SETTINGS) as running:
        yield running


def connected(server: RunningServer, source: str) -> socket.socket:
    address = urlsplit(server.url)
    assert address.hostname
    assert address.port
    return socket.create_connection(
        (address.hostname, address.port), timeout=SECONDS, source_address=(source, 0)
    )


def ask(
    server: RunningServer, source: str, method: str, path: str, headers: dict[str, str], body: object = None
) -> int:
    address = urlsplit(server.url)
    connection = http.client.HTTPConnection(address.netloc, timeout=SECONDS, source_address=(source, 0))
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"Content-Type": "application/json", **headers})
        return connection.getresponse().status
    finally:
        connection.close()


def fail_to_sign_in(server: RunningServer, source: str, forwarded_for: str) -> int:
    body = {"email": f"{new_id()}@example.com", "password": "a wrong one"}
    return ask(server, source, "POST", "/v0/account/auth/login", {"X-Forwarded-For": forwarded_for}, body)


def test_other_addresses_are_believed_of_named_proxies_only(server: RunningServer) -> None:
    pretended = [fail_to_sign_in(server, "127.0.0.3", f"198.51.100.{number}") for number in range(4)]
    assert pretended == [401, 401, 429, 429]
    assert "server.trusted_proxies" in server.log_file.read_text()
    passed_on = [fail_to_sign_in(server, "127.0.0.2", f"198.51.100.{number}") for number in range(4)]
    assert passed_on == [401] * 4
    forged = [fail_to_sign_in(server, "127.0.0.2", f"203.0.113.{n}, 198.51.100.77") for n in range(4)]
    assert forged == [401, 401, 429, 429]


def test_idle_connections_end_while_others_are_served(server: RunningServer) -> None:
    idle = [connected(server, "127.0.0.4") for _ in range(300)]
    try:
        assert ask(server, "127.0.0.4", "GET", "/health", {}) == 200
        assert ask(server, "127.0.0.5", "GET", "/health", {}) == 200
        for connection in idle:
            assert _ends(connection)
    finally:
        for connection in idle:
            connection.close()


def _ends(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
