"""Finds the numbers in a line of words, whole and in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal

from docagent.domain.documents.text import Page, Word, WordSource
from docagent.reading.printed import PrintedNumber, Style, codes_of, parse_number

_DIGIT = re.compile(r"\d")
_HEAD = re.compile(r"[-+(]?\D{0,3}\d{1,3}")
_GROUP = re.compile(r"\d{3}")
_LAST_GROUP = re.compile(r"\d{3}(?:[.,]\d+)?\D{0,3}")
_CUT_CENTS = re.compile(r".*\d[.,]\d")
_ONE_DIGIT = re.compile(r"\d")
_OPEN_END = re.compile(r".*\d[.,]")
_REST = re.compile(r"\d{2,3}(?:[.,]\d{2})?[^\d,;]{0,3}")
"""What may follow an open end. A comma after it would make the two a list: 2, 14, 16."""
_OPEN_START = re.compile(r"[.,]\d+.*")
_LOOKS_ALIKE = str.maketrans("OoQDlI|i/SsBZz", "00001111155822")
_CURRENCY_LIKE = re.compile(r"[$S\u00a7][_ ]*")
_LONGEST_NUMBER = 60
_NEAR = 0.7
"""The widest gap between parts of one number, in line heights."""
_NARROWER_THAN_A_SPACE = 0.15
_SIGNS = frozenset("-\u2212\u2013")
_PERCENTS = frozenset("%\u2030")
_UNIT = re.compile(r"([-+]?\d+(?:[.,]\d+)*)([^\W\d_]{1,4}\.?|\"|''|°)")
_MULTIPLES = frozenset({"k", "m", "b", "t", "mn", "mio", "mrd", "bn", "tn", "tsd", "st", "nd", "rd", "th"})
_EDGE = " \t;:,.*#=|\"'!?@~<>()"
_EXACTLY = Context(prec=200)
_GLUED = re.compile(r"[^\W\d_]+\.?[:=;|@#](.+)")
"""A label and its number, without a space between them."""


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A printed number and its words."""

    words: tuple[int, ...]
    values: tuple[Decimal, ...]
    percent: bool = False
    currencies: tuple[str, ...] = ()
    currency_word: int | None = None
    has_unit: bool = False
    doubtful: bool = False
    """True if letters had to be read as digits."""


def key(value: Decimal) -> Decimal:
    """Return a key that is the same for equal numbers, however many zeros they end in."""
    return value.normalize(_EXACTLY) if value else Decimal(0)


def number_with_unit(text: str) -> str | None:
    """Return the number in a word such as 5kg. Thousands and millions are not units."""
    match = _UNIT.fullmatch(text.strip(_EDGE))
    return match[1] if match and match[2].lower().rstrip(".") not in _MULTIPLES else None


def numbers_of_line(words: Sequence[Word], first: int, page: Page, style: Style) -> Iterator[NumberPlace]:
    """Yield every number of a line. A number in pieces comes in addition to its pieces.

    `first` is the number of the line's first word in the document.
    """
    for index, word in enumerate(words):
        if len(word.text) > _LONGEST_NUMBER or not _DIGIT.search(word.text):
            continue
        found = _single(word, style)
        if found is not None:
            yield _with_neighbours(found, words, index, first, page)
        yield from _in_pieces(words, index, first, page, style)


def _single(word: Word, style: Style) -> NumberPlace | None:
    text = word.text
    printed = parse_number(text, style)
    if printed is not None:
        return _place(printed)
    number = number_with_unit(text)
    printed = parse_number(number, style) if number else None
    if printed is not None:
        return NumberPlace((), printed.values, has_unit=True)
    glued = _GLUED.fullmatch(text)
    printed = parse_number(glued[1], style) if glued else None
    if printed is not None:
        return _place(printed)
    if word.source is not WordSource.OCR or sum(map(str.isdigit, text)) * 2 < sum(map(str.isalnum, text)):
        return None
    readings = [text.translate(_LOOKS_ALIKE)]
    if _CURRENCY_LIKE.match(text):
        readings.append(_CURRENCY_LIKE.sub("", text).translate(_LOOKS_ALIKE))
    values = [value for reading in readings for value in _values(reading, style)]
    return NumberPlace((), tuple(values), doubtful=True) if values else None


def _values(text: str, style: Style) -> tuple[Decimal, ...]:
    printed = parse_number(text, style)
    return printed.values if printed else ()


def _place(printed: PrintedNumber) -> NumberPlace:
    return NumberPlace((), printed.values, printed.percent, printed.currencies)


def _with_neighbours(
    found: NumberPlace, words: Sequence[Word], index: int, first: int, page: Page
) -> NumberPlace:
    """Add the sign, currency or percent that stands beside the number as a word of its own."""
    place = replace(found, words=(first + index,))
    before = words[index - 1] if index else None
    after = words[index + 1] if index + 1 < len(words) else None
    if after is not None and after.text in _PERCENTS and _near(words[index], after, page, 1.5):
        place = replace(place, percent=True, words=(first + index, first + index + 1))
    for neighbour, number in ((before, first + index - 1), (after, first + index + 1)):
        if neighbour is not None and not place.currencies:
            currencies = codes_of(neighbour.text)
            if currencies:
                place = replace(place, currencies=currencies, currency_word=number)
    if before is not None and before.text in _SIGNS and _near(before, words[index], page, _NEAR):
        place = replace(place, values=(*place.values, *(-value for value in place.values)))
    return place


def _in_pieces(
    words: Sequence[Word], index: int, first: int, page: Page, style: Style
) -> Iterator[NumberPlace]:
    """Yield numbers that begin in this word and continue in the next: 1 234,56 and 36,125 .00 and 8. 20."""
    text, end = words[index].text, index + 1
    grouped = _HEAD.fullmatch(text) is not None
    while end < len(words) and _near(words[end - 1], words[end], page, _NEAR):
        following = words[end].text
        if grouped and _LAST_GROUP.fullmatch(following):
            text += " " + following
            grouped = _GROUP.fullmatch(following) is not None
        elif (
            (_OPEN_END.fullmatch(text) and _goes_on(words[end - 1], words[end], page))
            or _OPEN_START.fullmatch(following)
            or (
                words[end].source is WordSource.OCR
                and _CUT_CENTS.fullmatch(text)
                and _ONE_DIGIT.fullmatch(following)
            )
        ):
            text += following
            grouped = False
        else:
            return
        end += 1
        printed = parse_number(text, style)
        if printed is not None:
            yield replace(_place(printed), words=tuple(range(first + index, first + end)))


def _goes_on(left: Word, right: Word, page: Page) -> bool:
    """Return whether a number that ends in a mark continues in the next word. Recognition sees spaces that are none."""
    reach = _NEAR if right.source is WordSource.OCR else _NARROWER_THAN_A_SPACE
    return _REST.fullmatch(right.text) is not None and _near(left, right, page, reach)


def _near(left: Word, right: Word, page: Page, line_heights: float) -> bool:
    gap = (right.box.left - left.box.right) * page.width
    return gap <= line_heights * max(left.box.height, right.box.height) * page.height
