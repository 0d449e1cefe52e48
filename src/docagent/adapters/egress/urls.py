"""Reads a URL in one way only.

Servers and libraries read the same odd URL differently. A check that reads it one way protects nothing if the
connection reads it another way. So a URL that can be read in two ways is refused, and the connection is made
from the parts that were checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from urllib.parse import quote, urljoin

import idna

from docagent.domain.egress import EgressRefused

MOST_CHARACTERS = 2048
MOST_HOST_CHARACTERS = 253
DEFAULT_PORTS = {"http": 80, "https": 443}
IpAddress = IPv4Address | IPv6Address

_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE)
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_BRACKETS = re.compile(r"\[([0-9A-Fa-f:.]+)\](?::([0-9]{1,5}))?", re.ASCII)
_NAME_AND_PORT = re.compile(r"([^:\[\]]+)(?::([0-9]{1,5}))?")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_SAFE_IN_PATH = "/?%:@!$&'()*+,;=-._~[]"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a URL leads. `host` is ASCII in lower case; `address` is set when the host is an IP address."""

    scheme: str
    host: str
    port: int
    path: str
    """The path, with the query."""
    address: IpAddress | None = None

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.path}"


def parse_url(url: str) -> Target:
    """Return the parts of an http or https URL. Raises EgressRefused for anything that could be read in two ways."""
    _check_characters(url)
    found = _URL.fullmatch(url)
    if found is None:
        raise EgressRefused("Use an address that begins with http:// or https://, with a host after it.")
    scheme, authority, path = found[1].lower(), found[2], found[3]
    host, written_port, address = _authority(authority)
    port = int(written_port) if written_port else DEFAULT_PORTS[scheme]
    if not 1 <= port <= 65535:
        raise EgressRefused(f"There is no port {port}. Use one from 1 to 65535.")
    if not path.startswith("/"):
        path = f"/{path}"
    return Target(scheme, host, port, quote(path, safe=_SAFE_IN_PATH), address)


def redirected(target: Target, location: str) -> Target:
    """Return where a redirect leads. Characters are checked first, as `urljoin` forgives what `parse_url` refuses."""
    _check_characters(location)
    if _SCHEME.match(location) and not _URL.fullmatch(location):
        raise EgressRefused("The server redirected to an address that is neither http nor https.")
    return parse_url(urljoin(target.url, location))


def host_name(text: str) -> str:
    """Return a host name in the form used for comparing. Raises EgressRefused if it is not valid."""
    name = text
    if not name.isascii():
        try:
            name = idna.encode(name, uts46=True).decode()
        except (idna.IDNAError, UnicodeError) as error:
            raise EgressRefused(f"The host of the address is not a valid name: {text[:100]!r}.") from error
    name = name.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > MOST_HOST_CHARACTERS or not all(_LABEL.fullmatch(label) for label in labels):
        raise EgressRefused(f"The host of the address is not a valid name: {text[:100]!r}.")
    return name


def _check_characters(url: str) -> None:
    if len(url) > MOST_CHARACTERS:
        raise EgressRefused(f"The address is longer than {MOST_CHARACTERS} characters.")
    for character in url:
        surrogate = "\ud800" <= character <= "\udfff"
        if character == "\\" or character.isspace() or not character.isprintable() or surrogate:
            raise EgressRefused(
                "The address holds a backslash, a space or a control character. Write it without, or as %20 and so on."
            )


def _authority(authority: str) -> tuple[str, str | None, IpAddress | None]:
    if "@" in authority:
        raise EgressRefused("The address holds a user name or a password. Leave them out.")
    if authority.startswith("["):
        return _bracketed(authority)
    found = _NAME_AND_PORT.fullmatch(authority)
    if found is None:
        raise EgressRefused("The address has no host that can be understood.")
    host = host_name(found[1])
    if not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return host, found[2], None
    try:
        address = IPv4Address(host)
    except AddressValueError as error:
        raise EgressRefused("Write a numeric host as four numbers, such as 203.0.113.7.") from error
    return str(address), found[2], address


def _bracketed(authority: str) -> tuple[str, str | None, IpAddress]:
    found = _BRACKETS.fullmatch(authority)
    try:
        address = IPv6Address(found[1] if found else "")
    except AddressValueError as error:
        raise EgressRefused("The address in brackets is not an IPv6 address.") from error
    assert found is not None
    return str(address), found[2], address
