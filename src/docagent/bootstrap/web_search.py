"""The search engine that the settings name."""

from __future__ import annotations

from docagent.adapters.web_search import brave, tavily
from docagent.adapters.web_search.brave import BraveSearch
from docagent.adapters.web_search.searxng import SearxngSearch
from docagent.adapters.web_search.tavily import TavilySearch
from docagent.domain.egress import EgressRefused, OutgoingHttp
from docagent.domain.errors import CannotStart
from docagent.domain.turns.web_search import WebSearch
from docagent.settings import SearchSettings


def open_web_search(search: SearchSettings, http: OutgoingHttp) -> WebSearch | None:
    """None if the search is off. Raises CannotStart if its address may not be called as it is written."""
    if search.url is not None:
        try:
            http.check(search.url)
        except EgressRefused as error:
            raise CannotStart(f"The setting search.url cannot be used. {error.detail}") from error
    key = search.key.get_secret_value() if search.key else ""
    match search.provider:
        case None:
            return None
        case "searxng":
            assert search.url is not None  # the settings see to it
            return SearxngSearch(http, search.url, key or None)
        case "tavily":
            return TavilySearch(http, key, search.url or tavily.ADDRESS)
        case "brave":
            return BraveSearch(http, key, search.url or brave.ADDRESS)
