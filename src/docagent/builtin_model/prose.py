"""Finds what contracts say in sentences, without labels: parties, dates, governing law, duration."""

from __future__ import annotations

import re
from collections.abc import Callable

from docagent.builtin_model.candidates import Candidate
from docagent.builtin_model.meant import dates_in
from docagent.builtin_model.sheet import Segment, Sheet

_SCORE = 0.6
_OPENING = 4000
"""How many characters the opening of a contract has at most."""
_AFTER = 120
_LONGEST_NAME = 80
_IN_EFFECT = re.compile(
    r"\b(?:effective(?: date)?|made|entered into|dated|executed|as of)\b|\b(?:vom|le|el|del)\b", re.IGNORECASE
)
_DAY_OF = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)?\s+day\s+of\s+([A-Z][a-z]+)")
_BETWEEN = re.compile(r"\b(?:between|among|zwischen|entre|tussen)\b:?\s*", re.IGNORECASE)
_FORM = r"(?:Inc|LLC|L\.L\.C|Ltd|Limited|L\.?P|LLP|Corp|Corporation|Co|S\.A|N\.V|B\.V|PLC|GmbH|AG)\b\.?"
_NAME = re.compile(
    rf"(?:(?:[Tt]he|[Uu]ndersigned|der|die|das|la|le)\s+)*(?P<name>[A-Z0-9][^,;(\u201c\"\u201d:]*?(?:,\s*{_FORM})?)"
    r"(?=\s*[,;(\u201c\"]|\s+(?:and|und|et|y|en)\s+|\s+(?:a|an|with|having|whose|of|located)\s)"
)
_AND = re.compile(r"(?:,|;|\)|\s)\s*(?:and|und|et|y|en)\s+(?=(?:the\s+)?[A-Z])")
_NOBODY = re.compile(
    r"\b(?:parties|whereas|agreement|exhibit|information|confidential|date|section|article)\b"
    r"|^(?:company|executive|employee|you|us)$",
    re.IGNORECASE,
)
_LAW = re.compile(
    r"\b[Ll]aws?\s+of\s+(?:the\s+)?(?:(?:[Ss]tate|[Cc]ommonwealth|[Pp]rovince|[Rr]epublic)\s+of\s+(?:the\s+)?)?"
    r"(?P<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+){0,2})"
    r"|\bRechts?\s+der\s+(?P<land>[A-Z\u00c4\u00d6\u00dc]\w+(?:\s+[A-Z]\w+)?)"
)
_GOVERNS = re.compile(r"\b(?:govern|constru|interpret|accordance|unterlieg|anwendbar|gilt)\w*", re.IGNORECASE)
_NEAR = 160
_SPELLED = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|eighteen|twenty-four|thirty-six"
_DURATION = re.compile(
    r"\b(?:(?:period|term|duration)\s+of|(?:runs?|lasts?|valid|in\s+(?:force|effect))\b[^.]{0,30}?\bfor)\s+"
    rf"(?:(?:{_SPELLED})\s+)?\(?(?P<number>\d{{1,3}}|{_SPELLED})\)?[\s-]+(?P<unit>years?|months?)\b",
    re.IGNORECASE,
)


def _effective_date(sheet: Sheet) -> Candidate | None:
    """Return the first date in the opening that follows words such as `made as of`."""
    opening = _DAY_OF.sub(r"\1 \2", _text(sheet)[:_OPENING])
    for match in _IN_EFFECT.finditer(opening):
        dates = dates_in(opening[match.end() : match.end() + _AFTER], sheet.style)
        if dates:
            found = dates[0]
            text = opening[match.end() + found.start : match.end() + found.end]
            return Candidate(found.value, text, _SCORE, _anywhere(sheet))
    return None


def _party(sheet: Sheet, place: int) -> Candidate | None:
    """Return the first (0) or second (1) name after `between`."""
    opening = _text(sheet)[:_OPENING]
    for match in _BETWEEN.finditer(opening):
        first = _NAME.match(opening, match.end())
        if first is None or not _is_name(first["name"]):
            continue
        if place == 0:
            return _said(sheet, first["name"])
        for joint in _AND.finditer(opening, first.end("name"), first.end("name") + 600):
            second = _NAME.match(opening, joint.end())
            if second is not None and _is_name(second["name"]):
                return _said(sheet, second["name"])
    return None


def _governing_law(sheet: Sheet) -> Candidate | None:
    """Return the place whose law governs the contract."""
    text = _text(sheet)
    for match in _LAW.finditer(text):
        around = text[max(match.start() - _NEAR, 0) : match.end() + _NEAR]
        if _GOVERNS.search(around):
            return _said(sheet, match["place"] or match["land"])
    return None


def _duration(sheet: Sheet) -> Candidate | None:
    """Return how long the contract lasts, such as `2 years`."""
    match = _DURATION.search(_text(sheet))
    return _said(sheet, f"{match['number']} {match['unit']}") if match else None


def _is_name(text: str) -> bool:
    words = text.split()
    capitals = sum(word[0].isupper() or word[0].isdigit() for word in words)
    return 0 < len(text) <= _LONGEST_NAME and capitals > len(words) / 2 and not _NOBODY.search(text)


def find(sheet: Sheet, key: str) -> Candidate | None:
    """Return what the sentences say for one of the `KEYS`."""
    return _FINDERS[key](sheet) if sheet.segments else None


_FINDERS: dict[str, Callable[[Sheet], Candidate | None]] = {
    "effective_date": _effective_date,
    "first_party": lambda sheet: _party(sheet, 0),
    "second_party": lambda sheet: _party(sheet, 1),
    "governing_law": _governing_law,
    "duration": _duration,
}
KEYS = frozenset(_FINDERS)
"""The concepts that contracts state in sentences."""


def _text(sheet: Sheet) -> str:
    return " ".join(sheet.text.split())


def _said(sheet: Sheet, text: str) -> Candidate:
    return Candidate(text.strip(), text.strip(), _SCORE, _anywhere(sheet))


def _anywhere(sheet: Sheet) -> Segment:
    return sheet.segments[0]
