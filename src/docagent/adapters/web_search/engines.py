"""The search engines: what each is asked, and what it calls the parts of a result."""

from __future__ import annotations

from urllib.parse import urlencode

import orjson

from docagent.adapters.web_search.results import MOST_SOURCES, Fields
from docagent.adapters.web_search.server import USED_UP, SearchServer
from docagent.domain.egress import OutgoingHttp
from docagent.domain.errors import InvalidInput
from docagent.domain.turns.web_search import MOST_ADDRESS_CHARACTERS, WebSource

_NO_JSON = (
    "{name} does not answer programs. Tell an administrator of the server: add json to search.formats in SearXNG's "
    "settings.yml."
)
_REFUSED = (
    "{name} does not accept the key or the query. Word the query shorter; if that does not help, tell an administrator "
    "of the server: the key is set in search.key (DOCAGENT_SEARCH__KEY)."
)
"""Brave has one status for both."""


class SearxngSearch:
    """SearXNG, which people host themselves. It answers in JSON only where its settings allow that."""

    _fields = Fields(excerpt="content", published="publishedDate")

    def __init__(self, http: OutgoingHttp, url: str, key: str | None = None) -> None:
        """`key` is for a proxy in front of it, as a bearer token; SearXNG itself has none."""
        self._server = SearchServer(http, "SearXNG", {403: _NO_JSON})
        self._url = f"{url.rstrip('/')}/search"
        self._headers = {"authorization": f"Bearer {key}"} if key else {}

    async def search(self, query: str) -> tuple[WebSource, ...]:
        form = {"q": query, "format": "json"}
        headers = {**self._headers, "content-type": "application/x-www-form-urlencoded"}
        found = await self._server.ask("POST", self._url, headers=headers, body=urlencode(form).encode())
        return self._server.sources(found.get("results"), self._fields)


class TavilySearch:
    """Tavily, a search engine for agents."""

    _fields = Fields(excerpt="content", published="published_date")

    def __init__(self, http: OutgoingHttp, key: str, url: str | None = None) -> None:
        self._server = SearchServer(http, "Tavily", {432: USED_UP, 433: USED_UP})
        self._url = f"{(url or 'https://api.tavily.com').rstrip('/')}/search"
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    async def search(self, query: str) -> tuple[WebSource, ...]:
        body = orjson.dumps({"query": query, "max_results": MOST_SOURCES})
        found = await self._server.ask("POST", self._url, headers=self._headers, body=body)
        return self._server.sources(found.get("results"), self._fields)


class BraveSearch:
    """Brave Search, by its web search API."""

    _fields = Fields(excerpt="description", published="page_age")

    def __init__(self, http: OutgoingHttp, key: str, url: str | None = None) -> None:
        self._server = SearchServer(http, "Brave Search", {422: _REFUSED})
        self._url = f"{(url or 'https://api.search.brave.com').rstrip('/')}/res/v1/web/search"
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
        return self._server.sources(pages.get("results") if isinstance(pages, dict) else None, self._fields)
