"""From names to addresses: by the machine's own resolver, or from addresses that were already checked."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from docagent.domain.egress import HostNotFound


class SystemResolver:
    async def addresses(self, host: str, port: int) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise HostNotFound(f"The host {host} was not found. Check the address.") from error
        return list(dict.fromkeys(str(address[0]) for *_, address in found))


class CheckedAddresses(AbstractResolver):
    """Hands aiohttp the addresses that were checked, so that the name is not resolved a second time."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = [ip_address(address) for address in addresses]

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET if address.version == 4 else socket.AF_INET6,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in self._addresses
        ]

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""
