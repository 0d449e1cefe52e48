"""A model behind one of the wire formats: builds the request, sends it, reads the answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from functools import partial
from typing import Any

import orjson

from docagent.adapters.llm.errors import Endpoint, Provider
from docagent.adapters.llm.fitting import fit
from docagent.adapters.llm.reading import AnswerReader
from docagent.adapters.llm.retries import Retries, with_retries
from docagent.adapters.llm.transport import ModelTransport
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import ModelEvent, ModelRequest, ToolSpec

MOST_KEPT = 64
_tools: dict[tuple[int, ...], tuple[Any, Sequence[ToolSpec], orjson.Fragment]] = {}
"""Encoded tool lists, by the ids of their tools. The tools are kept as well, so that the ids stay valid."""


class HttpModel:
    """A model of one provider. Holds no state between calls; many calls may run at once."""

    def __init__(
        self,
        wire: Wire,
        provider: Provider,
        base_url: str,
        api_key: str | None,
        transport: ModelTransport,
        retries: Retries | None = None,
    ) -> None:
        self._wire = wire
        self._provider = provider
        self._base_url = base_url.rstrip("/")
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "text/event-stream",
            **wire.headers(api_key),
        }
        self._transport = transport
        self._retries = retries or Retries()

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        return with_retries(partial(self._attempt, request), self._retries)

    async def _attempt(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        endpoint = Endpoint(self._provider, request.model)
        fitted = fit(request, self._wire.profile, endpoint)
        call = self._wire.build(fitted.request)
        body = _encoded(call.body, request.tools)
        reader = AnswerReader(self._wire, endpoint)
        exchange = await self._transport.open(self._base_url + call.path, self._headers, body, endpoint)
        try:
            while block := await exchange.read():
                for delta in reader.feed(block):
                    yield fitted.told(delta)
                if reader.done:
                    exchange.answer_is_complete()
            for delta in reader.rest():
                yield fitted.told(delta)
        finally:
            exchange.close()
        yield fitted.restore(reader.reply())


def _encoded(body: dict[str, Any], tools: Sequence[ToolSpec]) -> bytes:
    """Encode the body as JSON. Tools make up most of a request and recur in a turn, so they are encoded only once."""
    written = body.get("tools")
    if not written:
        return orjson.dumps(body)
    key = tuple(map(id, tools))
    kept = _tools.get(key)
    if kept is None or kept[0] != written:
        if len(_tools) >= MOST_KEPT:
            _tools.clear()
        kept = _tools[key] = (written, tools, orjson.Fragment(orjson.dumps(written)))
    return orjson.dumps({**body, "tools": kept[2]})
