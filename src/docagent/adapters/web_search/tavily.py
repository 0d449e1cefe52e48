"""Tavily, a search engine for agents."""

from __future__ import annotations

import orjson

from docagent.adapters.web_search.results import MOST_SOURCES, Fields
from docagent.adapters.web_search.server import USED_UP, SearchServer
from docagent.domain.egress import OutgoingHttp
from docagent.domain.turns.web_search import WebSource

ADDRESS = "https://api.tavily.com"
_FIELDS = Fields(excerpt="content", published="published_date")
_USED_UP = {432: USED_UP, 433: USED_UP}


class TavilySearch:
    def __init__(self, http: OutgoingHttp, key: str, url: str = ADDRESS) -> None:
        self._server = SearchServer(http, "Tavily", _USED_UP)
        self._url = f"{url.rstrip('/')}/search"
        self._headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    async def search(self, query: str) -> tuple[WebSource, ...]:
        body = orjson.dumps({"query": query, "max_results": MOST_SOURCES})
        found = await self._server.ask("POST", self._url, headers=self._headers, body=body)
        return self._server.sources(found.get("results"), _FIELDS)
