"""Which addresses may be called: those on the open internet, and those that an administrator has listed."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from docagent.adapters.egress.urls import IpAddress, host_name
from docagent.domain.egress import EgressRefused

_Network = IPv4Network | IPv6Network

PRIVATE = "private"
LOOPBACK = "loopback"
OPENED_BY_NAME = (PRIVATE, LOOPBACK)
"""The kinds of address that listing a host name opens. All other kinds must be listed as a network."""

_IPV4: Sequence[tuple[str, str]] = (
    ("0.0.0.0/8", "unspecified"),
    ("10.0.0.0/8", PRIVATE),
    ("100.64.0.0/10", "carrier-grade NAT"),
    ("127.0.0.0/8", LOOPBACK),
    ("168.63.129.16/32", "cloud metadata"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", PRIVATE),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "reserved"),
    ("192.88.99.0/24", "reserved"),
    ("192.168.0.0/16", PRIVATE),
    ("198.18.0.0/15", "reserved"),
    ("198.51.100.0/24", "reserved"),
    ("203.0.113.0/24", "reserved"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
)
_IPV6: Sequence[tuple[str, str]] = (
    ("::/128", "unspecified"),
    ("::1/128", LOOPBACK),
    ("2001::/23", "reserved"),
    ("2001:db8::/32", "reserved"),
    ("3fff::/20", "reserved"),
    ("fc00::/7", PRIVATE),
    ("fe80::/10", "link-local"),
    ("ff00::/8", "multicast"),
)
_KINDS = [(ip_network(network), kind) for network, kind in (*_IPV4, *_IPV6)]
_OPEN_IPV6 = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")


class AddressPolicy:
    def __init__(self, allowed: Sequence[str] = ()) -> None:
        """Take host names, addresses and networks in `allowed`. Raises EgressRefused for anything else."""
        self._networks: list[_Network] = []
        self._names: set[str] = set()
        for entry in allowed:
            try:
                self._networks.append(ip_network(entry.strip().strip("[]"), strict=False))
            except ValueError:
                self._names.add(host_name(entry.strip()))

    def check(self, host: str, addresses: Sequence[str | IpAddress]) -> None:
        """Raise EgressRefused unless every address may be called. One that may not makes the name suspicious."""
        for written in addresses:
            address = ip_address(written)
            kind = kind_of(address)
            if kind is None or self._is_listed(address):
                continue
            if host in self._names and kind in OPENED_BY_NAME:
                continue
            raise EgressRefused(
                f"{host} resolves to a {kind} address, which the server does not call. "
                "An administrator can allow it in the setting egress.allow_private."
            )

    def _is_listed(self, address: IpAddress) -> bool:
        same = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return any(address in network or (same is not None and same in network) for network in self._networks)


def kind_of(address: IpAddress) -> str | None:
    """Return why an address is not on the open internet, or None if it is."""
    for network, kind in _KINDS:
        if address in network:
            return kind
    if isinstance(address, IPv4Address):
        return None
    inner = _embedded(address)
    if inner is not None:
        return kind_of(inner)
    return None if address in _OPEN_IPV6 else "reserved"


def _embedded(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that a gateway, or this machine, would really call for the IPv6 address."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
