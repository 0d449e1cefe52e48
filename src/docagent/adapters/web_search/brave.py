"""Brave Search, by its web search API."""

from __future__ import annotations

from urllib.parse import urlencode

from docagent.adapters.web_search.results import MOST_SOURCES, Fields
from docagent.adapters.web_search.server import SearchServer
from docagent.domain.egress import OutgoingHttp
from docagent.domain.errors import InvalidInput
from docagent.domain.turns.web_search import MOST_ADDRESS_CHARACTERS, WebSource

ADDRESS = "https://api.search.brave.com"
_FIELDS = Fields(excerpt="description", published="page_age")
_REFUSED = (
    "{name} does not accept the key or the query. Word the query shorter; if that does not help, tell an administrator "
    "of the server: the key is set in search.key (DOCAGENT_SEARCH__KEY)."
)
"""Brave has one status for both."""


class BraveSearch:
    def __init__(self, http: OutgoingHttp, key: str, url: str = ADDRESS) -> None:
        self._server = SearchServer(http, "Brave Search", {422: _REFUSED})
        self._url = f"{url.rstrip('/')}/res/v1/web/search"
        self._headers = {"x-subscription-token": key}

    async def search(self, query: str) -> tuple[WebSource, ...]:
        asked = urlencode({"q": query, "count": MOST_SOURCES, "text_decorations": "false"})
        url = f"{self._url}?{asked}"
        if len(url) > MOST_ADDRESS_CHARACTERS:
            raise InvalidInput("The query is too long for Brave Search. Use fewer words.")
        found = await self._server.ask("GET", url, headers=self._headers)
        if "web" not in found and found.get("type") == "search":
            return ()  # so it says that nothing was found
        pages = found.get("web")
        return self._server.sources(pages.get("results") if isinstance(pages, dict) else None, _FIELDS)
