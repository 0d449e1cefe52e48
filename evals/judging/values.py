"""Kinds of values: when two are the same, and whether one is printed in a document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any

from docagent.domain.documents.text import Page
from docagent.reading.printed import PrintedDate, Style, find_dates, find_numbers
from evals.matching import edits, letters, normalise, similarity
from evals.printed import SIGNS, PrintedText, has_currency, is_spelled, words_are_there

_ALIKE = 0.8
_UNLIKE = 0.6
_SHORT = 3
"""In a text of so few words, each word and each digit matters; in a word of so few letters, few do."""
_NUMBER_WORDS = {
    "a": "1", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "eighteen": "18", "twenty": "20",
    "twenty-four": "24", "thirty": "30", "thirty-six": "36", "forty-eight": "48", "sixty": "60", "ninety": "90",
}  # fmt: skip
_MONTHS = {"month": 1, "year": 12}
_DAYS = {"day": 1, "week": 7}
_DURATION = re.compile(r"(\d+)\W*(month|year|day|week)")
_TIME = re.compile(r"[T ]?\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")
_MOST_LETTERS_BESIDE = 20
"""How many letters may stand beside a day, an amount or a duration: a weekday, a currency. A page has more."""
_FOREIGN = 3
"""So many letters in a row that the label does not have are another word, not a misreading."""
_LEGAL_FORMS = re.compile(
    "(?:incorporated|inc|corporation|corp|company|co|limited|ltd|ll?p|llc|plc|gmbh|mbh|ag|kg|ohg|ug|sarl|sas|srl|spa|sa|"
    "spzoo|zoo|sro|sdn|bhd|pte|pty|lda|bv|nv|oy|ab|as|aps)+"
)
"""With or without these a firm's name is the same."""
_DAY_OF = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b(?:\s+day\s+of)?")


class Kind(StrEnum):
    """How values are compared."""

    AMOUNT = "amount"
    """As numbers."""
    DATE = "date"
    """As days. What cannot be read as a day equals nothing."""
    DURATION = "duration"
    """As a number of months or days. What cannot be read as one equals nothing."""
    CODE = "code"
    """Letter by letter, without regard to case, spaces and punctuation."""
    NAME = "name"
    """As texts that are nearly the same."""


def kind_of(part: Mapping[str, Any], wanted: Any) -> Kind:
    """Guess the kind of a field from its part of the schema, and from a labelled value where the part does not tell."""
    kinds = part.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if part.get("format") == "date":
        return Kind.DATE
    if {"number", "integer"} & set(kinds) or (
        isinstance(wanted, int | float) and not isinstance(wanted, bool)
    ):
        return Kind.AMOUNT
    text = str(wanted)
    return Kind.CODE if re.search(r"\d", text) and len(text.split()) <= _SHORT else Kind.NAME


def same(wanted: Any, given: Any, kind: Kind, *, day_first: bool = True) -> bool:
    """Return whether two values of a kind are the same. Nothing is the same as no value."""
    if wanted is None or given is None:
        return False
    if isinstance(wanted, bool) or isinstance(given, bool):
        return wanted is given
    if kind is Kind.AMOUNT:
        return _equal(as_amount(wanted), as_amount(given))
    if kind is Kind.DATE:
        return _equal(as_day(wanted, day_first), as_day(given, day_first))
    if kind is Kind.DURATION:
        return _equal(as_duration(wanted), as_duration(given))
    left, right = letters(str(wanted)), letters(str(given))
    if not left:
        return str(wanted).strip() == str(given).strip()
    if kind is Kind.CODE:
        return left == right
    return left == right or (
        similarity(left, right) >= _ALIKE
        and not _another_word(str(wanted), str(given))
        and not _another_number(left, right)
        and not _has_foreign_text(left, right)
    )


def _another_word(wanted: str, given: str) -> bool:
    """Return whether two short names differ in one word, as North and South Dakota do."""
    left, right = wanted.split(), given.split()
    return len(left) == len(right) <= _SHORT and any(
        len(one) > _SHORT and similarity(letters(one), letters(other)) <= _UNLIKE
        for one, other in zip(left, right, strict=True)
    )


def _another_number(wanted: str, given: str) -> bool:
    """Return whether digits differ, as in two addresses of one street. A letter may be misread as a digit."""
    return any(
        one.isdigit() and other.isdigit() if one and other else (one or other).isdigit()
        for one, other in edits(wanted, given)
    )


