"""Types of request fields. Values that no database can store are refused here."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from docagent.domain.clock import is_time_zone
from docagent.domain.shown import without_hidden

MAX_NAME_LENGTH = 255
MAX_PATH_LENGTH = 1000
MAX_TEXT_LENGTH = 1_000_000
MAX_JSON_DEPTH = 100
MAX_INTEGER = 2**63 - 1


def storable_text(text: str) -> str:
    """Refuses what PostgreSQL or UTF-8 cannot hold."""
    if "\x00" in text:
        raise ValueError("NUL characters cannot be stored; remove them")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("The text is not valid Unicode: it holds half of a surrogate pair")
    return text


def storable_json(value: Any) -> Any:
    """Refuses JSON with texts or numbers that cannot be stored, or nested too deeply."""
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting:
        current, depth = waiting.pop()
        if depth > MAX_JSON_DEPTH:
            raise ValueError(f"The value is nested deeper than {MAX_JSON_DEPTH} levels")
        if isinstance(current, str):
            storable_text(current)
        elif isinstance(current, dict):
            for key, member in current.items():
                storable_text(key)
                waiting.append((member, depth + 1))
        elif isinstance(current, list):
            waiting.extend((member, depth + 1) for member in current)
        elif isinstance(current, float) and not math.isfinite(current):
            raise ValueError(f"{current} is not a JSON number")
        elif isinstance(current, int) and abs(current) > MAX_INTEGER:
            raise ValueError("An integer is too large; the limit is 64 bits")
    return value


def name_in_sight(name: str) -> str:
    """Leaves out of a name what cannot be seen."""
    if not (seen := without_hidden(storable_text(name))):
        raise ValueError("The name holds nothing that can be seen")
    return seen


def known_time_zone(name: str) -> str:
    if not is_time_zone(name):
        raise ValueError("This is not the IANA name of a time zone, such as Europe/Berlin")
    return name


Text = Annotated[str, AfterValidator(storable_text)]
TimeZone = Annotated[str, AfterValidator(known_time_zone)]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(name_in_sight)]
Email = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH), AfterValidator(storable_text)]
LongText = Annotated[str, Field(max_length=MAX_TEXT_LENGTH), AfterValidator(storable_text)]
ShortText = Annotated[str, Field(max_length=MAX_NAME_LENGTH), AfterValidator(storable_text)]
PathIn = Annotated[
    str,
    Field(
        max_length=MAX_PATH_LENGTH, description="Such as `lines.0.price`, or a JSON Pointer: `/lines/0/price`"
    ),
    AfterValidator(storable_text),
]
JsonObject = Annotated[dict[str, Any], AfterValidator(storable_json)]
JsonList = Annotated[list[Any], AfterValidator(storable_json)]
AnyJson = Annotated[Any, AfterValidator(storable_json)]
Hunks = Annotated[list[Annotated[int, Field(ge=0, le=2**31 - 1)]], Field(max_length=1_000)]
PageNumber = Annotated[int, Field(ge=1, le=10**6, description="Counted from 1")]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
Seen = Annotated[int, Field(ge=0, le=2**31 - 1)]
SEEN = "Number of the last event that the person saw. What waits since a later one is not decided by this"
