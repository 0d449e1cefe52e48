"""Folds texts: takes away case, accents, ligatures and widths, so that they can be compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_STROKED = str.maketrans("øłđð\u0131ħ", "olddih", "\xad") | str.maketrans({"æ": "ae", "œ": "oe", "þ": "th"})
_ACCENTS = re.compile("[\u0300-\u036f]")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return the text in lower case, without accents, ligatures, and full-width or other compatibility forms."""
    return text.casefold() if text.isascii() else _fold_wide(text)


def _fold_wide(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFC", bare).translate(_STROKED)


@lru_cache(maxsize=65536)
def squeezed(text: str) -> str:
    """Return only the letters and digits of the text, folded."""
    return "".join(filter(str.isalnum, fold(text)))


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text that knows where its characters stand in the source."""

    text: str
    places: Sequence[int] | None
    """The place of each character in the source; None if all characters have kept their places."""
    source_length: int

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Return the start and end in the source of the characters `start` to `end`."""
        if self.places is None:
            return start, end
        following = self.places[end] if end < len(self.places) else self.source_length
        return self.places[start], max(following, self.places[end - 1] + 1)


def fold_keeping_places(text: str) -> Folded:
    """Fold the text character by character, so that the place of each in the source is known."""
    if text.isascii():
        return Folded(text.lower(), None, len(text))
    characters = [fold(character) for character in text]
    folded = "".join(characters)
    if len(folded) == len(text) and all(characters):
        return Folded(folded, None, len(text))
    places = [place for place, character in enumerate(characters) for _ in character]
    return Folded(folded, places, len(text))


def fold_widths(text: str) -> str:
    """Replace full-width characters and all kinds of spaces by the plain ones. Each keeps its place and case."""
    return text if text.isascii() else "".join(map(_narrow, text))


@lru_cache(maxsize=8192)
def _narrow(character: str) -> str:
    narrow = unicodedata.normalize("NFKC", character)
    return narrow if len(narrow) == 1 else character
