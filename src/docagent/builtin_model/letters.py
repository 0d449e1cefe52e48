"""Letters without accents and case, one character for one, so that places in a text stay true."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """No accents, no case; the length stays."""
    if text.isascii():
        return text.lower()
    return "".join(_plain_character(character) for character in text)


def _plain_character(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0].lower()
    return {"ł": "l", "ø": "o", "đ": "d"}.get(base, base) if len(base) == 1 else character
