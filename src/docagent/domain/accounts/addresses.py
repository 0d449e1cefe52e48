"""Addresses of callers: which place one comes from, and which networks are trusted."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

IPV6_OF_ONE_PLACE = 64
"""An IPv6 subscriber has all addresses that share the first 64 bits."""
EVERYBODY = "*"


@lru_cache(maxsize=4096)
def place_of(address: str) -> str:
    """What stands for everybody who sends from there: an IPv4 address, or an IPv6 network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, IPV6_OF_ONE_PLACE), strict=False))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Networks:
    """Addresses and networks, as in `10.0.0.0/8` and `192.0.2.7`; `*` is every address."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._all = EVERYBODY in parts
        self._networks = [ipaddress.ip_network(part) for part in parts if part != EVERYBODY]

    def __contains__(self, address: str) -> bool:
        if self._all:
            return True
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._networks)