def _has_foreign_text(wanted: str, given: str) -> bool:
    """Return whether letters that are not the label's stand in a row, but for a legal form."""
    runs = [""]
    for one, other in edits(wanted, given, kept=True):
        runs[-1] += other if one != other else ""
        if one == other:
            runs.append("")
    return any(len(run) >= _FOREIGN and not _LEGAL_FORMS.fullmatch(run) for run in runs)


def _equal(left: object, right: object) -> bool:
    return left is not None and left == right


def as_amount(value: Any) -> Decimal | None:
    """Return a number, whatever its currency; None where a text says more."""
    digits = re.sub(r"[^\d.,-]", "", str(value))
    if _says_more(str(value)):
        return None
    if "." in digits or not re.search(r",\d\d$", digits):
        digits = digits.replace(",", "")
    try:
        return Decimal(digits.replace(",", ".")).normalize()
    except InvalidOperation:
        return None


def as_day(value: Any, day_first: bool = True) -> date | None:
    """Return a day, with or without its time; None where a text says more."""
    text = str(value)
    found = next(iter(_dates(text, day_first)), None)
    if found is None:
        return None
    beside = _TIME.sub("", text[: found.start] + " " + text[found.end :])
    return None if _says_more(beside) or re.search(r"\d", beside) else found.day


def _says_more(text: str) -> bool:
    return sum(map(str.isalpha, text)) > _MOST_LETTERS_BESIDE


def as_duration(value: Any) -> tuple[str, int] | None:
    """Return a duration in months, or in days; None where a text says none."""
    text = " ".join(_NUMBER_WORDS.get(word, word) for word in re.findall(r"[\w-]+", normalise(str(value))))
    found = _DURATION.search(text)
    if found is None or _says_more(text[: found.start()] + text[found.end() :]):
        return None
    number, unit = int(found[1]), found[2]
    return ("months", number * _MONTHS[unit]) if unit in _MONTHS else ("days", number * _DAYS[unit])


class Printed:
    """What is printed in a document."""

    def __init__(self, text: str, *, day_first: bool = True) -> None:
        self._day_first = day_first
        self._text = PrintedText(text)
        flat = _DAY_OF.sub("", text.replace("\n", " "))
        self._dates = {found.day for found in _dates(flat, day_first)}
        self._amounts = {
            abs(found.value)
            for comma in (True, False)
            for found in find_numbers(text.replace("\n", "  "), Style(decimal_comma=comma))
        }
        self._durations = {as_duration(found[0]) for found in _spans(text)}

    @classmethod
    def on(cls, pages: Sequence[Page], *, day_first: bool = True) -> Printed:
        return cls("\n".join(page.text for page in pages), day_first=day_first)

    def has(self, value: Any, kind: Kind) -> bool:
        """Return whether the value is printed, as it is or in another form: whole words, in order."""
        if isinstance(value, bool):
            return True
        if kind is Kind.AMOUNT:
            amount = as_amount(value)
            return amount is not None and abs(amount) in self._amounts
        if kind is Kind.DATE:
            day = as_day(value, self._day_first)
            return day is not None and day in self._dates
        if kind is Kind.DURATION:
            duration = as_duration(value)
            return duration in self._durations if duration else self.has(value, Kind.DATE)
        if kind is Kind.CODE and str(value) in SIGNS:
            return has_currency(str(value), self._text)
        return is_spelled(str(value), self._text)

    def may_have(self, value: Any, kind: Kind) -> bool:
        """Return whether the value is printed, or at least every word of it somewhere."""
        return self.has(value, kind) or (
            kind in (Kind.CODE, Kind.NAME) and words_are_there(str(value), self._text)
        )


def _spans(text: str) -> list[re.Match[str]]:
    """Return the places where a text says a duration: a number, perhaps said twice, and a unit."""
    return list(
        re.finditer(r"[\w-]+\W{1,3}(?:\w+\W{1,3})?(?:month|year|day|week)", " ".join(text.casefold().split()))
    )


def _dates(text: str, day_first: bool) -> list[PrintedDate]:
    return [found for found in find_dates(text, Style(day_first=day_first)) if found.certain and found.day]
