"""Reads the JSON object out of a model's reply, however it is wrapped, and says what had to be mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_UNCLOSED_THINKING = re.compile(r"^\s*<(think|thinking|reasoning)>.*?(?=\{)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_CLOSERS = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """What was found. `data` is None when there is no object in the reply at all."""

    data: dict[str, Any] | None
    mended: str | None = None
    """What was wrong with the reply's form, when it was not plain JSON."""


def parse_reply(text: str) -> ParsedReply:
    """The reply's JSON object: as it stands, out of a fence or prose, or completed where it breaks off."""
    stripped = _UNCLOSED_THINKING.sub("", _THINKING.sub("", text)).strip()
    if (data := _loads(stripped)) is not None:
        return ParsedReply(data)
    for candidate in _candidates(stripped):
        if (data := _loads(candidate)) is not None:
            return ParsedReply(data, "The reply held text around its JSON.")
        if (data := _loads(_TRAILING_COMMA.sub(r"\1", candidate))) is not None:
            return ParsedReply(data, "The reply's JSON had stray commas.")
    start = stripped.find("{")
    if start >= 0 and (data := _loads(_completed(stripped[start:]))) is not None:
        return ParsedReply(data, "The reply broke off before its end; what had arrived was kept.")
    return ParsedReply(None)


def _loads(text: str) -> dict[str, Any] | None:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _candidates(text: str) -> list[str]:
    fenced = [match.strip() for match in _FENCE.findall(text)]
    balanced = _balanced(text)
    return fenced + ([balanced] if balanced else [])


def _structure(text: str) -> Iterator[tuple[int, str]]:
    """Positions of the brackets and commas that are not inside a string."""
    inside = escaped = False
    for position, character in enumerate(text):
        if escaped:
            escaped = False
        elif inside and character == "\\":
            escaped = True
        elif character == '"':
            inside = not inside
        elif not inside and character in "{}[],":
            yield position, character


def _balanced(text: str) -> str | None:
    """The first object whose braces close."""
    start = text.find("{")
    if start < 0:
        return None
    depth = 0
    for position, character in _structure(text[start:]):
        if character in "{}":
            depth += 1 if character == "{" else -1
        if depth == 0:
            return text[start : start + position + 1]
    return None


def _completed(text: str) -> str:
    """A JSON text that breaks off, cut back to its last whole member and closed."""
    waiting: list[str] = []
    end, closing = 0, ""
    for position, character in _structure(text):
        if character in _CLOSERS:
            waiting.append(_CLOSERS[character])
        elif character in "}]":
            if not waiting:
                break
            waiting.pop()
        end = position if character == "," else position + 1
        closing = "".join(reversed(waiting))
    return text[:end] + closing


def ordered_like(schema: dict[str, Any] | None, data: Any) -> Any:
    """The data with its keys in the order of the schema's properties, unknown keys last."""
    if schema is None:
        return data
    if isinstance(data, dict):
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        keys = [key for key in known if key in data] + [key for key in data if key not in known]
        return {key: ordered_like(_subschema(known.get(key)), data[key]) for key in keys}
    if isinstance(data, list):
        items = _subschema(schema.get("items"))
        return [ordered_like(items, item) for item in data]
    return data


def _subschema(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
