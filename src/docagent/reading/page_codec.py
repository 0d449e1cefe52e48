"""The form in which a page's words are kept in the database: small, quick to write and to read, with a version.

One byte of version, then zlib over a JSON array:

    [number, width, height, note, words per line, texts, lefts, tops, widths, heights, confidences, sources]

A page with ruled lines, or on which two readers disagree, has version 2 and two arrays more: the four sides of each
line that it draws, one after another, and [[number of a word, its other reading], ...].
Coordinates and confidences are whole numbers of 1/65535; lefts and tops are steps from the word before, which
compress better. Confidences and sources are a single value if all words share it, and a list otherwise.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, chain, islice, starmap
from operator import add, sub
from typing import TypeVar

import orjson

from docagent.domain.documents.text import Box, Line, PackedPage, Page, Word, WordSource
from docagent.domain.errors import ReadFailed, ReadFailure

T = TypeVar("T")

VERSION, VERSION_WITH_MORE = 1, 2
STEPS = 65535
MAX_UNPACKED_BYTES = 64 * 1024 * 1024
_COMPRESSION_LEVEL = 1
_FRACTIONS = [step / STEPS for step in range(STEPS + 1)]
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SOURCES = (WordSource.TEXT, WordSource.WIDGET, WordSource.OCR, WordSource.HIDDEN, WordSource.MODEL)
"""Stored pages hold the place of a source in this list: add new ones at its end."""
_SOURCE_NUMBERS = {source.value: number for number, source in enumerate(_SOURCES)}

Token = tuple[str, int, int, int, int, float, str]
"""A word as a plain tuple: text, left, top, right and bottom in STEPS, confidence, source."""
Sides = tuple[int, int, int, int]
"""Left, top, right and bottom of a ruled line in STEPS."""


def pack_words(
    number: int,
    width: float,
    height: float,
    lines: Sequence[Sequence[Token]],
    note: str | None = None,
    ruling: Sequence[Sides] = (),
    other_readings: Mapping[Token, str] | None = None,
) -> PackedPage:
    """Pack a page. Lone surrogates become the replacement character. Raises ReadFailed if the page is too large."""
    words = list(chain.from_iterable(lines))
    columns = list(zip(*words, strict=True)) or [()] * 7
    texts, lefts, tops, rights, bottoms, confidences, sources = columns
    text = "\n".join([" ".join([word[0] for word in line]) for line in lines])
    if not text.isascii():
        texts, text = tuple(map(_storable, texts)), _storable(text)
    note = None if note is None else _storable(note)
    fields = [
        number,
        width,
        height,
        note,
        list(map(len, lines)),
        texts,
        _differences(lefts),
        _differences(tops),
        list(map(sub, rights, lefts)),
        list(map(sub, bottoms, tops)),
        _one_or_all(confidences, lambda confidence: round(confidence * STEPS)),
        _one_or_all(sources, _SOURCE_NUMBERS.__getitem__),
    ]
    version = VERSION
    if ruling or other_readings:
        version = VERSION_WITH_MORE
        readings = other_readings or {}
        fields += [
            list(chain.from_iterable(ruling)),
            [[index, readings[word]] for index, word in enumerate(words) if word in readings],
        ]
    unpacked = orjson.dumps(fields)
    if len(unpacked) > MAX_UNPACKED_BYTES:
        raise ReadFailed(ReadFailure.TOO_LARGE, "A page of this file holds too much text to be read.")
    layout = bytes([version]) + zlib.compress(unpacked, _COMPRESSION_LEVEL)
    return PackedPage(number, text.replace("\x00", ""), layout, note)


def pack_page(page: Page) -> PackedPage:
    """Pack a page that was decoded, and changed."""
    lines = [[token(word) for word in line.words] for line in page.lines]
    words = list(chain.from_iterable(lines))
    others = {words[number]: text for number, text in page.other_readings.items()}
    ruling = list(map(_sides, page.ruling))
    return pack_words(page.number, page.width, page.height, lines, page.note, ruling, others)


def token(word: Word) -> Token:
    return word.text, *_sides(word.box), word.confidence, word.source.value


def _sides(box: Box) -> Sides:
    left, top, right, bottom = (round(edge * STEPS) for edge in (box.left, box.top, box.right, box.bottom))
    return left, top, right, bottom


def decode_page(data: bytes) -> Page:
    """Return the page in a stored layout. Raises ReadFailed for bytes that were not packed here."""
    try:
        return _decode(data)
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise ReadFailed(
            ReadFailure.DAMAGED, "The stored text of this page is damaged. Read the document again."
        ) from error


def _decode(data: bytes) -> Page:
    if data[0] not in (VERSION, VERSION_WITH_MORE):
        raise ReadFailed(
            ReadFailure.UNSUPPORTED,
            f"The stored text of this page has version {data[0]}, and this program knows no version above "
            f"{VERSION_WITH_MORE}. Update the program, or read the document again.",
        )
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(memoryview(data)[1:], MAX_UNPACKED_BYTES)
    if not unpacking.eof:
        raise ValueError("A stored page is cut off, or is larger than any that was packed here.")
    number, width, height, note, counts, texts, *columns = orjson.loads(unpacked)
    left_steps, top_steps, widths, heights, confidences, sources, *more = columns
    lefts, tops = list(accumulate(left_steps)), list(accumulate(top_steps))
    rights, bottoms = list(map(add, lefts, widths)), list(map(add, tops, heights))
    count = len(texts)
    boxes = _made(Box, count, *map(_fractions, (lefts, tops, rights, bottoms)))
    words = iter(
        _made(
            Word,
            count,
            list(map(sys.intern, texts)),
            boxes,
            _spread(confidences, count, lambda step: step / STEPS),
            _spread(sources, count, _SOURCES.__getitem__),
        )
    )
    lines = tuple(Line(tuple(islice(words, count))) for count in counts)
    drawn, readings = more or ((), ())
    sides = iter(_fractions(drawn))
    return Page(
        number=number,
        width=width,
        height=height,
        lines=lines,
        note=note,
        ruling=tuple(starmap(Box, zip(sides, sides, sides, sides, strict=False))),
        other_readings={int(index): str(reading) for index, reading in readings},
    )


def _differences(values: Sequence[int]) -> list[int]:
    return list(map(sub, values, (0, *values)))


def _fractions(steps: Sequence[int]) -> list[float]:
    """Return the steps as fractions. Equal ones share an object, since the pages of a long document stay in memory."""
    if not steps or (min(steps) >= 0 and max(steps) <= STEPS):
        return list(map(_FRACTIONS.__getitem__, steps))
    return [step / STEPS for step in steps]


def _storable(text: str) -> str:
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _one_or_all(values: Sequence[T], encode: Callable[[T], int]) -> int | list[int]:
    if values and values.count(values[0]) == len(values):
        return encode(values[0])
    encoded = list(map(encode, values))
    return encoded[0] if encoded and encoded.count(encoded[0]) == len(encoded) else encoded


def _spread(stored: int | list[int], count: int, decode: Callable[[int], T]) -> list[T]:
    return [decode(stored)] * count if isinstance(stored, int) else list(map(decode, stored))


def _made(kind: type[T], count: int, *columns: Sequence[object]) -> list[T]:
    """Make objects of a frozen class from one column for each of its fields, in the order of the fields.

    Sets the slots directly: the constructors of frozen classes are three times slower, and pages are read often.
    """
    made = [object.__new__(kind) for _ in range(count)]
    for name, column in zip(kind.__dict__["__slots__"], columns, strict=True):
        if len(column) != count:
            raise ValueError("A column of a stored page has the wrong length.")
        deque(map(kind.__dict__[name].__set__, made, column), maxlen=0)
    return made
