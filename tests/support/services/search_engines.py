"""The search engines as tests speak to them: how each is opened, and what each answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from docagent.adapters.web_search.engines import BraveSearch, SearxngSearch, TavilySearch
from docagent.domain.egress import OutgoingHttp
from docagent.domain.turns.web_search import WebSearch
from tests.support.services.loopback import Handler

KEY = "secret-key-4711"
Found = list[dict[str, Any]]
"""Results, each with `title`, `url`, `excerpt` and `published`, of which any may be missing."""

OPEN: Mapping[str, Callable[[OutgoingHttp, str], WebSearch]] = {
    "searxng": lambda http, url: SearxngSearch(http, url),
    "tavily": lambda http, url: TavilySearch(http, KEY, url),
    "brave": lambda http, url: BraveSearch(http, KEY, url),
}
NAMES = {
    "searxng": {"excerpt": "content", "published": "publishedDate"},
    "tavily": {"excerpt": "content", "published": "published_date"},
    "brave": {"excerpt": "description", "published": "page_age"},
}


def answer(provider: str, found: Found) -> Any:
    """The JSON in which a search engine tells what it found."""
    names = NAMES[provider]
    results = [{names.get(name, name): value for name, value in item.items()} for item in found]
    match provider:
        case "searxng":
            return {"query": "q", "number_of_results": 0, "results": results, "unresponsive_engines": []}
        case "tavily":
            return {"query": "q", "answer": None, "images": [], "results": results, "response_time": 0.5}
        case _:
            empty = {"type": "search", "query": {"original": "q"}}
            return {**empty, "web": {"type": "search", "results": results}} if found else empty


def finds(provider: str, found: Found) -> Handler:
    async def handler(request: web.Request) -> web.Response:
        return web.json_response(answer(provider, found))

    return handler
