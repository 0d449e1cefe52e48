"""Reads one streamed answer: takes bytes in any portions, gives deltas and the whole reply. Does no I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docagent.adapters.llm.errors import Endpoint, not_understood
from docagent.adapters.llm.sse import EventStream, EventTooLarge
from docagent.adapters.llm.wire import StreamParser, Wire
from docagent.domain.models.llm import ModelDelta, ModelReply

_WRONG_SHAPE = (KeyError, TypeError, AttributeError, ValueError, IndexError)


class AnswerReader:
    """Joins the event stream and the parser of one wire format."""

    def __init__(self, wire: Wire, endpoint: Endpoint) -> None:
        self._events = EventStream()
        self._parser: StreamParser = wire.parser(endpoint)
        self._endpoint = endpoint

    @property
    def done(self) -> bool:
        return self._parser.done

    def feed(self, block: bytes) -> Iterator[ModelDelta]:
        """Return the deltas in the block. Raises ModelError."""
        try:
            events = self._events.feed(block)
        except EventTooLarge as error:
            raise not_understood(self._endpoint) from error
        return self._take(events)

    def rest(self) -> Iterator[ModelDelta]:
        """At the end of the stream, return the deltas of an event that was not yet complete."""
        return self._take(self._events.finish())

    def reply(self) -> ModelReply:
        """Return the whole reply. Raises ModelError if the answer was cut off."""
        try:
            return self._parser.finish()
        except _WRONG_SHAPE as error:
            raise not_understood(self._endpoint) from error

    def _take(self, events: Iterable[bytes]) -> Iterator[ModelDelta]:
        feed = self._parser.feed
        for data in events:
            try:
                deltas = feed(data)
            except _WRONG_SHAPE as error:
                raise not_understood(self._endpoint) from error
            yield from deltas
