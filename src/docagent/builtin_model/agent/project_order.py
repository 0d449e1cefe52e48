"""Puts requests into the plain order of verb, object and place: `I want x removed from A` is `remove x from A`."""

from __future__ import annotations

import re

_VERBS = {
    **{"added": "add", "inserted": "insert", "put": "put", "included": "include", "appended": "append"},
    **{"removed": "remove", "deleted": "delete", "dropped": "drop", "erased": "erase", "renamed": "rename"},
    **{
        "moved": "move",
        "changed": "change",
        "replaced": "replace",
        "corrected": "correct",
        "updated": "update",
    },
}
_DONE = "|".join(_VERBS)
_WANTED = re.compile(
    rf"(?:create|have|get|see)\s+(?P<object>.+?)\s+(?P<verb>{_DONE})\b(?P<rest>.*)", re.I | re.S
)
_NEEDED = re.compile(
    rf"(?P<object>.+?)(?<!\s)\s+(?:must|has to|have to|needs to|need to)\s+be\s+(?P<verb>{_DONE})\b(?P<rest>.*)",
    re.I | re.S,
)
_COMPLETED = re.compile(
    r"(?:(?:update|extend|expand|edit|complete|change|modify)\s+(?P<place>.+?)"
    r"\s+(?:to include|by adding|to have|so that it has)"
    r"|make sure\s+(?:that\s+)?(?P<holder>.+?)\s+(?:has|includes|contains|mentions))\s+(?P<object>\S.*)",
    re.I | re.S,
)


def in_plain_order(text: str) -> str:
    completed = _COMPLETED.fullmatch(text)
    if completed is not None:
        return f"add {completed['object']} to {completed['place'] or completed['holder']}"
    passive = _WANTED.fullmatch(text) or _NEEDED.fullmatch(text)
    if passive is not None:
        return f"{_VERBS[passive['verb'].lower()]} {passive['object']}{passive['rest']}"
    return text
