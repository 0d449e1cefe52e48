"""Recognises values by their shape: bank accounts, mail addresses, telephone numbers, firms, postal addresses."""

from __future__ import annotations

import re

from docagent.words import any_of

IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z]{4}(?= ?\d))?(?: ?(?=[A-Z]{0,12}\d)[A-Z0-9]{2,26}+){1,8}+\b")
_IBAN_LENGTHS = (
    "AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IS26 IT27 LI21 LT20 LU20 "
    "LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 TR26"
)
IBAN_LENGTHS = {one[:2]: int(one[2:]) for one in _IBAN_LENGTHS.split()}
_SHORTEST_IBAN = 12
BIC = re.compile(r"\b[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b")
VAT_ID = re.compile(
    r"\b(?:[A-Z]{2}\s?(?=[A-Z0-9. ]{0,16}\d{3})[A-Z0-9]{2,4}(?:[ .]?[A-Z0-9]{2,4}){1,4}"
    r"|\d{2}[A-Z]{5}\d{4}[A-Z]\dZ[A-Z0-9])\b"
)
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
URL = re.compile(
    r"(?:https?://|www\.)[^\s,;)]+"
    r"|\b(?<!@)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.(?:com|org|net|de|fr|nl|eu|co\.uk|at|ch|it|es|pl|io)\b(?:/\S*)?",
    re.IGNORECASE,
)
PHONE = re.compile(r"(?<![\w.-])(?:\+|\()?\d[\d\s()/.-]{5,18}\d(?![\w-])")
POSTAL_CODE = re.compile(
    r"\b(?:[A-Z]{2},? \d{5}(?:-\d{4})?|(?:[A-Z]{1,2}[- ])?\d{4,6}\s?,?\s?[A-ZÄÖÜÉ][\w.'-]+|\d{4} ?[A-Z]{2}\b"
    r"|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{2}-\d{3} \w+|\d{3} {1,2}\d{2} [A-ZÀ-Ž]\w+|\d{4}-\d{3} [A-ZÀ-Ž]\w+"
    r"|[A-ZÀ-Ž]\w+ [A-Z]\d{1,2}(?:\s\w{3,4})?$)"
)
"""A postal code and, where figures alone would say little, its town."""


def _any_word(*lists: str) -> re.Pattern[str]:
    """Match any of the words, given with spaces between them, as whole words in any case."""
    words = "|".join(word for text in lists for word in text.split())
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


_HOUSE = re.compile(r"(?<!\w)(?:C/|[Nn][Oo]\.?\s?\d+\w?,)(?!\w)")
_HARD_FORMS = (
    r"gmbh mbh ag kg ohg ug e\.?k ltd limited llc llp inc corp plc pvt pte pty s\.a s\.?a\.?s sarl s\.?r\.?l s\.?p\.?a"
    r" b\.?v n\.?v sdn bhd sp\.\s?z\s?o a\.g\. s\.\s?r\.\s?o \w*spol\. lda s\.\s?n\.\s?c v\.o\.f sp\.\s?[jk]\. eurl"
    r" (?-i:AB) (?-i:SA) (?-i:S\.L) a\.\s?s\. handelsbolag aktiebolag"
)
_SOFT_FORMS = r"e\.?v se s\.?l oy ab a/s aps s\.c"
_HARD_LEGAL_FORM = _any_word(_HARD_FORMS)
_LEGAL_FORM = _any_word(_HARD_FORMS, _SOFT_FORMS)
_NAME_AND_NUMBER = re.compile(r"[A-ZÀ-Ž][\w.' -]+ \d{1,4}(?:[/-]\w{1,3})?\s?[a-zA-Z]?")


def whole_iban(text: str, match: re.Match[str]) -> str | None:
    """Return the account number that begins where the pattern matched, as long as its country's numbers are.

    None if it is too short. Of countries whose length is not known here, the match counts as it is.
    """
    length = IBAN_LENGTHS.get(match[0][:2])
    if length is None:
        return match[0].strip() if sum(map(str.isalnum, match[0])) >= _SHORTEST_IBAN else None
    count = 0
    for place in range(match.start(), len(text)):
        count += text[place].isalnum()
        if not (text[place].isalnum() or text[place] == " "):
            return None
        if count == length:
            ends = place + 1 == len(text) or not text[place + 1].isalnum()
            return text[match.start() : place + 1] if ends else None
    return None


def has_legal_form(text: str) -> bool:
    """Return whether the text has a word that firms use in their names."""
    return bool(_LEGAL_FORM.search(text) or any_of("papers", "firms").search(text))


def has_hard_legal_form(text: str) -> bool:
    """Return whether the text has an abbreviation that only firms use."""
    return _HARD_LEGAL_FORM.search(text) is not None


def is_address_line(text: str) -> bool:
    """Return whether the line has a street or a postal code, or is nothing but a country."""
    if EMAIL.search(text) or URL.search(text):
        return False
    return (
        POSTAL_CODE.search(text) is not None
        or _has_street(text)
        or _NAME_AND_NUMBER.fullmatch(text) is not None
        or is_country(text)
    )


def is_town_line(text: str) -> bool:
    """Return whether the line has a postal code and no street: the end of most addresses."""
    return POSTAL_CODE.search(text) is not None and not _has_street(text)


def _has_street(text: str) -> bool:
    return bool(any_of("papers", "streets").search(text) or _HOUSE.search(text))


def has_street_or_postal_code(text: str) -> bool:
    return POSTAL_CODE.search(text) is not None or _has_street(text)


def is_country(text: str) -> bool:
    return any_of("papers", "countries").fullmatch(text.strip(" .")) is not None


def letters_share(text: str) -> float:
    """Return the share of the text that is letters, spaces aside."""
    packed = "".join(text.split())
    return sum(character.isalpha() for character in packed) / len(packed) if packed else 0.0
