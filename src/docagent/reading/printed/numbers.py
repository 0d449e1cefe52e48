"""Numbers as they are printed: separators, currencies, signs, percents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from docagent.reading.printed.currencies import SIGN, codes_of
from docagent.reading.printed.folding import fold_widths
from docagent.reading.printed.style import UNTOLD, Style

_MINUS = "-\u2212\u2013"
_APART = "0-9A-Za-z_\u00c0-\u1fff"
"""Digits, and letters of scripts with spaces between words. No number begins or ends beside one of these."""
_DIGITS = (
    r"\d{1,3}(?:(?P<group>[.,' \u2019\u066c·])\d{3})(?:(?P=group)\d{3})*(?:(?!(?P=group))[.,\u066b]\d+)?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    r"|\d+(?:[.,\u066b]\d+)?"
    r"|[.,]\d+"
)
_NUMBER = re.compile(
    rf"""
    (?<![{_APART}.,:/\#-])
    (?P<open>[(\[]\s?)?
    (?P<sign>[{_MINUS}]\s?|\+)?
    (?:(?P<before>{SIGN})[:.]?\s?(?P<sign2>[{_MINUS}]\s?|\+)?)?
    (?P<digits>{_DIGITS})
    (?:[.,](?:--?|[\u2013\u2014])(?!\d))?
    (?P<trailing>[{_MINUS}](?![\w-]))?
    (?:
        (?P<percent>\s?(?:%|\u2030|pct\b\.?|percent\b|prozent\b))
        |\s?(?P<after>{SIGN})(?![{_APART}])(?P<trailing2>[{_MINUS}](?![\w-]))?
    )?
    (?(open)\s?[)\]])
    (?![{_APART}%]|[.,:/-]\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_SPACED = re.compile(r"[' \u2019\u066c·]")
_EDGE = " \t;:,.*#=|\"'!?@~<>"


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number in a text: everything it may mean, the likeliest first, at the characters `start` to `end`."""

    values: tuple[Decimal, ...]
    start: int = 0
    end: int = 0
    percent: bool = False
    currencies: tuple[str, ...] = ()
    """The ISO codes that the sign beside the number may stand for."""

    @property
    def value(self) -> Decimal:
        """The likeliest meaning."""
        return self.values[0]

    @property
    def decimals(self) -> int:
        """How many digits stand after the decimal mark."""
        return -int(self.value.as_tuple().exponent)

    @property
    def looks_like_money(self) -> bool:
        return bool(self.currencies) or self.decimals == 2


def find_numbers(text: str, style: Style = UNTOLD) -> list[PrintedNumber]:
    """Find every number in the text that stands on its own, not as a part of a date, a time or a longer code."""
    if not _DIGIT.search(text):
        return []
    return [_read(match, style) for match in _NUMBER.finditer(fold_widths(text))]


def parse_number(text: str, style: Style = UNTOLD) -> PrintedNumber | None:
    """Read the whole text as one number; None if it is none. Marks at its edges do not count."""
    plain = fold_widths(text)
    for inner in (plain.strip(), plain.strip(_EDGE)):
        match = _NUMBER.fullmatch(inner)
        if match is not None:
            return _read(match, style, plain.index(inner))
    return None


def _read(match: re.Match[str], style: Style, offset: int = 0) -> PrintedNumber:
    sizes = _sizes(match["digits"], style.decimal_comma)
    sign = (match["sign"] or match["sign2"] or "+")[0]
    below = [-size for size in sizes]
    opening = (match["open"] or "")[:1]
    if sign in _MINUS:
        values = below
    elif opening == "(" or match["trailing"] or match["trailing2"]:
        values = below + sizes
    else:
        values = sizes + below if opening else sizes
    return PrintedNumber(
        tuple(values),
        offset + match.start(),
        offset + match.end(),
        match["percent"] is not None,
        codes_of(match["before"] or match["after"] or ""),
    )


def _sizes(digits: str, decimal_comma: bool | None) -> list[Decimal]:
    """Return what the digits may mean. A single separator before three digits may part thousands or decimals."""
    digits = _SPACED.sub("", digits).replace("\u066b", ".")
    mark = "." if digits.rfind(".") > digits.rfind(",") else ","
    count = digits.count(mark)
    if not count:
        return [Decimal(digits)]
    other = "," if mark == "." else "."
    if other in digits:
        return [_parted(digits, mark, other)]
    if count > 1:
        return [_whole(digits, mark)]
    head, _, tail = digits.partition(mark)
    if len(tail) != 3 or not 1 <= len(head) <= 3 or head == "0":
        return [_parted(digits, mark, other)]
    if decimal_comma is not None:
        return [_parted(digits, mark, other) if decimal_comma is (mark == ",") else _whole(digits, mark)]
    whole = _whole(digits, mark)
    return [whole] if tail == "000" else [whole, _parted(digits, mark, other)]


def _whole(digits: str, mark: str) -> Decimal:
    return Decimal(digits.replace(mark, ""))


def _parted(digits: str, mark: str, other: str) -> Decimal:
    return Decimal(digits.replace(other, "").replace(mark, "."))
