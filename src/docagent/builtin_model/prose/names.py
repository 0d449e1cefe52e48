"""Reads the name of a person or firm where one begins in a sentence."""

from __future__ import annotations

import re
from functools import cache

from docagent.reading.printed import fold
from docagent.words import words

_CAPITAL = "A-Z\u00c0-\u00de\u0141\u015a\u017b\u0179\u010c\u0158\u0160\u017d"
_FORM = (
    r"(?:Incorporated|Inc|LLC|L\.L\.C|Limited|Ltd|L\.?P|LLP|L\.L\.P|Corporation|Corp|Company|Co|PLC|Pty|Pte|N\.A"
    r"|GmbH(?:\s?&\s?Co\.?\s?KG)?|mbH|AG|KG|OHG|UG(?:\s\(haftungsbeschr\u00e4nkt\))?|e\.\s?K|e\.\s?V|GbR|SE"
    r"|S\.?A\.?S\.?U|S\.?A\.?S|S\.?A\.?R\.?L|SARL|EURL|S\.?A|S\.?L\.?U|S\.?L|S\.?p\.?A|S\.?r\.?l\.?s?|S\.n\.c|S\.a\.s"
    r"|(?:Unipessoal\s)?Lda|B\.?V|N\.?V|V\.?O\.?F|sp\.\s?z\s?o\.\s?o|sp\.\s?[jk]|s\.\s?r\.\s?o|spol\.\ss\sr\.\s?o|a\.\s?s"
    r"|s\.\s?c|v\.\s?o\.\s?s|Aktiebolag|AB|HB|KB|Oy|A/S|ApS)(?!\w)\.?"
)
_KIN = r"(?:Sons|S\u00f6hne|Fils|Hijos|Figli|Filhos|Zonen|Synowie|S\u00f6ner|Associados|Asociados|Associati)"
"""The last word of many firms that are called by a family."""
_INITIAL = rf"[{_CAPITAL}]\.(?:[{_CAPITAL}]\.)*"
_WORD = (
    rf"(?:{_INITIAL}|[{_CAPITAL}0-9][\w&'\u2019/-]*(?:\.(?=[\w&])[\w&'\u2019/-]*)?"
    r"(?:(?<=\bJr)\.|(?<=\bSr)\.|(?<=\bDr)\.|(?<=\bSt)\.)?)"
)
_BETWEEN_WORDS = (
    r"\s*&\s*|\s+"
    r"|\s+(?:of|de|del|della|di|da|dos|van|von|der|den|the|la|le|y|e|zu|av)(?:\s+(?:the|la|der|den))?\s+"
)
_NAME = re.compile(
    rf"(?P<name>(?:(?:von|van|de|di|da)(?:\s+(?:der|den|la))?\s+)?{_WORD}(?:(?:{_BETWEEN_WORDS})(?!(?i:{_FORM})){_WORD}){{0,8}}(?:,?\s+(?i:{_FORM}))*(?:\s+of\s+{_WORD})?)"
)
_WITH_FORM = re.compile(rf"(?i:(?:^|[\s,])(?:{_FORM}|{_KIN})$)")
_FORM_ALONE = re.compile(_FORM, re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:(?:the|undersigned|der|die|das|la|le|el|il|herrn?|frau|mr\.?|mrs\.?|ms\.?)\s+|\(?\d\)\s*)*",
    re.IGNORECASE,
)
_LONGEST = 80
_ADDRESS = re.compile(r"\d{4,}|\s\d{1,3}\s|\s[A-Z]{1,2}\d")


def name_at(text: str, place: int) -> re.Match[str] | None:
    """Return the name that begins at this place, articles aside."""
    before = _BEFORE.match(text, place)
    match = _NAME.match(text, before.end() if before else place)
    return match if match is not None and len(match["name"]) <= _LONGEST else None


def has_form(name: str) -> bool:
    """Return whether the name ends as only firms do: with a legal form, or with `& Sons`."""
    return _WITH_FORM.search(name) is not None


def is_party(name: str, defined: set[str]) -> bool:
    """Return whether a party can be called so: no word of the contract's own language, no name that it defines."""
    parts = re.findall(r"\w+", fold(name))
    return (
        len(name) > 2
        and not _FORM_ALONE.fullmatch(name)
        and not set(parts[:1]) & called("between")
        and "".join(parts) not in defined
        and not set(parts) <= called("roles")
        and not set(parts) & called("not_a_party")
        and not _ADDRESS.search(name)
    )


@cache
def called(role: str) -> frozenset[str]:
    """Return the words that play the role in contracts, folded."""
    return frozenset(map(fold, words("contract")[role]))
