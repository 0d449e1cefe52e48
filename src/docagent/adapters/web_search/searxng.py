"""SearXNG, which people host themselves. It answers in JSON only where its settings allow that."""

from __future__ import annotations

from urllib.parse import urlencode

from docagent.adapters.web_search.results import Fields
from docagent.adapters.web_search.server import SearchServer
from docagent.domain.egress import OutgoingHttp
from docagent.domain.turns.web_search import WebSource

_FIELDS = Fields(excerpt="content", published="publishedDate")
_NO_JSON = (
    "{name} does not answer programs. Tell an administrator of the server: add json to search.formats in SearXNG's "
    "settings.yml."
)


class SearxngSearch:
    def __init__(self, http: OutgoingHttp, url: str, key: str | None = None) -> None:
        """`key` is for a proxy in front of it, as a bearer token; SearXNG itself has none."""
        self._server = SearchServer(http, "SearXNG", {403: _NO_JSON})
        self._url = f"{url.rstrip('/')}/search"
        self._headers = {"authorization": f"Bearer {key}"} if key else {}

    async def search(self, query: str) -> tuple[WebSource, ...]:
        form = {"q": query, "format": "json"}
        headers = {**self._headers, "content-type": "application/x-www-form-urlencoded"}
        found = await self._server.ask("POST", self._url, headers=headers, body=urlencode(form).encode())
        return self._server.sources(found.get("results"), _FIELDS)
