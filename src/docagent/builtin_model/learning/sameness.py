"""Whether two values of a result are the same to a person."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from docagent.reading.printed import squeezed

_MINUS = ("-", "\u2212")


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values, or lists of rows, say the same. Punctuation and spaces in texts do not count."""
    are_single = one is not None and other is not None and not isinstance(one, list | dict)
    return sense_of(one) == sense_of(other) or (are_single and _as_text(one) == _as_text(other))


def sense_of(value: Any) -> Hashable:
    """Return what is the same for values that say the same."""
    if isinstance(value, list):
        return tuple(map(sense_of, value))
    if isinstance(value, dict):
        return frozenset((name, sense_of(inner)) for name, inner in value.items() if inner is not None)
    if isinstance(value, int | float):
        return float(value)
    return None if value is None else _as_text(value)


def _as_text(value: Any) -> str:
    text = str(value).strip()
    is_negative = text[:1] in _MINUS and text[1:2].isdigit()
    return f"-{squeezed(text)}" if is_negative else squeezed(text)
