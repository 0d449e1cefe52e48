"""Reads values of a given kind from a piece of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.page import shapes
from docagent.builtin_model.page.durations import durations_in
from docagent.builtin_model.page.meant import FoundDate, dates_in, numbers_in
from docagent.reading.printed import Style, answer_of, atoms_of, currency_in, find_numbers, mark_of
from docagent.words import words as words_by

Scalar = str | date | Decimal

_BETWEEN = re.compile(
    r"(?<!\s)\s*(?:[-\u2013\u2014/~]|to|bis|thru|through|until|au|al|hasta|tot)\s*", re.IGNORECASE
)
_CODE = re.compile(r"(?:[A-Za-z0-9]|(?<![#./&+_-])#)[\w./#&+-]*[A-Za-z0-9]|\d")
_EDGES = " :;,.-\u2013\u2022|=*/#\u25cf"
_ABBREVIATED_END = re.compile(r"(?:\.\w{1,3}|\b(?:Inc|Ltd|Co|Corp|Bhd|Pvt|Jr|Sr))\.$", re.IGNORECASE)
_BRACKETED_NUMBER = re.compile(r"(?<!\s)\s*\((?:\d{1,20}|[\w-]{0,20}\d{4,12}[\w-]{0,20})\)$")
_LABEL_BEFORE_COLON = re.compile(r"(?:^|\s)(?P<label>[^\W\d][\w./-]*)\s?:(?=\s|$)")
_ENDS_IN_NUMBER = re.compile(r"[^\W\d]\s(?:\u010d|[Nn]|[Nn][ro\u00ba\u00b0]|[Nn]\.\u00ba)\.?$|#$")
"""`Order no.` is the name of a number."""
NUMBERED = re.compile(r"\d{1,2}[.)]\s+")
"""The number of a box in a form, before its label."""
_NO_MONEY = 0.45
_UNLIKELY = 0.35
_LONGEST_PLACE = 5
_CROSS = re.compile(r"^\s*(?:\S+\s+)?[\[(]?x[\])]?[.,:;]*(?:\s|$)|[\u2611\u2612]", re.IGNORECASE)
_EMPTY_BOX = re.compile(r"\u2610|\[ \]")


@dataclass(frozen=True, slots=True)
class Value:
    """A value, the text it was read from, and how well it fits its kind (0..1)."""

    value: Scalar
    text: str
    fit: float
    start: int = 0


def read_values(kind: Kind, text: str, style: Style, side: str | None = None) -> Iterator[Value]:
    """Return every value of the kind in the text, from left to right."""
    if kind is Kind.DATE:
        return _dates(text, style, side)
    if kind in (Kind.AMOUNT, Kind.NUMBER):
        return _numbers(kind, text, style)
    if kind in _SHAPES:
        return _shaped(kind, text)
    reader = _READERS.get(kind)
    return reader(text, style) if reader else _texts(kind, text)


def _shaped(kind: Kind, text: str) -> Iterator[Value]:
    for match in _SHAPES[kind].finditer(text):
        found = shapes.whole_iban(text, match) if kind is Kind.IBAN else match[0].strip()
        if found is not None:
            yield Value(found, found, 1.0, match.start())


def _flags(text: str, _: Style) -> Iterator[Value]:
    if is_true(text) is not None:
        yield Value(text.strip(), text.strip(), 1.0)


def _currencies(text: str, _: Style) -> Iterator[Value]:
    found = currency_in(text)
    if found:
        yield Value(found, found, 1.0)


def _percentages(text: str, style: Style) -> Iterator[Value]:
    for found in find_numbers(text, style):
        if found.percent:
            yield Value(found.value, text[found.start : found.end], 1.0, found.start)


def _texts(kind: Kind, text: str) -> Iterator[Value]:
    words = clean_text(text)
    if kind is Kind.NAME and shapes.EMAIL.search(words):
        return
    if kind is Kind.NAME and " " not in words and shapes.letters_share(words) < _UNLIKELY:
        return
    if sum(map(str.isalpha, words)) >= 2 and not is_label(words):
        yield Value(words, words, _text_fit(kind, words))


def _durations(text: str, _: Style) -> Iterator[Value]:
    for found in durations_in(text):
        yield Value(found.text, found.text, 1.0, found.start)


def _places(text: str, _: Style) -> Iterator[Value]:
    """Yield the text if it can be a state, country or town: a few words in capitals, no firm, no day, no figures."""
    words = clean_text(text)
    named = words[:1].isupper() and len(words.split()) <= _LONGEST_PLACE and not any(map(str.isdigit, words))
    if named and not shapes.has_legal_form(words) and not is_label(words) and not is_sentence(words):
        yield Value(words, words, 1.0)


_SHAPES = {
    Kind.EMAIL: shapes.EMAIL,
    Kind.PHONE: shapes.PHONE,
    Kind.WEBSITE: shapes.URL,
    Kind.IBAN: shapes.IBAN,
    Kind.BIC: shapes.BIC,
    Kind.VAT_ID: shapes.VAT_ID,
}


def clean_text(text: str) -> str:
    """Return the text up to the next label, without marks at its ends."""
    words = _BRACKETED_NUMBER.sub("", before_next_label(text).strip(_EDGES.replace(".", "") + "("))
    words = words.lstrip(_EDGES).rstrip(_EDGES.replace(".", ""))
    return words if _ABBREVIATED_END.search(words) else words.rstrip(_EDGES)


def before_next_label(text: str) -> str:
    """Return the text up to the next label with a colon."""
    text = text.lstrip(_EDGES)
    match = _LABEL_BEFORE_COLON.search(text)
    if match is None:
        return text
    start = match.start("label")
    known = [atom for atom in atoms_of(text[:start]) if atom.end <= start]
    while known and known[-1].is_known and text[known[-1].end : start].strip(" .-/") == "":
        start = known.pop().start
    return text[:start]


def is_label(text: str) -> bool:
    """Return whether the text is only a name for something, without a value."""
    stripped = text.strip()
    if stripped.endswith((":", "?")) or _ENDS_IN_NUMBER.search(stripped):
        return True
    words = [atom for atom in atoms_of(stripped) if atom.meaning.isalpha()]
    known = sum(atom.is_known for atom in words)
    return bool(words) and (known == len(words) or (len(words) > 2 and known > len(words) / 2))


def is_true(text: str) -> bool | None:
    """Return True for yes, False for no, and None if the text says neither."""
    said = {heard for word in text.split()[:2] for heard in (answer_of(word), mark_of(word))}
    if True in said or _CROSS.search(text):
        return True
    return False if False in said or _EMPTY_BOX.search(text) else None


def _dates(text: str, style: Style, side: str | None) -> Iterator[Value]:
    found = dates_in(text, style)
    if side is None:
        spans = {id(end) for span in _spans(text, found) for end in span}
        for one in found:
            yield Value(one.value, text[one.start : one.end], 0.6 if id(one) in spans else 1.0, one.start)
        return
    for first, last in _spans(text, found):
        chosen = first if side == "from" else last
        yield Value(chosen.value, text[chosen.start : chosen.end], 1.0, chosen.start)
    if len(found) == 1:
        yield Value(found[0].value, text[found[0].start : found[0].end], 0.5, found[0].start)


def _spans(text: str, found: Sequence[FoundDate]) -> Iterator[tuple[FoundDate, FoundDate]]:
    for first, last in pairwise(found):
        if _BETWEEN.fullmatch(text[first.end : last.start]) and first.value <= last.value:
            yield first, last


def _numbers(kind: Kind, text: str, style: Style) -> Iterator[Value]:
    for amount in numbers_in(text, style):
        fit = 1.0 if kind is Kind.NUMBER or amount.looks_like_money else _NO_MONEY
        yield Value(amount.value, text[amount.start : amount.end], fit, amount.start)


def _codes(text: str, style: Style) -> Iterator[Value]:
    """Yield words with digits, beginning with those after a sign for `number`."""
    marker = next((atom.end for atom in atoms_of(text) if atom.meaning == "number"), 0)
    dates = dates_in(text, style)
    accounts = [one for one in shapes.IBAN.finditer(text) if " " in one[0]]
    found = []
    for match in _CODE.finditer(text):
        code = match[0]
        digits = sum(character.isdigit() for character in code)
        inside_date = any(match.start() < day.end and day.start < match.end() for day in dates)
        inside_account = any(one.start() <= match.start() < one.end() for one in accounts)
        if not digits or inside_date or inside_account:
            continue
        money = numbers_in(code, style)
        fit = 0.5 if money and money[0].decimals == 2 else 1.0 if digits >= 3 else 0.75
        marked = marker and match.start() >= marker
        start = match.start() - marker if marked else match.start()
        found.append((not marked, Value(code.strip(".#"), code, fit, start)))
    found.sort(key=lambda pair: pair[0])
    yield from (value for _, value in found)


_READERS = {
    Kind.BOOLEAN: _flags,
    Kind.CODE: _codes,
    Kind.CURRENCY: _currencies,
    Kind.DURATION: _durations,
    Kind.PLACE: _places,
    Kind.PERCENT: _percentages,
}


def _text_fit(kind: Kind, words: str) -> float:
    if kind is Kind.ADDRESS and not shapes.is_address_line(words):
        return _UNLIKELY
    if kind is Kind.NAME:
        if shapes.letters_share(words) < 0.5 or is_sentence(words) or _is_only_address(words):
            return _UNLIKELY
        return 1.0 if len(words) <= 80 else 0.6
    return 1.0 if len(words) <= 200 else 0.6


def _is_only_address(words: str) -> bool:
    has_digits = any(map(str.isdigit, words))
    return has_digits and shapes.has_street_or_postal_code(words) and not shapes.has_legal_form(words)


def is_sentence(text: str) -> bool:
    """Return whether too many words are in lower case for the text to be a name."""
    small = words_by("small_words")["names"]
    own = [word for word in text.split() if word.isalpha() and word.lower() not in small]
    return len(own) > 2 and sum(word.islower() for word in own) > 0.4 * len(own)
