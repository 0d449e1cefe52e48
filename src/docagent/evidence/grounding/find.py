"""Finds every place where a value may be printed. How it searches depends on the kind of value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple, TypeAlias

from docagent.domain.documents.text import WordSource
from docagent.evidence.grounding.digits import has_numbers_in_order, has_same_numbers, parts_digits_alike
from docagent.evidence.grounding.fuzzy import nearly_equal_runs, scattered_words
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.model import MatchKind
from docagent.evidence.grounding.normal import confused, plain, tokens
from docagent.evidence.grounding.numbers import key
from docagent.evidence.grounding.page_breaks import runs_over_breaks
from docagent.evidence.grounding.wrapped import wrapped_runs
from docagent.reading.printed import (
    PrintedDate,
    PrintedNumber,
    codes_of,
    parse_date,
    parse_number,
    signs_of,
    squeezed,
)

Scalar: TypeAlias = "str | int | float | Decimal | bool"

_PUNCTUATION = " \t.,;:!?*#|'\"()[]{}<>"
_DIGITS = re.compile(r"\d+")
_DECIMALS = re.compile(r"\d[.,]\d")
_LEAST_ID = 5
_SHORT = 2
_LEAST_FUZZY = 5
_LONGEST_FUZZY = 1500
_PART_OF_WORD = 0.7
_WITH_UNIT = 0.9
WEAK = 0.5
"""The weight of one or two letters in another case. They prove something only with the right label or row."""


class Candidate(NamedTuple):
    """A place: the numbers of its words, the kind of match, and how good the match is within its kind, 0..1."""

    words: tuple[int, ...]
    form: MatchKind
    weight: float = 1.0


def find_candidates(index: DocumentIndex, value: Scalar) -> list[Candidate]:
    """Find the places of a text, number or date, the best first. Check marks are found by their labels instead."""
    if isinstance(value, str):
        found = _of_text(index, value)
    else:
        number = Decimal(str(value))
        if not number.is_finite():
            return []
        found = [
            *_of_number(index, PrintedNumber((number,)), str(value)),
            *_of_share(index, number),
            *_of_identifier(index, str(value)),
        ]
    return _best_of_each_place(found)


def _of_text(index: DocumentIndex, value: str) -> list[Candidate]:
    date = parse_date(value)
    if date is not None:
        found = [*_of_date(index, value, *date), *_spelled(index, value)]
        return found or _as_confused(index, value)
    number = parse_number(value)
    if number is None:
        found = [*_spelled(index, value), *_of_currency(index, value)]
        return found or _nearly(index, value)
    digits = value.strip()
    if digits.isdigit() and digits.startswith("0") and len(digits) > 1:
        return [*_of_identifier(index, digits)] or _as_confused(index, value)
    return [*_of_number(index, number, value), *_of_identifier(index, digits)]


def _of_number(index: DocumentIndex, wanted: PrintedNumber, value: str) -> Iterator[Candidate]:
    for number in wanted.values:
        is_second_reading = abs(number) != abs(wanted.values[0])
        for place in index.by_number.get(key(number), ()):
            if wanted.currencies and place.currencies and not _overlap(wanted.currencies, place.currencies):
                continue
            words = place.words
            if is_second_reading and squeezed(_text(index, words)) != squeezed(value):
                continue
            if wanted.currencies and place.currency_word is not None:
                words = tuple(sorted({*words, place.currency_word}))
            if place.doubtful:
                yield Candidate(words, MatchKind.FUZZY)
                continue
            as_wanted = wanted.percent == place.percent and not place.has_unit
            yield Candidate(words, _form(index, words, value), 1.0 if as_wanted else _WITH_UNIT)


def _of_share(index: DocumentIndex, number: Decimal) -> Iterator[Candidate]:
    """Find a number below 1 as a percentage: 0.19 as 19 %."""
    if 0 < abs(number) < 1:
        for place in index.by_number.get(key(number * 100), ()):
            if place.percent:
                yield Candidate(place.words, MatchKind.NORMALISED, _WITH_UNIT)


def _of_identifier(index: DocumentIndex, digits: str) -> Iterator[Candidate]:
    """Find a number that is an identifier. Spaces and dashes may part its digits, but no decimal marks."""
    if not _DIGITS.fullmatch(digits) or len(digits) < _LEAST_ID:
        return
    for stream in index.streams:
        for span in stream.find(digits):
            words = stream.words_between(span.start, span.end)
            text = _text(index, words)
            if not _DECIMALS.search(text) and parts_digits_alike(digits, text):
                whole = span.whole and squeezed(text) == digits
                yield Candidate(words, _form(index, words, digits), 1.0 if whole else _PART_OF_WORD)


def _of_date(index: DocumentIndex, value: str, date: PrintedDate, time: str | None) -> Iterator[Candidate]:
    for day in date.days:
        for place in index.by_day.get(day, ()):
            if time is None or time == "00:00":
                yield Candidate(place.words, _form(index, place.words, value))
                continue
            clock = _time_beside(index, place.words, time)
            words = (*place.words, *clock)
            yield Candidate(words, MatchKind.NORMALISED if clock else MatchKind.FUZZY)


def _time_beside(index: DocumentIndex, words: tuple[int, ...], time: str) -> tuple[int, ...]:
    line = index.lines[index.line_of[words[-1]]]
    wanted = time.lstrip("0")
    return tuple(
        number
        for number in line
        if number not in words and index.words[number].text.strip(_PUNCTUATION).lstrip("0").startswith(wanted)
    )[:1]


def _of_currency(index: DocumentIndex, value: str) -> Iterator[Candidate]:
    """Find a currency under all its signs, codes and names: EUR where the page says only €."""
    currencies = codes_of(value.strip())
    for sign in signs_of(currencies):
        for number in [*index.by_text.get(sign, ()), *index.by_token.get(sign.lower(), ())]:
            if _overlap(codes_of(index.words[number].text.strip(_PUNCTUATION)), currencies):
                yield Candidate((number,), _form(index, (number,), value))
    if not currencies:
        return
    for places in index.by_number.values():
        for place in places:
            if _overlap(place.currencies, currencies) and place.currency_word is None:
                yield Candidate(place.words, MatchKind.NORMALISED, _PART_OF_WORD)


def _overlap(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return any(code in others for code in some)


def _spelled(index: DocumentIndex, value: str) -> Iterator[Candidate]:
    """Find words with the same letters and digits as the value, however they are divided and punctuated."""
    needle = squeezed(value)
    if not needle:
        for number in index.by_text.get(value.strip(), ()):
            yield Candidate((number,), MatchKind.EXACT)
        return
    if needle in index.by_token and needle.isalpha():
        yield from _single_words(index, value, needle)
        return
    for stream in index.streams:
        for span in stream.find(needle):
            words = stream.words_between(span.start, span.end)
            if not parts_digits_alike(value, _text(index, words)):
                continue
            if span.whole:
                whole = sum(len(squeezed(index.words[number].text)) for number in words) == len(needle)
                if whole or len(needle) > _SHORT:
                    yield Candidate(
                        words, _form(index, words, value), _weight(index, words, value, whole=whole)
                    )
            else:
                yield Candidate(words, MatchKind.FUZZY, _PART_OF_WORD)


def _single_words(index: DocumentIndex, value: str, needle: str) -> Iterator[Candidate]:
    """Do the same as `_spelled` for one word. It may stand in very many places, so equal texts are compared once."""
    known: dict[str, tuple[MatchKind, float] | None] = {}
    for number in index.by_token[needle]:
        text = index.words[number].text
        if text not in known:
            whole = squeezed(text) == needle
            words = (number,)
            known[text] = (
                (_form(index, words, value), _weight(index, words, value, whole=whole))
                if whole or len(needle) > _SHORT
                else None
            )
        verdict = known[text]
        if verdict is not None:
            yield Candidate((number,), *verdict)


def _weight(index: DocumentIndex, words: tuple[int, ...], value: str, *, whole: bool) -> float:
    if not whole:
        return _PART_OF_WORD
    same_case = _letters(_text(index, words)) == _letters(value)
    return 1.0 if same_case or len(squeezed(value)) > _SHORT else WEAK


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _as_confused(index: DocumentIndex, value: str) -> list[Candidate]:
    """Find recognised words that spell the value if letters that look like digits are read as digits."""
    needle = confused(squeezed(value))
    if not index.recognised or len(needle) < _LEAST_FUZZY:
        return []
    return [
        Candidate(words, MatchKind.FUZZY)
        for stream in index.streams
        for span in stream.find(needle, as_confused=True)
        if span.whole
        and _is_recognised(index, words := stream.words_between(span.start, span.end))
        and parts_digits_alike(value, _text(index, words), as_confused=True)
    ]


def _nearly(index: DocumentIndex, value: str) -> list[Candidate]:
    """Find a text wrapped in a column, cut by a page break, in another order, misread, or mixed with other words.

    Return only what the surest of these ways finds.
    """
    found = _as_confused(index, value)
    if found or not _LEAST_FUZZY <= len(squeezed(value)) <= _LONGEST_FUZZY:
        return found
    wanted = tokens(value)
    for runs in (wrapped_runs(index, wanted), runs_over_breaks(index, wanted)):
        found = [
            Candidate(words, _form(index, words, value))
            for words in runs
            if parts_digits_alike(value, _text(index, words))
        ]
        if found:
            return found
    scattered, together = scattered_words(index, wanted)
    scattered = [words for words in scattered if has_same_numbers(value, _text(index, words))]
    if scattered and together:
        return [Candidate(words, MatchKind.NORMALISED) for words in scattered]
    misread = nearly_equal_runs(index, wanted) if index.recognised else []
    found = [
        Candidate(words, MatchKind.FUZZY)
        for words in misread
        if _is_recognised(index, words) and has_numbers_in_order(value, _text(index, words))
    ]
    return found or [Candidate(words, MatchKind.FUZZY, _PART_OF_WORD) for words in scattered]


def _is_recognised(index: DocumentIndex, words: tuple[int, ...]) -> bool:
    return any(index.words[number].source is WordSource.OCR for number in words)


def _form(index: DocumentIndex, words: tuple[int, ...], value: str) -> MatchKind:
    printed = plain(_text(index, words)).strip(_PUNCTUATION).replace(" ", "")
    wanted = plain(value).strip(_PUNCTUATION).replace(" ", "")
    return MatchKind.EXACT if printed == wanted else MatchKind.NORMALISED


def _text(index: DocumentIndex, words: Iterable[int]) -> str:
    return " ".join(index.words[number].text for number in words)


_RANK = {MatchKind.EXACT: 0, MatchKind.NORMALISED: 1, MatchKind.FUZZY: 2}


def _best_of_each_place(found: Iterable[Candidate]) -> list[Candidate]:
    best: dict[frozenset[int] | int, Candidate] = {}
    for candidate in found:
        words = candidate.words
        place = words[0] if len(words) == 1 else frozenset(words)
        known = best.get(place)
        if known is None or (_RANK[candidate.form], -candidate.weight) < (_RANK[known.form], -known.weight):
            best[place] = candidate
    return sorted(
        best.values(), key=lambda candidate: (_RANK[candidate.form], -candidate.weight, candidate.words)
    )
