"""The form in which a page's words are kept in the database: small, quick to read, with a version.

One byte of version, then zlib over a JSON array:

    [number, width, height, note, words per line, texts, lefts, tops, widths, heights, confidences, sources]

Coordinates and confidences are whole numbers of 1/65535; lefts and tops are steps from the word before, which
compress better. Confidences and sources are one value when all words share it, and a list otherwise.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, islice, pairwise
from operator import add
from typing import TypeVar

import orjson

from docagent.domain.errors import ReadFailed, ReadFailure
from docagent.domain.text import Box, Line, Page, Word, WordSource

T = TypeVar("T")

VERSION = 1
_STEPS = 65535
_COMPRESSION_LEVEL = 6
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SOURCES = (WordSource.TEXT, WordSource.WIDGET, WordSource.OCR)
_SOURCE_NUMBERS = {source: number for number, source in enumerate(_SOURCES)}


def encode_page(page: Page) -> bytes:
    """The page as bytes. Half characters that no encoding can carry become the replacement character."""
    words = page.words
    lefts = [round(word.box.left * _STEPS) for word in words]
    tops = [round(word.box.top * _STEPS) for word in words]
    fields = [
        page.number,
        page.width,
        page.height,
        None if page.note is None else _storable(page.note),
        [len(line.words) for line in page.lines],
        [_storable(word.text) for word in words],
        _differences(lefts),
        _differences(tops),
        [round(word.box.right * _STEPS) - left for word, left in zip(words, lefts, strict=True)],
        [round(word.box.bottom * _STEPS) - top for word, top in zip(words, tops, strict=True)],
        _one_or_all([round(word.confidence * _STEPS) for word in words]),
        _one_or_all([_SOURCE_NUMBERS[word.source] for word in words]),
    ]
    return bytes([VERSION]) + zlib.compress(orjson.dumps(fields), _COMPRESSION_LEVEL)


def decode_page(data: bytes) -> Page:
    """The page that `encode_page` was given. Raises ReadFailed for bytes that it did not make."""
    try:
        return _decode(data)
    except (zlib.error, ValueError, TypeError, IndexError) as error:
        raise ReadFailed(
            ReadFailure.DAMAGED, "The stored text of this page is damaged. Read the document again."
        ) from error


def _decode(data: bytes) -> Page:
    if data[0] != VERSION:
        raise ReadFailed(
            ReadFailure.UNSUPPORTED,
            f"The stored text of this page has version {data[0]}, and this program knows version {VERSION}. "
            "Update the program, or read the document again.",
        )
    fields = orjson.loads(zlib.decompress(memoryview(data)[1:]))
    (
        number,
        width,
        height,
        note,
        counts,
        texts,
        left_steps,
        top_steps,
        widths,
        heights,
        confidences,
        sources,
    ) = fields
    lefts, tops = list(accumulate(left_steps)), list(accumulate(top_steps))
    rights, bottoms = map(add, lefts, widths), map(add, tops, heights)
    count = len(texts)
    boxes = _made(Box, count, *map(_fractions, (lefts, tops, rights, bottoms)))
    words = iter(
        _made(
            Word,
            count,
            texts,
            boxes,
            _spread(confidences, count, lambda step: step / _STEPS),
            _spread(sources, count, _SOURCES.__getitem__),
        )
    )
    lines = tuple(Line(tuple(islice(words, count))) for count in counts)
    return Page(number=number, width=width, height=height, lines=lines, note=note)


def _differences(values: list[int]) -> list[int]:
    return [value - before for before, value in pairwise([0, *values])]


def _fractions(steps: Iterable[int]) -> list[float]:
    return [step / _STEPS for step in steps]


def _storable(text: str) -> str:
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def _one_or_all(values: list[int]) -> int | list[int]:
    return values[0] if values and values.count(values[0]) == len(values) else values


def _spread(stored: int | list[int], count: int, decode: Callable[[int], T]) -> list[T]:
    return [decode(stored)] * count if isinstance(stored, int) else list(map(decode, stored))


def _made(kind: type[T], count: int, *columns: Sequence[object]) -> list[T]:
    """Objects of a frozen class from one column for each of its fields, in their order.

    Sets the slots directly: the constructors of frozen classes are three times slower, and pages are read often.
    """
    made = [object.__new__(kind) for _ in range(count)]
    for name, column in zip(kind.__dict__["__slots__"], columns, strict=True):
        if len(column) != count:
            raise ValueError("A column of a stored page has the wrong length.")
        deque(map(kind.__dict__[name].__set__, made, column), maxlen=0)
    return made
