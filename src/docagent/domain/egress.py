"""Calls to addresses that users chose, not the operator: the port, its answers and its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from docagent.domain.errors import InvalidInput, Unavailable


class EgressRefused(InvalidInput):
    """The address may not be called: it is written in a strange way, or leads to a place closed to outsiders."""


class EgressFailed(Unavailable):
    """The address may be called, but nothing useful came back."""


class HostNotFound(EgressFailed):
    """No name server knows the host."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the last server of a chain of redirects said. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


class Resolver(Protocol):
    """Finds the addresses of a host."""

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Every address of the name. Raises HostNotFound when there is none."""


class OutgoingHttp(Protocol):
    """The one way out to addresses that users chose."""

    def check(self, url: str) -> None:
        """Raise EgressRefused if the address can be refused as it is written, without looking up its host."""

    async def request(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        redirects: int = 0,
        read: bool = True,
    ) -> Answer:
        """Make one call and follow at most `redirects` redirects. Raises EgressRefused and EgressFailed.

        If no redirect is allowed, one is an answer like any other. Without `read`, the body is not fetched.
        """
