"""Sends requests: one pooled session for the process, time limits, and connections that close at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from docagent.adapters.llm.errors import (
    Endpoint,
    Report,
    bad_address,
    ended_early,
    not_trusted,
    not_understood,
    reported,
    timed_out,
    unreachable,
)
from docagent.domain.models.llm import ModelError

MOST_ERROR_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time limits in seconds."""

    connect: float = 10.0
    first_byte: float = 120.0
    between_chunks: float = 60.0
    whole: float = 900.0
    after_last_event: float = 0.25
    """How long a finished answer's connection may stay open before we close it."""


class _Silence(Exception):
    """Nothing came for too long."""


class _TooLong(Exception):
    """The answer as a whole took too long."""


class ModelTransport:
    """The pooled session. It opens inside the running loop on first use and must be closed at the end."""

    def __init__(self, timeouts: Timeouts | None = None, *, use_environment_proxy: bool = True) -> None:
        self.timeouts = timeouts or Timeouts()
        self._proxies = getproxies() if use_environment_proxy else {}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    @property
    def session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300, keepalive_timeout=30),
                timeout=aiohttp.ClientTimeout(total=None, connect=self.timeouts.connect),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def proxy_for(self, url: str) -> str | None:
        """Return the proxy for a URL. aiohttp would read the variables, and ~/.netrc, again at every call."""
        if not self._proxies:
            return None
        parts = urlsplit(url)
        proxy = self._proxies.get(parts.scheme) or self._proxies.get("all")
        return proxy if proxy and not proxy_bypass(parts.hostname or "") else None

    async def open(self, url: str, headers: dict[str, str], body: bytes, endpoint: Endpoint) -> Exchange:
        """Send a request and wait for the head of its answer. Raises ModelError, also for any status but 200."""
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.timeouts.first_byte):
                response = await self.session.post(
                    url, data=body, headers=headers, allow_redirects=False, proxy=self.proxy_for(url)
                )
                exchange = Exchange(response, endpoint, self.timeouts, started)
                if response.status != 200 or response.content_type == "application/json":
                    raise await exchange.refusal()
        except TimeoutError as error:
            if isinstance(error, aiohttp.ServerTimeoutError):
                raise unreachable(endpoint) from error
            raise timed_out(endpoint, self.timeouts.first_byte, "begin to answer") from None
        except aiohttp.ClientConnectorCertificateError as error:
            raise not_trusted(endpoint) from error
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError, ValueError) as error:
            raise bad_address(endpoint) from error
        except aiohttp.ClientError as error:
            raise unreachable(endpoint) from error
        return exchange


class Exchange:
    """One answer that is being read. `close` ends the connection at once, unless the answer is complete."""

    def __init__(
        self, response: aiohttp.ClientResponse, endpoint: Endpoint, timeouts: Timeouts, started: float
    ) -> None:
        self._response = response
        self._content = response.content
        self._endpoint = endpoint
        self._timeouts = timeouts
        self._loop = asyncio.get_running_loop()
        self._ends_at = started + timeouts.whole
        self._may_wait = timeouts.first_byte
        self._received = False
        self._answered = False
        self._waiting_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def read(self) -> bytes:
        """Return the next bytes, or none at the end. Raises ModelError."""
        self._waiting_since = self._loop.time()
        if self._timer is None:
            self._watch()
        try:
            block = await self._content.readany()
        except _Silence:
            if self._answered:
                return b""
            waited_for = "go on with its answer" if self._received else "begin to answer"
            raise timed_out(self._endpoint, self._may_wait, waited_for) from None
        except _TooLong:
            raise timed_out(self._endpoint, self._timeouts.whole, "finish its answer") from None
        except (aiohttp.ClientError, RuntimeError) as error:
            raise self._lost() from error
        self._waiting_since = None
        if not self._received:
            self._received = True
            self._wait_at_most(self._timeouts.between_chunks)
        return block

    def answer_is_complete(self) -> None:
        """From now on, wait only for the end of the stream, and only briefly."""
        if not self._answered:
            self._answered = True
            self._wait_at_most(self._timeouts.after_last_event)

    def close(self) -> None:
        self._stop_watching()
        self._response.close()

    async def refusal(self) -> ModelError:
        """Return the error that the answer's body reports."""
        response = self._response
        body = b""
        try:
            while len(body) < MOST_ERROR_BYTES and (block := await response.content.readany()):
                body += block
        except aiohttp.ClientError:
            # The part that arrived may still be enough.
            pass
        finally:
            self.close()
        if 300 <= response.status < 400:
            return bad_address(self._endpoint)
        if response.status != 200:
            retry_after = _seconds(response.headers.get("Retry-After"))
            return reported(self._endpoint, Report.read_body(body, response.status, retry_after))
        report = Report.read_body(body, None)
        return (
            reported(self._endpoint, report)
            if report.codes or report.message
            else not_understood(self._endpoint)
        )

    def _lost(self) -> ModelError:
        """Return the error for a broken connection: if nothing was received, the provider counts as unreachable."""
        return ended_early(self._endpoint) if self._received else unreachable(self._endpoint)

    def _watch(self) -> None:
        """Check the time limits. One timer serves the whole answer and restarts itself, so reading costs nothing."""
        now = self._loop.time()
        since = self._waiting_since
        due = min(self._ends_at, (now if since is None else since) + self._may_wait)
        if now < due:
            self._timer = self._loop.call_at(due, self._watch)
        else:
            self._content.set_exception(_TooLong() if now >= self._ends_at else _Silence())

    def _wait_at_most(self, seconds: float) -> None:
        """Set a new limit. The next read starts a timer for it."""
        self._may_wait = seconds
        self._stop_watching()

    def _stop_watching(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:
        return None
