"""What all search engines share: one call through the guarded client, and errors that say what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from docagent.adapters.web_search.results import Fields, sources
from docagent.domain.egress import EgressFailed, EgressRefused, OutgoingHttp
from docagent.domain.errors import Unavailable
from docagent.domain.turns.web_search import WebSource

KEY_REFUSED = (
    "{name} does not accept the key. Tell an administrator of the server: it is set in search.key "
    "(DOCAGENT_SEARCH__KEY)."
)
USED_UP = "The searches that the plan at {name} includes are used up. Tell an administrator of the server."
_REFUSALS: Mapping[int, str] = {
    400: "{name} does not understand this query. Word it in another way, and shorter.",
    401: KEY_REFUSED,
    402: USED_UP,
    403: KEY_REFUSED,
    404: "{name} is not at the address that is set. Tell an administrator of the server: it is in search.url.",
    422: "{name} does not understand this query. Word it in another way, and shorter.",
    429: "{name} has been asked too often. Wait a minute and search again; if that stays so, the plan is used up.",
}
_REDIRECTED = (
    "{name} redirects to another address, which is not followed. Tell an administrator of the server: "
    "search.url must be the address that answers."
)
_FAILED = "{name} failed with status {status}. Search again later."
_NOT_UNDERSTOOD = (
    "{name} did not answer with a list of results. Tell an administrator of the server: search.url and "
    "search.provider must fit together."
)


class SearchServer:
    """A search engine's address. `refusals` says what a status means there, where that is not the usual."""

    def __init__(self, http: OutgoingHttp, name: str, refusals: Mapping[int, str] | None = None) -> None:
        self._http = http
        self._name = name
        self._refusals = {**_REFUSALS, **(refusals or {})}

    async def ask(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None
    ) -> Mapping[str, Any]:
        """Return the JSON object that the server answers with. Raises Unavailable. No redirect is followed."""
        try:
            answer = await self._http.request(
                method, url, headers={"accept": "application/json", **headers}, body=body
            )
        except EgressRefused as error:
            raise Unavailable(f"The web search may not be called. {error.detail}") from error
        except EgressFailed as error:
            raise Unavailable(f"The web search did not work. {error.detail} Search again later.") from error
        if not answer.is_success:
            raise Unavailable(self._refusal(answer.status))
        try:
            found = orjson.loads(answer.body)
        except orjson.JSONDecodeError as error:
            raise self.not_understood() from error
        if not isinstance(found, dict):
            raise self.not_understood()
        return found

    def sources(self, listed: Any, fields: Fields) -> tuple[WebSource, ...]:
        """Return what the server lists as its results. Raises Unavailable if that is no list."""
        if not isinstance(listed, list):
            raise self.not_understood()
        return sources(listed, fields)

    def not_understood(self) -> Unavailable:
        return Unavailable(_NOT_UNDERSTOOD.format(name=self._name))

    def _refusal(self, status: int) -> str:
        usual = _REDIRECTED if 300 <= status < 400 else _FAILED
        return self._refusals.get(status, usual).format(name=self._name, status=status)
