"""Words and values that tools show: names that cannot deceive, times, and marks of a state."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import orjson

NAME_LENGTH = 80
STAND_IN = "\N{REPLACEMENT CHARACTER}"
MARK_LENGTH = 24


def quoted(text: str, most: int = NAME_LENGTH) -> str:
    """Return a name in quotation marks. A sign stands for each character that is invisible or turns the writing."""
    shown = "".join(
        STAND_IN if unicodedata.category(character) in _UNSEEN else character
        for character in text[: most + 1]
    )
    return f"“{shown[: most - 1]}…”" if len(text) > most else f"“{shown}”"


_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return names in quotation marks, joined as people say them."""
    quotes = [quoted(name) for name in names]
    if len(quotes) < 2:
        return "".join(quotes) or "none"
    return f"{', '.join(quotes[:-1])} and {quotes[-1]}"


def moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def shown_value(value: Any, most: int = 60) -> str:
    """Return a JSON value in a form short enough for a sentence."""
    if isinstance(value, str):
        return quoted(value, most)
    text = orjson.dumps(value).decode()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def mark(*values: Any) -> str:
    """Return a short text that differs if any of the JSON values differs."""
    return hashlib.sha256(orjson.dumps(values)).hexdigest()[:MARK_LENGTH]


def sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
