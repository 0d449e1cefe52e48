"""What the reading process and the server say to one another: JSON, each message behind its length."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from docagent.adapters.parse.tokens import TokenPage, page_of_tokens
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.domain.text import Page

HEADER = struct.Struct(">I")
MAX_FRAME_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PageStarted:
    """The reading process begins to work on a page, and knows its size."""

    number: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Finished:
    """All was said."""


Sent = Opened | PageStarted | TokenPage
Received = Opened | PageStarted | Page | ReadFailed | Finished


class BadFrame(Exception):
    """The other side sent something that is no message."""


class FrameWriter:
    """Writes messages to a stream, each at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def send(self, message: Sent | ReadFailed | Finished) -> None:
        body = orjson.dumps(_plain(message))
        if len(body) > MAX_FRAME_BYTES:
            raise ReadFailed(ReadFailure.TOO_LARGE, "A page of this file holds too much text to be read.")
        self._stream.write(HEADER.pack(len(body)) + body)
        self._stream.flush()


def decode(body: bytes) -> Received:
    """The message in a frame. Raises BadFrame."""
    try:
        kind, *fields = orjson.loads(body)
        match kind, fields:
            case "page", [int(number), float(width), float(height), list(lines), note]:
                return page_of_tokens(TokenPage(number, width, height, lines, note))
            case "started", [int(number), float(width), float(height)]:
                return PageStarted(number, width, height)
            case "opened", [int(page_count)]:
                return Opened(page_count)
            case "failed", [failure, str(detail)]:
                return ReadFailed(ReadFailure(failure), detail)
            case "finished", []:
                return Finished()
    except (ValueError, TypeError, KeyError) as error:
        raise BadFrame from error
    raise BadFrame


def _plain(message: Sent | ReadFailed | Finished) -> list[Any]:
    match message:
        case TokenPage(number, width, height, lines, note):
            return ["page", number, float(width), float(height), lines, note]
        case PageStarted(number, width, height):
            return ["started", number, float(width), float(height)]
        case Opened(page_count):
            return ["opened", page_count]
        case ReadFailed():
            return ["failed", message.failure.value, message.detail]
        case Finished():
            return ["finished"]
