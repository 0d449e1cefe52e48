"""Names, arguments and results as a person may see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from docagent.domain.shown import plain

MOST_SHOWN = 4000
MOST_ITEMS = 200
MOST_LEVELS = 12
LEFT_OUT = "…"


def for_display(text: str, most: int = MOST_SHOWN) -> str:
    """The text without characters that reverse or hide text, and cut to a length that a person reads."""
    kept = text[: 2 * most]
    clean = plain(kept, stand_in="")
    return clean if len(clean) <= most and len(kept) == len(text) else f"{clean[:most]}{LEFT_OUT}"


def shown_arguments(arguments: str) -> Any:
    """The arguments as an object that is fit to be shown, or the text itself if it is not JSON."""
    try:
        value = orjson.loads(arguments or "{}")
    except orjson.JSONDecodeError:
        return for_display(arguments)
    return shown(value)


def shown(value: Any, level: int = 0) -> Any:
    """The same values, cut where they are too long, too many or too deep."""
    if isinstance(value, str):
        return for_display(value)
    if not isinstance(value, Mapping | list | tuple):
        return value
    if level >= MOST_LEVELS:
        return LEFT_OUT
    if isinstance(value, Mapping):
        items = [(for_display(str(key)), shown(value[key], level + 1)) for key in list(value)[:MOST_ITEMS]]
        return dict(items) | ({LEFT_OUT: LEFT_OUT} if len(value) > MOST_ITEMS else {})
    listed = [shown(item, level + 1) for item in value[:MOST_ITEMS]]
    return [*listed, LEFT_OUT] if len(value) > MOST_ITEMS else listed
