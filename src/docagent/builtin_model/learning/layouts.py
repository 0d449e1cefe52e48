"""Tells documents of one layout by the words that they have in common, and where on the line these begin.

A layout is a short signature (minhash): the share of equal numbers in two signatures is about the share of words that
two pages have in common. Bands of it are looked up in an index, so no other document has to be read.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from docagent.domain.documents.text import Page
from docagent.reading.printed import fold

_BANDS = 20
_IN_BAND = 3
_MOST_WORDS = 2000
_SHORTEST_WORD = 3
_STEPS_ACROSS = 10
_PRIME = 4294967291
_DICE = np.random.default_rng(20)
_FACTORS = _DICE.integers(1, _PRIME, (_BANDS * _IN_BAND, 1), dtype=np.uint64)
_ADDED = _DICE.integers(0, _PRIME, (_BANDS * _IN_BAND, 1), dtype=np.uint64)


@lru_cache(maxsize=65536)
def letters(word: str) -> str:
    """Return a word in lower case, without figures and marks."""
    folded = fold(word)
    return folded if folded.isalpha() else "".join(filter(str.isalpha, folded))


def signature_of(pages: Sequence[Page]) -> list[int]:
    """Return the signature of a document's first page; an empty one for a page without words."""
    words: set[int] = set()
    for word in pages[0].words[:_MOST_WORDS] if pages else ():
        text = letters(word.text)
        if len(text) >= _SHORTEST_WORD:
            words.add(zlib.crc32(f"{text} {round(word.box.left * _STEPS_ACROSS)}".encode()))
            words.add(zlib.crc32(text.encode()))
    if not words:
        return []
    hashed = (np.array(sorted(words), dtype=np.uint64)[None, :] * _FACTORS + _ADDED) % np.uint64(_PRIME)
    return [int(least) for least in hashed.min(axis=1)]


def bands_of(signature: Sequence[int]) -> list[int]:
    """Return the keys under which a layout is looked up: layouts that are alike share at least one of them."""
    return [
        zlib.crc32(f"{number} {signature[number * _IN_BAND : (number + 1) * _IN_BAND]}".encode())
        for number in range(len(signature) // _IN_BAND)
    ]


def likeness(one: Sequence[int], other: Sequence[int]) -> float:
    """Return how much two layouts have in common, 0..1."""
    if not one or len(one) != len(other):
        return 0.0
    return sum(left == right for left, right in zip(one, other, strict=True)) / len(one)
