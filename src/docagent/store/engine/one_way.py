"""Puts several prepared statements into one, so that they go to PostgreSQL and back together.

All but the last become parts of its WITH. They see the same moment, so none may depend on what another changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

_PLACE = re.compile(r"\$(\d+)")
MOST_PARTS = 32
"""Beyond this, the text of the statement would cost more than the ways that it saves."""


def in_one(statements: Sequence[tuple[str, Sequence[Any]]]) -> tuple[str, list[Any]]:
    """Return the text of one statement that does what all of them do, and its values."""
    if len(statements) == 1:
        sql, values = statements[0]
        return sql, list(values)
    texts = tuple((sql, len(values)) for sql, values in statements)
    return _text(texts), [value for _, values in statements for value in values]


@lru_cache(maxsize=200)
def _text(statements: tuple[tuple[str, int], ...]) -> str:
    parts: list[str] = []
    taken = 0
    for sql, count in statements:
        parts.append(_PLACE.sub(partial(_moved, taken), sql))
        taken += count
    *others, last = parts
    named = ", ".join(f"part_{number} AS ({part})" for number, part in enumerate(others))
    return f"WITH {named} {last}"


def _moved(by: int, place: re.Match[str]) -> str:
    return f"${int(place[1]) + by}"
