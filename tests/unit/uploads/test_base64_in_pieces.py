"""Base64 that is decoded in pieces gives the bytes, or the complaint, that it gives as a whole."""

from __future__ import annotations

import base64
import binascii
import random

from docagent.services.documents.contents import Base64Decoder
from tests.support.tables import table

PIECES = (1, 2, 3, 5, 1000)
CORPUS = [
    "",
    "QUJD",
    "QUJDRA==",
    "QUI=",
    "QU JD\nRA\t==\u2028",
    "data:application/pdf;base64,QUJD",
    "data:no comma",
    "dat",
    "data:,QUJD,QUJD",
    "A",
    "QUJDR",
    "QUJDRA",
    "QUJDRA=",
    "====",
    "=QUJD",
    "QUJD=",
    "QUJD" + "=" * 30,
    "QUJD" + "=" * 30 + "A",
    "QUJDRA==QUJD",
    "QUJDRA=A",
    "QUJD!",
    "QU-_",
    "QUJDé",
    "!é",
    "QUJD" * 50 + "!" + "QUJD" * 50,
    "QUJD" * 50 + "A",
]


def as_a_whole(text: str) -> bytes | str:
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        return str(error)


def in_pieces(text: str, size: int) -> bytes | str:
    decoder = Base64Decoder()
    found = b"".join(decoder.feed(text[at : at + size]) for at in range(0, len(text), size)) + decoder.end()
    return found if decoder.problem is None else decoder.problem


@table("text", CORPUS)
@table("size", PIECES)
def test_the_corpus(text: str, size: int) -> None:
    assert in_pieces(text, size) == as_a_whole(text)


def test_texts_by_chance() -> None:
    chance = random.Random(4711)
    for _ in range(3000):
        text = "".join(chance.choice("ABCDEFGH+/== \n!,é") for _ in range(chance.randrange(30)))
        for size in PIECES:
            assert in_pieces(text, size) == as_a_whole(text), text
