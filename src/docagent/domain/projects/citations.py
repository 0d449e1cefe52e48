"""Citations: links in a living document to an extracted value, or to words on a page of an uploaded document.

`[EUR 1,909.40](doc:<document>/<prompt>/<path> "1909.4")` cites a value, `[as agreed](doc:<document>/page/3 "within 30
days")` the words of a page. The title keeps what was there when the passage was written: when it is no longer so, the
passage is stale.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote, unquote

from docagent.domain.extraction.results import DEFAULT_PROMPT

SCHEME = "doc:"
_VALUE = re.compile(rf"doc:([0-9a-f]{{24}})/([0-9a-f]{{24}}|{DEFAULT_PROMPT})/([^/]+)")
_WORDS = re.compile(r"doc:([0-9a-f]{24})/page/([1-9][0-9]{0,8})")


class CitationState(StrEnum):
    CURRENT = "current"
    STALE = "stale"
    """What is cited says something else now."""
    GONE = "gone"
    """The document, the result, the field or the page is not there any more."""


@dataclass(frozen=True, slots=True)
class CitedValue:
    document_id: str
    prompt_id: str
    path: str

    @property
    def address(self) -> str:
        return f"{SCHEME}{self.document_id}/{self.prompt_id}/{quote(self.path, safe='')}"


@dataclass(frozen=True, slots=True)
class CitedWords:
    document_id: str
    page: int

    @property
    def address(self) -> str:
        return f"{SCHEME}{self.document_id}/page/{self.page}"


Cited = CitedValue | CitedWords


def cited_at(address: str) -> Cited | None:
    """What an address cites; None for all other addresses, such as one that only leads to a document."""
    if found := _WORDS.fullmatch(address):
        return CitedWords(found[1], int(found[2]))
    if found := _VALUE.fullmatch(address):
        return CitedValue(found[1], found[2], unquote(found[3]))
    return None


def in_title(value: Any) -> str:
    """A value as the title of a citation has it."""
    return (
        one_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )


def is_value(title: str, value: Any) -> bool:
    """Whether a citation's title says this value."""
    if isinstance(value, str):
        return one_line(title) == one_line(value)
    try:
        said = json.loads(title)
    except ValueError:
        return False
    return bool(said == value) and isinstance(said, bool) == isinstance(value, bool)


def one_line(text: str) -> str:
    return " ".join(text.split())


def as_link(text: str, cited: Cited, title: str) -> str:
    """The citation as markdown."""
    shown = re.sub(r"([\\\[\]`*_<])", r"\\\1", one_line(text))
    said = one_line(title).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{shown}]({cited.address} "{said}")'
