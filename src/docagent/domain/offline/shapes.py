"""Values known by their shape: bank accounts, mail addresses, telephone numbers, firms, postal addresses."""

from __future__ import annotations

import re

IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z]{4}(?= ?\d))?(?: ?(?=[A-Z]{0,12}\d)[A-Z0-9]{2,26}){1,8}\b")
BIC = re.compile(r"\b[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b")
VAT_ID = re.compile(
    r"\b(?:[A-Z]{2}\s?(?=[A-Z0-9. ]*\d{3})[A-Z0-9]{2,4}(?:[ .]?[A-Z0-9]{2,4}){1,4}|\d{2}[A-Z]{5}\d{4}[A-Z]\dZ[A-Z0-9])\b"
)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
URL = re.compile(
    r"(?:https?://|www\.)[^\s,;)]+|\b(?<!@)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|de|fr|nl|eu|co\.uk|at|ch|it|es|pl|io)\b(?:/\S*)?",
    re.I,
)
PHONE = re.compile(r"(?<![\w.-])(?:\+|\()?\d[\d\s()/.-]{5,18}\d(?![\w-])")
PERCENT = re.compile(r"(?<![\w.,])(\d{1,3}(?:[.,]\d{1,4})?)\s?%")
POSTAL_CODE = re.compile(
    r"\b(?:[A-Z]{2},? \d{5}(?:-\d{4})?|(?:[A-Z]{1,2}[- ])?\d{4,6}\s?,?\s?[A-ZÄÖÜÉ][\w.'-]+|\d{4} ?[A-Z]{2}\b|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|\d{2}-\d{3} \w+)"
)
_STREET = re.compile(
    r"stra(?:ß|ss)e\b|str\.|\bstr\b|\bgasse\b|weg \d|platz\b|\bstreet\b|\bst\b\.?(?= |,|$)|\bave(?:nue)?\b|\broad\b|\brd\b|\bblvd\b|\bboulevard\b"
    r"|\bdrive\b|\bdr\b\.? |\blane\b|\bln\b|\bhighway\b|\bhwy\b|\bsuite\b|\bfloor\b|\bp\.? ?o\.? ?box\b|\brue\b|\bcalle\b|\bvia\b|\bpiazza\b|\bul\."
    r"|\bjalan\b|\bjln\b|\bjl\b|\btaman\b|\blorong\b|\blot\b|\bkawasan\b|\bbandar\b|\bplaza\b|\bno\.? ?\d+\w?\b,|\bparkway\b|\bpkwy\b|\bcourt\b|\bway\b"
    r"|\bpostfach\b|\bindustrial\b|\bseksyen\b|\bkampung\b|\bmukim\b",
    re.I,
)  # fmt: skip
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|ag|kg|ohg|ug|e\.?k|e\.?v|se|a\.g|ltd|limited|llc|llp|inc|corp|corporation|co|company|plc|pvt|pte|pty|s\.?a|s\.?a\.?s|sarl|s\.?r\.?l"
    r"|s\.?p\.?a|s\.?l|b\.?v|n\.?v|sdn|bhd|oy|ab|a/s|aps|sp\. ?z ?o\.? ?o|spółka|s\.c|foundation|association|verein|versicherungsverein|enterprise"
    r"|enterprises|trading|group|holdings?|services|restaurant|stores?|supermarket|hotel|bank)\b\.?",
    re.I,
)
_HARD_LEGAL_FORM = re.compile(
    r"\b(?:gmbh|mbh|ag|kg|ohg|ug|e\.?k|ltd|limited|llc|llp|inc|corp|plc|pvt|pte|pty|s\.a|s\.?a\.?s|sarl|s\.?r\.?l|s\.?p\.?a|b\.v|n\.v|bv|nv|sdn|bhd|sp\. ?z ?o)\b"
    r"|\ba\.g\.",
    re.I,
)
_COUNTRY = re.compile(
    r"(?:deutschland|germany|austria|österreich|schweiz|switzerland|france|frankreich|nederland|netherlands|united states(?: of america)?|usa|united kingdom"
    r"|uk|england|malaysia|india|polska|poland|españa|spain|italia|italy)\.?",
    re.I,
)


def has_legal_form(text: str) -> bool:
    """True for words that firms carry in their names."""
    return _LEGAL_FORM.search(text) is not None


def has_hard_legal_form(text: str) -> bool:
    """True for the abbreviations that only firms carry."""
    return _HARD_LEGAL_FORM.search(text) is not None


def is_address_line(text: str) -> bool:
    """True for a line with a street, a postal code or a country alone."""
    if EMAIL.search(text) or URL.search(text):
        return False
    return (
        POSTAL_CODE.search(text) is not None
        or (_STREET.search(text) is not None)
        or re.fullmatch(r"[A-ZÄÖÜ][\w.äöüß -]+ \d{1,4}\s?[a-zA-Z]?", text) is not None
        or is_country(text)
    )


def is_country(text: str) -> bool:
    return _COUNTRY.fullmatch(text.strip()) is not None


def letters_share(text: str) -> float:
    """How much of the text is letters, spaces aside."""
    packed = "".join(text.split())
    return sum(character.isalpha() for character in packed) / len(packed) if packed else 0.0
