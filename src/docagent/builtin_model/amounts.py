"""Amounts of money and other numbers as they are printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_CURRENCIES = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "$": "USD", "usd": "USD", "us$": "USD", "£": "GBP", "gbp": "GBP",
    "¥": "JPY", "jpy": "JPY", "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR", "rm": "MYR", "myr": "MYR",
    "chf": "CHF", "fr.": "CHF", "sfr.": "CHF", "zł": "PLN", "pln": "PLN", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
    "czk": "CZK", "kč": "CZK", "huf": "HUF", "cad": "CAD", "aud": "AUD", "sgd": "SGD", "s$": "SGD", "hkd": "HKD",
    "cny": "CNY", "brl": "BRL", "r$": "BRL", "mxn": "MXN", "zar": "ZAR", "try": "TRY", "aed": "AED",
}  # fmt: skip
_SIGN = "|".join(sorted((re.escape(sign) for sign in _CURRENCIES), key=len, reverse=True))
_NUMBER = (
    r"\d{1,3}(?:(?P<group>[.,' \u00a0\u2019])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d{1,4})?|\d+(?:[.,]\d{1,4})?"
)
_AMOUNT = re.compile(
    rf"(?<![\w.,:/#-])(?P<open>\()?(?P<minus>[-\u2212\u2013])?\s?(?:(?P<before>{_SIGN})\s?)?(?P<minus2>[-\u2212])?"
    rf"(?P<number>{_NUMBER})(?P<trailing>-(?!\w))?(?:\s?(?P<after>{_SIGN})(?![\w]))?(?P<close>\))?(?![\w%]|[.,:/-]\d|\s?%)",
    re.IGNORECASE,
)
_COMMA_DECIMALS = re.compile(r"\d,\d{2}(?!\d)")
_POINT_DECIMALS = re.compile(r"\d\.\d{2}(?![\d.])")
_CODE = re.compile(rf"(?<![\w])(?:{_SIGN})(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundAmount:
    """A number in a text, at the characters `start` to `end`."""

    start: int
    end: int
    value: Decimal
    decimals: int
    currency: str | None

    @property
    def looks_like_money(self) -> bool:
        return self.currency is not None or self.decimals == 2


def prefers_decimal_comma(text: str) -> bool:
    """Whether `1.234` is more than a thousand in this document."""
    return len(_COMMA_DECIMALS.findall(text)) > len(_POINT_DECIMALS.findall(text))


def find_amounts(text: str, *, decimal_comma: bool) -> list[FoundAmount]:
    """Every number in the text that stands on its own: no percentages, dates, or parts of longer codes."""
    found = []
    for match in _AMOUNT.finditer(text):
        value, decimals = _decimal(match["number"], decimal_comma)
        bracketed = match["open"] is not None and match["close"] is not None
        if match["minus"] or match["minus2"] or match["trailing"] or bracketed:
            value = -value
        sign = match["before"] or match["after"]
        currency = _CURRENCIES[sign.lower()] if sign else None
        found.append(FoundAmount(match.start(), match.end(), value, decimals, currency))
    return found


def find_currency(text: str) -> str | None:
    """The first currency that is named or drawn in the text, as its ISO code."""
    match = _CODE.search(text)
    return _CURRENCIES[match[0].lower()] if match else None


def currency_counts(text: str) -> dict[str, int]:
    """How often each currency is named or drawn, as a sign beside a number or as its code in capitals."""
    counts: dict[str, int] = {}
    for match in _CODE.finditer(text):
        sign = match[0]
        code = _CURRENCIES[sign.lower()]
        beside_number = re.match(r"\s?\d", text[match.end() :]) or re.search(r"\d\s?$", text[: match.start()])
        if beside_number or sign in _SIGNS_ALONE or (sign.isupper() and sign == code):
            counts[code] = counts.get(code, 0) + 1
    return counts


_SIGNS_ALONE = frozenset("€£¥₹")


def _decimal(number: str, decimal_comma: bool) -> tuple[Decimal, int]:
    digits = re.sub(r"[' \u00a0\u2019]", "", number)
    separators = [character for character in digits if character in ".,"]
    if not separators:
        return Decimal(digits), 0
    last = separators[-1]
    after = len(digits) - digits.rindex(last) - 1
    only_groups = len(set(separators)) == 1 and (
        len(separators) > 1
        or (after == 3 and digits.split(last)[0] != "0" and (last == ",") != decimal_comma)
    )
    if only_groups:
        return Decimal(digits.replace(last, "")), 0
    other = "." if last == "," else ","
    return Decimal(digits.replace(other, "").replace(last, ".")), after
