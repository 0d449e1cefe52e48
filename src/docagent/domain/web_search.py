"""The port to a search engine on the web, and what it finds."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class WebSource:
    """One page that was found: what a text that rests on it cites."""

    title: str
    address: str
    excerpt: str
    published: str | None = None


class WebSearch(Protocol):
    """Asks a search engine. It raises a `DomainError` that says what to do when it cannot be asked."""

    async def search(self, query: str) -> tuple[WebSource, ...]: ...
