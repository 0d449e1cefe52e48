"""Numbers as they are printed: separators, currencies, signs, percents."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import Enum

_CURRENCIES = {
    "$": "dollar", "us$": "dollar", "usd": "dollar", "a$": "dollar", "aud": "dollar", "c$": "dollar",
    "cad": "dollar", "s$": "dollar", "sgd": "dollar", "hk$": "dollar", "nz$": "dollar",
    "€": "euro", "eur": "euro", "euro": "euro", "£": "pound", "gbp": "pound",
    "¥": "yen", "jpy": "yen", "円": "yen", "cny": "yen", "rmb": "yen", "元": "yen",
    "chf": "franc", "fr.": "franc", "sfr.": "franc", "rm": "ringgit", "myr": "ringgit",
    "₹": "rupee", "rs": "rupee", "rs.": "rupee", "inr": "rupee", "zł": "zloty", "zl": "zloty", "pln": "zloty",
    "kr": "krone", "kr.": "krone", "sek": "krone", "nok": "krone", "dkk": "krone", "kč": "koruna", "czk": "koruna",
    "₩": "won", "krw": "won", "r$": "real", "brl": "real", "₽": "rouble",
    "rub": "rouble", "₺": "lira", "try": "lira",
    "ft": "forint", "huf": "forint", "₪": "shekel", "ils": "shekel", "฿": "baht", "thb": "baht",
    "mxn": "peso", "₱": "peso",
}  # fmt: skip
_CURRENCY = "|".join(sorted(map(re.escape, _CURRENCIES), key=len, reverse=True))
_EXACTLY = Context(prec=200)
_SPACES = "\xa0\u202f\u2009 "
_DIGITS = rf"\d+(?:[.,'\u2019\u066b\u066c·{_SPACES}]\d+)*"
_PRINTED = re.compile(
    rf"""
    (?P<open>[(\[])?\s*
    (?P<sign>[-+\u2212\u2013])?\s*
    (?:(?P<before>{_CURRENCY})\s*[:.]?)?\s*
    (?P<sign2>[-+\u2212\u2013])?\s*
    (?P<digits>{_DIGITS}|[.,]\d+)
    (?:,-|,--|\.-|,\u2013|,\u2014)?
    \s*(?P<percent>%|\u2030|pct\.?|percent|prozent)?
    \s*(?P<after>{_CURRENCY})?
    \s*(?P<trailing>[-\u2212\u2013])?
    \s*(?P<close>[)\]])?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_UNIT = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([^\W\d_]{1,4}\.?|\"|''|°)", re.UNICODE)
_MULTIPLES = frozenset({"k", "m", "b", "t", "mn", "mio", "mrd", "bn", "tn", "tsd", "st", "nd", "rd", "th"})
_EDGE = " \t;:,.*#=|\"'!?@~<>"


class Convention(Enum):
    """Which character parts the decimals."""

    POINT = "point"
    COMMA = "comma"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number: every value it may mean, and what stands with it."""

    values: tuple[Decimal, ...]
    percent: bool = False
    currency: str | None = None
    has_unit: bool = False


def parse_number(text: str, convention: Convention = Convention.UNKNOWN) -> Printed | None:
    """The whole text as one number, or None."""
    text = unicodedata.normalize("NFKC", text).strip()
    stripped = text.strip(_EDGE)
    match = _PRINTED.fullmatch(text) or _PRINTED.fullmatch(stripped)
    if match is None:
        return None
    sizes = _sizes(match["digits"], convention)
    if not sizes or bool(match["open"]) != bool(match["close"]):
        return None
    minus = "-\u2212\u2013"
    values = []
    for size in sizes:
        if (match["sign"] or match["sign2"] or "+") in minus:
            values.append(-size)
        else:
            values.append(size)
            if match["open"] or match["trailing"]:
                values.append(-size)
    symbol = (match["before"] or match["after"] or "").lower()
    return Printed(tuple(values), bool(match["percent"]), _CURRENCIES.get(symbol))


def parse_with_unit(text: str, convention: Convention = Convention.UNKNOWN) -> Printed | None:
    """A number with a unit attached, such as 5kg. Thousands and millions are no units."""
    match = _UNIT.fullmatch(text.strip(_EDGE + "()"))
    if match is None or match[2].lower().rstrip(".") in _MULTIPLES:
        return None
    inner = parse_number(match[1], convention)
    return inner and Printed(inner.values, has_unit=True)


def currency_of(text: str) -> str | None:
    """The currency that a sign, code or name stands for."""
    return _CURRENCIES.get(text.strip().lower())


def is_percent(text: str) -> bool:
    return text in {"%", "\u2030"}


def key(value: Decimal) -> Decimal:
    """Equal numbers have equal keys, however many zeros they end in."""
    return value.normalize(_EXACTLY) if value else Decimal(0)


def _sizes(digits: str, convention: Convention) -> list[Decimal]:
    digits = re.sub(rf"['\u2019\u066c·{_SPACES}](?=\d{{3}}(?!\d))", "", digits).replace("\u066b", ".")
    points, commas = digits.count("."), digits.count(",")
    if re.search(r"[^\d.,]", digits):
        return []
    if points and commas:
        decimal = "." if digits.rfind(".") > digits.rfind(",") else ","
        if digits.count(decimal) > 1:
            return []
        return _decimals(digits, decimal)
    if points + commas == 0:
        return _decimals(digits, ".")
    separator = "." if points else ","
    if points + commas > 1:
        return _whole(digits, separator) if _is_grouped(digits, separator) else []
    if not _is_grouped(digits, separator):
        return _decimals(digits, separator)
    uses = {".": Convention.POINT, ",": Convention.COMMA}[separator]
    if convention is Convention.UNKNOWN:
        whole = _whole(digits, separator)
        return whole if digits.endswith("000") else whole + _decimals(digits, separator)
    return _decimals(digits, separator) if convention is uses else _whole(digits, separator)


def _is_grouped(digits: str, separator: str) -> bool:
    groups = digits.split(separator)
    return (
        1 <= len(groups[0]) <= 3
        and groups[0] != "0"
        and len(groups[-1]) == 3
        and all(len(group) in (2, 3) for group in groups[1:-1])
    )


def _whole(digits: str, separator: str) -> list[Decimal]:
    return [Decimal(digits.replace(separator, ""))]


def _decimals(digits: str, decimal: str) -> list[Decimal]:
    other = "," if decimal == "." else "."
    whole, _, part = digits.partition(decimal)
    if other in whole and not _is_grouped(whole, other):
        return []
    return [Decimal(f"{whole.replace(other, '') or '0'}.{part or '0'}")]


_CLEAR_POINT = re.compile(r"(?<![\d.,])\d+\.\d{1,2}(?!\d|[.,]\d)|\d,\d{3}\.\d")
_CLEAR_COMMA = re.compile(r"(?<![\d.,])\d+,\d{1,2}(?!\d|[.,]\d)|\d\.\d{3},\d")


def convention_of(text: str) -> Convention:
    """The convention of a document, when all of its clear numbers agree."""
    point, comma = len(_CLEAR_POINT.findall(text)), len(_CLEAR_COMMA.findall(text))
    if point >= 3 and comma <= point // 20:
        return Convention.POINT
    if comma >= 3 and point <= comma // 20:
        return Convention.COMMA
    return Convention.UNKNOWN


def currency_names(currency: str) -> list[str]:
    """Every sign, code and name that stands for the currency."""
    return [name for name, meaning in _CURRENCIES.items() if meaning == currency]
