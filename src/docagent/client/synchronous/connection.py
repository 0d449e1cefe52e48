# Written by `make client` from the asynchronous client: change that one.
"""One server, one token, one organisation: requests with retries, and answers as models or errors."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2

from docagent.client import models
from docagent.client.errors import BadRequest, Refused, Unreachable, refusal
from docagent.client.retries import TRIES, may_send_again, pause_seconds
from docagent.client.trust import trusted_authorities

M = TypeVar("M", bound=models.Answer)
HEARTBEAT_SECONDS = 60
"""A stream that says nothing for so long is taken for dead; the server says something every 15 seconds."""


class Connection:
    def __init__(
        self, server: str, token: str, organization_id: str | None, timeout: float, transport: Any = None
    ) -> None:
        self._server = server.rstrip("/")
        self._token = token
        self._organization_id = organization_id
        self._http = httpx2.Client(
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout,
            transport=transport,
            verify=trusted_authorities(),
        )

    def organization_id(self) -> str:
        """The organisation that everything is in: the one that was named, else the token's own."""
        if self._organization_id is None:
            path, params = "/v0/account/token/organization", {"token": self._token}
            found = models.TokenOrganization.model_validate((self._send("GET", path, params=params)).json())
            if found.organization_id is None:
                raise BadRequest(
                    "This token is not of one organisation. Name one (organization_id, or --org), or use a token "
                    "that the organisation's settings page makes.",
                    400,
                )
            self._organization_id = found.organization_id
        return self._organization_id

    def ask(self, model: type[M], method: str, *path: str, **options: Any) -> M:
        """Send a request about something in the organisation, and read the answer."""
        return model.model_validate((self.send(method, *path, **options)).json())

    def send(self, method: str, *path: str, **options: Any) -> httpx2.Response:
        """Send a request about something in the organisation. `path` is in parts, each written as it is."""
        return self._send(method, self._path(path), **options)

    def ask_account(self, model: type[M], method: str, *path: str, **options: Any) -> M:
        """Send a request about what belongs to accounts, not to one organisation, and read the answer."""
        whole = "/v0/account/" + "/".join(quote(part, safe="") for part in path)
        return model.model_validate((self._send(method, whole, **options)).json())

    @contextmanager
    def stream(self, *path: str, **options: Any) -> Iterator[Iterator[str]]:
        """The lines of an answer while they arrive."""
        url = self._server + self._path(path)
        waits = httpx2.Timeout(self._http.timeout.connect, read=HEARTBEAT_SECONDS)
        try:
            with self._http.stream("GET", url, timeout=waits, **options) as response:
                if response.status_code >= 400:
                    response.read()
                    raise _refusal(response)
                yield response.iter_lines()
        except httpx2.TransportError as error:
            raise self._unreachable(error) from error

    def close(self) -> None:
        self._http.close()

    def _path(self, parts: tuple[str, ...]) -> str:
        inside = "/".join(quote(part, safe="") for part in parts)
        return f"/v0/orgs/{quote(self.organization_id(), safe='')}/{inside}"

    def _send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        form: Mapping[str, str] | None = None,
        file: tuple[str, IO[bytes]] | None = None,
        seconds: float | None = None,
        once: bool = False,
    ) -> httpx2.Response:
        """Send a request, again if it may be. With `once` it carries a key, by which the server does it only once."""
        options: dict[str, Any] = {
            "params": {key: value for key, value in (params or {}).items() if value is not None}
        }
        if body is not None:
            options["json"] = body
        if seconds is not None:
            options["timeout"] = seconds
        if once:
            options["headers"] = {"Idempotency-Key": str(uuid4())}
        repeatable = once or method == "GET"
        for tried in range(1, TRIES + 1):
            if file is not None:
                file[1].seek(0)
                options |= {"data": dict(form or {}), "files": {"file": file}}
            try:
                response = self._http.request(method, self._server + path, **options)
            except httpx2.TransportError as error:
                if tried == TRIES or not (repeatable or _nothing_arrived(error)):
                    raise self._unreachable(error) from error
                time.sleep(pause_seconds(tried))
                continue
            if response.status_code < 400:
                return response
            if tried == TRIES or not may_send_again(repeatable, response.status_code):
                raise _refusal(response)
            time.sleep(pause_seconds(tried, response.headers))
        raise AssertionError("the last try returns or raises")

    def _unreachable(self, error: Exception) -> Unreachable:
        reason = str(error) or type(error).__name__
        return Unreachable(f"{self._server} cannot be reached: {reason}. Is the server running?")


class Part:
    """A part of what a server offers, such as its documents."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ask = connection.ask
        self._send = connection.send


def _nothing_arrived(error: httpx2.TransportError) -> bool:
    return isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)


def _refusal(response: httpx2.Response) -> Refused:
    try:
        return refusal(response.status_code, response.json())
    except ValueError:
        return refusal(response.status_code, response.text)
