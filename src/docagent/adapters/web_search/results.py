"""Turns what search engines list into sources. Nothing in a list is believed: what is no link is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from docagent.domain.shown import visible
from docagent.domain.turns.web_search import WebSource, is_web_address

MOST_SOURCES = 8
MOST_TITLE_CHARACTERS = 200
MOST_EXCERPT_CHARACTERS = 1000
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Fields:
    """What a search engine calls the parts of a result."""

    excerpt: str
    published: str
    title: str = "title"
    address: str = "url"


def sources(listed: Sequence[Any], fields: Fields) -> tuple[WebSource, ...]:
    """The first sources of a list, each address once."""
    found: dict[str, WebSource] = {}
    for item in listed:
        source = _source(item, fields) if isinstance(item, Mapping) else None
        if source is not None:
            found.setdefault(source.address, source)
        if len(found) == MOST_SOURCES:
            break
    return tuple(found.values())


def _source(item: Mapping[str, Any], fields: Fields) -> WebSource | None:
    address = item.get(fields.address)
    if not isinstance(address, str) or not is_web_address(address):
        return None
    return WebSource(
        title=_line(item.get(fields.title), MOST_TITLE_CHARACTERS) or str(urlsplit(address).hostname),
        address=address,
        excerpt=_line(item.get(fields.excerpt), MOST_EXCERPT_CHARACTERS),
        published=_day(item.get(fields.published)),
    )


def _line(text: Any, most: int) -> str:
    """The text on one line, without the tags that mark the words that were looked for."""
    if not isinstance(text, str):
        return ""
    line = visible(" ".join(unescape(_TAG.sub("", text)).split()), "")
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _day(written: Any) -> str | None:
    """The day of a time in ISO's form or in that of mail; None for "3 days ago" and the like."""
    if not isinstance(written, str):
        return None
    try:
        if iso := _DAY.match(written):
            return date.fromisoformat(iso[0]).isoformat()
        return parsedate_to_datetime(written).date().isoformat()
    except ValueError:
        return None
