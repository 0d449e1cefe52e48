"""Sentences, and patterns of their words."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"[.;!?][)\"\u201d\u2019]*\s+(?=\u00a7\s?\d|[\"\u201c(]?[A-Z\u00c0-\u00de\d])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Inc|Ltd|Co|Corp|No|Nos|Mr|Mrs|Ms|Dr|St|Jr|Sr|Sec|Art|Pty|Bros|nr|Nr|art|ust|ul|tel|Abs|Ziff|bzw|ca)"
    r"|\b[A-Z]|\.[A-Za-z]|\b[a-z])\.$"
)


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences. The dot of an abbreviation ends none."""
    start = 0
    for match in _END.finditer(text):
        if _ABBREVIATION.search(text, start, match.start() + 1):
            continue
        yield text[start : match.end()].strip()
        start = match.end()
    yield text[start:].strip()
