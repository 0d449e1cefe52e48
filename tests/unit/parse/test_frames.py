from __future__ import annotations

import io
import struct
from dataclasses import astuple

import pytest

from docagent.adapters.parse.frames import (
    HEADER,
    BadFrame,
    Finished,
    FrameWriter,
    PageStarted,
    Received,
    decode,
)
from docagent.adapters.parse.tokens import TokenPage, token_lines
from docagent.domain.documents.text import Box, Line, PackedPage, Word, WordSource
from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.ports import Opened
from docagent.reading.page_codec import decode_page
from tests.support.tables import table


def _sent(message: Opened | PageStarted | TokenPage | ReadFailed | Finished) -> Received:
    stream = io.BytesIO()
    FrameWriter(stream).send(message)
    content = stream.getvalue()
    (size,) = HEADER.unpack(content[: HEADER.size])
    assert size == len(content) - HEADER.size
    return decode(content[HEADER.size :])


def test_messages_arrive_as_they_were_sent() -> None:
    for message in (Opened(3), PageStarted(1, 595.5, 842.0), Finished()):
        assert _sent(message) == message
    failure = _sent(ReadFailed(ReadFailure.ENCRYPTED, "Give the password."))
    assert isinstance(failure, ReadFailed)
    assert (failure.failure, failure.detail) == (ReadFailure.ENCRYPTED, "Give the password.")


def test_a_page_arrives_with_words_boxes_confidence_and_source() -> None:
    lines = (
        Line(
            (
                Word(
                    "ä€\ud83c\udf89".encode("utf-16", "surrogatepass").decode("utf-16"),
                    Box(0.1, 0.2, 0.3, 0.4),
                ),
            )
        ),
        Line((Word("seen", Box(0.0, 0.5, 1.0, 0.6), 0.73, WordSource.OCR), Word("[x]", Box(0, 0, 1, 1)))),
    )
    page = TokenPage(7, 595.0, 842.0, token_lines(lines), "A note.")
    sent = _sent(page)
    assert isinstance(sent, PackedPage)
    assert (sent.number, sent.text, sent.note) == (7, "ä€🎉\nseen [x]", "A note.")
    back = decode_page(sent.layout)
    assert (back.number, back.width, back.height, back.note) == (7, 595.0, 842.0, "A note.")
    for given, received in zip((word for line in lines for word in line.words), back.words, strict=True):
        assert (received.text, received.source) == (given.text, given.source)
        assert received.confidence == pytest.approx(given.confidence, abs=1e-4)
        assert astuple(received.box) == pytest.approx(astuple(given.box), abs=1e-4)


@table(
    "body",
    [
        b"",
        b"nonsense",
        b"17",
        b"[]",
        b'["unknown", 1]',
        b'["opened", "many"]',
        b'["failed", "no such reason", "text"]',
        b"p",
        b"p" + struct.pack(">III", 1, 4, 0) + b"text",
        b"p" + struct.pack(">III", 1, 2, 0) + b"\xff\xfflayout",
    ],
)
def test_anything_else_is_no_message(body: bytes) -> None:
    with pytest.raises(BadFrame):
        decode(body)
