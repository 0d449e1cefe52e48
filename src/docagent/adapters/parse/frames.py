"""The messages from a reading process to the server, each preceded by its length.

Pages come packed as they are stored, so the server only hands them on. All other messages are JSON arrays.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

import orjson

from docagent.adapters.parse.tokens import TokenPage
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.reading.page_codec import MAX_UNPACKED_BYTES, pack_words

HEADER = struct.Struct(">I")
MAX_FRAME_BYTES = 2 * MAX_UNPACKED_BYTES
"""Twice the limit of an unpacked layout, because a page's text and its packed layout are each smaller than that."""

_PAGE = b"p"
_PAGE_START = struct.Struct(">cIII")
"""Mark, page number, length of the text and of the note in bytes. Text, note and layout follow."""


@dataclass(frozen=True, slots=True)
class PageStarted:
    """The reading process has begun a page and knows its size."""

    number: int
    width: float
    height: float
    processor_seconds: float = 0.0
    """What the process had used by then."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The reading process has sent everything."""


Sent = Opened | PageStarted | TokenPage
Received = Opened | PageStarted | PackedPage | ReadFailed | Finished


class BadFrame(Exception):
    """The reading process sent something that is not a message."""


class FrameWriter:
    """Writes messages to a stream and flushes each at once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def send(self, message: Sent | ReadFailed | Finished) -> None:
        body = _packed(message) if isinstance(message, TokenPage) else orjson.dumps(_plain(message))
        self._stream.write(HEADER.pack(len(body)) + body)
        self._stream.flush()


def decode(body: bytes) -> Received:
    """Return the message in a frame. Raises BadFrame."""
    try:
        if body[:1] == _PAGE:
            return _page(body)
        kind, *fields = orjson.loads(body)
        match kind, fields:
            case "started", [int(number), float(width), float(height), float(processor_seconds)]:
                return PageStarted(number, width, height, processor_seconds)
            case "opened", [int(page_count)]:
                return Opened(page_count)
            case "failed", [failure, str(detail)]:
                return ReadFailed(ReadFailure(failure), detail)
            case "finished", []:
                return Finished()
    except (ValueError, TypeError, KeyError, struct.error) as error:
        raise BadFrame from error
    raise BadFrame


def _packed(page: TokenPage) -> bytes:
    packed = pack_words(
        page.number, page.width, page.height, page.lines, page.note, page.ruling, page.other_readings
    )
    text, note = packed.text.encode(), (packed.note or "").encode()
    return _PAGE_START.pack(_PAGE, packed.number, len(text), len(note)) + text + note + packed.layout


def _page(body: bytes) -> PackedPage:
    _, number, text_size, note_size = _PAGE_START.unpack_from(body)
    text_end = _PAGE_START.size + text_size
    note_end = text_end + note_size
    layout = body[note_end:]
    if not layout:
        raise BadFrame
    text, note = body[_PAGE_START.size : text_end].decode(), body[text_end:note_end].decode()
    return PackedPage(number, text, layout, note or None)


def _plain(message: Opened | PageStarted | ReadFailed | Finished) -> list[Any]:
    match message:
        case PageStarted(number, width, height, processor_seconds):
            return ["started", number, float(width), float(height), processor_seconds]
        case Opened(page_count):
            return ["opened", page_count]
        case ReadFailed():
            return ["failed", message.failure.value, message.detail]
        case Finished():
            return ["finished"]
