"""The port to a search engine on the web, and what it finds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

MOST_QUERY_CHARACTERS = 400
MOST_ADDRESS_CHARACTERS = 2048
_ODD = re.compile(r"[\s\\<>\"`]")


@dataclass(frozen=True, slots=True)
class WebSource:
    """One page that was found: what a text that rests on it cites."""

    title: str
    address: str
    excerpt: str
    published: str | None = None
    """The day on which the page came out, as YYYY-MM-DD, where the search engine knows it."""


class WebSearch(Protocol):
    """Asks a search engine. It raises a `DocAgentError` that says what to do when it cannot be asked."""

    async def search(self, query: str) -> tuple[WebSource, ...]: ...


def is_web_address(address: str) -> bool:
    """True for an http or https address that can be shown as a link and reads the same everywhere."""
    if len(address) > MOST_ADDRESS_CHARACTERS or _ODD.search(address) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
