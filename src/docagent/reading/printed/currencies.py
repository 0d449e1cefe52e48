"""Currencies by their signs, codes and names."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from docagent.words import listed

_FILE = Path(__file__).with_name("currencies.toml")
SIGNS = {code: listed(signs) for code, signs in tomllib.loads(_FILE.read_text(encoding="utf-8")).items()}
_USUAL = frozenset({"USD", "JPY", "INR"})
"""What `$`, `¥` and `Rs` mean if the document names no other currency. For `kr` nobody can tell."""


def _codes_by_sign() -> dict[str, tuple[str, ...]]:
    codes: dict[str, tuple[str, ...]] = {}
    for code, signs in SIGNS.items():
        for sign in signs:
            codes[sign] = (*codes.get(sign, ()), code)
    return codes


_CODES = _codes_by_sign()


def _pattern(sign: str) -> str:
    """Return a pattern for a sign. A sign in small letters matches any case, one with capitals only itself."""
    return re.escape(sign) if sign == sign.lower() else f"(?-i:{re.escape(sign)})"


_LONGEST_FIRST = sorted(_CODES, key=len, reverse=True)
_FIRST_CHARACTERS = re.escape("".join(sorted({sign[0] for sign in _CODES})))
SIGN = rf"(?=[{_FIRST_CHARACTERS}])(?:{'|'.join(map(_pattern, _LONGEST_FIRST))})"
"""A pattern for any sign, to be used with IGNORECASE. Its first test is quick, since most characters begin no sign."""
_LETTER = r"A-Za-z\u00c0-\u1fff"
_IN_TEXT = re.compile(rf"(?<![{_LETTER}_]){SIGN}(?![{_LETTER}])", re.IGNORECASE)
_NUMBER_BEFORE = re.compile(r"\d\s?$")
_NUMBER_AFTER = re.compile(r"[.:]?\s?-?\d")


@dataclass(frozen=True, slots=True)
class PrintedCurrency:
    """A currency in a text: the codes that the sign may stand for, at the characters `start` to `end`."""

    codes: tuple[str, ...]
    start: int
    end: int


def codes_of(sign: str) -> tuple[str, ...]:
    """Return the ISO codes that a sign, code or name may stand for; none if it is not a currency."""
    return _CODES.get(sign) or _CODES.get(sign.lower(), ())


def signs_of(codes: Iterable[str]) -> list[str]:
    """Return every sign, code and name that is printed for the currencies."""
    return list(dict.fromkeys(sign for code in codes for sign in SIGNS[code]))


def find_currencies(text: str) -> list[PrintedCurrency]:
    """Find every currency that the text names or shows by a sign."""
    return [PrintedCurrency(codes_of(match[0]), *match.span()) for match in _IN_TEXT.finditer(text)]


def currency_in(text: str) -> str | None:
    """Return the ISO code of the first currency in the text that is clear; None if there is none."""
    return next((code for found in find_currencies(text) if (code := _meant(found.codes, None))), None)


def likely_currency(text: str) -> str | None:
    """Return the currency of a whole document: the one that it prints most often."""
    counts = currency_counts(text)
    return max(counts, key=lambda code: counts[code], default=None)


def currency_counts(text: str) -> dict[str, int]:
    """Count how often each currency is printed.

    It counts beside a number, as a sign that means nothing else, or as a code in capitals.

    A sign that several currencies share counts for the one that the text prints most often in another way.
    """
    printed = [found.codes for found in find_currencies(text) if _is_money(text, found)]
    counts = Counter(codes[0] for codes in printed if len(codes) == 1)
    named = max(counts, key=lambda code: counts[code], default=None)
    shared = (_meant(codes, named) for codes in printed if len(codes) > 1)
    return counts + Counter(code for code in shared if code is not None)


def _is_money(text: str, found: PrintedCurrency) -> bool:
    sign = text[found.start : found.end]
    is_drawn = sign != "$" and not any(map(str.isalpha, sign))
    is_code = sign == found.codes[0] and sign.lower() in _CODES
    return (
        is_drawn
        or is_code
        or _NUMBER_AFTER.match(text, found.end) is not None
        or _NUMBER_BEFORE.search(text, max(found.start - 2, 0), found.start) is not None
    )


def _meant(codes: tuple[str, ...], named: str | None) -> str | None:
    """Return the only currency; of several, the one that the document names, or else the usual one."""
    if len(codes) == 1:
        return codes[0]
    if named in codes:
        return named
    return next((code for code in codes if code in _USUAL), None)
