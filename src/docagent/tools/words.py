"""Words and values that tools show: names in lists, times, and marks of a state."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import orjson

from docagent.domain.listing import Found
from docagent.domain.shown import quoted

MARK_LENGTH = 24
Item = TypeVar("Item")


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return names in quotation marks, joined as people say them."""
    quotes = [quoted(name) for name in names]
    if len(quotes) < 2:
        return "".join(quotes) or "none"
    return f"{', '.join(quotes[:-1])} and {quotes[-1]}"


def list_json(nouns: str, found: Found[Item], written: Callable[[Item], Mapping[str, Any]]) -> dict[str, Any]:
    return {nouns: list(map(written, found.items)), "total_count": found.total, "skip": found.skip}


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
