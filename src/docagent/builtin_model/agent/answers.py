"""Answers from the page: the value under the name that is asked for, else the passages that say most of the words.

Nothing is invented: a value is given only if it stands in the extraction or on a page, and every answer has its place.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any

from docagent.builtin_model.agent.examples import asked_for, end_in_english, fillers, in_english
from docagent.builtin_model.agent.fields import is_money, snake, spoken, type_of_name
from docagent.builtin_model.agent.replies import CONNECT, bold, counted, page_of, quote, rows_text
from docagent.builtin_model.agent.values import as_text, find_values
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.asked.asking import name_meanings
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.filling import fill
from docagent.builtin_model.page.durations import durations_in
from docagent.builtin_model.page.pairs import find_pairs
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.proposals.describing import describe
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import ProjectDocument
from docagent.reading.printed import Style, fold
from docagent.words import any_of
from docagent.words import words as words_by

_NO_TEXT = "I have no text of this document."
_CURRENCY = "currency"
_WORD = re.compile(r"(?:[cdjlmnst]|qu|[dns]?[aeu]ll|un)['\u2019](?=\w)|\w+(?:[-'\u2019]\w+)*", re.I)
"""A word. An elided one, as in l'importo, is a word of its own."""
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b\d{1,2}\.? [^\W\d]{3,10}\.? \d{4}|[^\W\d]{3,10} \d{1,2}, \d{4}"
)
_NAME = re.compile(r"(?![A-Z]{3} ?\d)[^\W\d_]{2}")
_PLACE = re.compile(r"(?!.*\d{1,2}:\d\d).*[^\W\d_]{4}")
_KINDS = (("when", _DATE.search), ("how_much", _DIGIT.search), ("who", _NAME.match), ("where", _PLACE.match))
"""What a value must look like to answer these words."""
_ELIDED = "'\u2019"
_STEM = 5
_MOST_ENDING = 2
"""How many letters of an unknown word may be its ending: datumet is the Swedish for the datum."""
_MOST_PASSAGES = 3
_MOST_HEADS = 3
_MOST_WORDS = 30
_LONGEST_WORD = 60
"""What is looked at of a word that somebody asks with: its endings are tried one by one."""
_CARRIERS = frozenset({"numbe", "date", "code", "name", "no"})
"""What words such as number or date are known by: they say the kind of a value, not which one."""
_NUMBERS = frozenset({"numbe", "code", "no", "id"})
_MOST_IN_NAME = 5
_LONGEST_PASSAGE = 240
_ENDS = (".", "!", "?", ";")
_DUE = "due"
_SEVERAL = frozenset({"parties"})
"""What a paper has several of."""
_PRINTED = frozenset(
    {Kind.EMAIL, Kind.WEBSITE, Kind.PHONE, Kind.IBAN, Kind.BIC, Kind.VAT_ID, Kind.DATE, Kind.AMOUNT}
)
"""Kinds whose values are known by how they are printed."""
_UNSEEN = 1.5
"""The weight of a word that is printed nowhere."""
_LONGEST_LINE = 1000
_MOST_LINES = 20_000
_MOST_FACTS = 20
_MOST_BEGINNING = 8
_SLIP = 0.8
_MOST_PRINTED = 5000
_ENOUGH = 0.5
"""The share of what is asked for that a passage must say to be an answer."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text with its place: `page 2`, or `**Plan**, line 7`."""

    place: str
    text: str


def content_words(question: str) -> list[str]:
    """Return the words of a question that say what is asked for."""
    found = (one[0][:_LONGEST_WORD] for one in islice(_WORD.finditer(question), 4 * _MOST_WORDS))
    words = [word for word in found if word[-1] not in _ELIDED]
    return [word for word in words if fold(word) not in fillers()][:_MOST_WORDS]


def answer(question: str, data: Any, pages: Sequence[Page]) -> str:
    """Return what the extraction or the pages say, with the place; else the closest passages."""
    if not pages and not data:
        return _NO_TEXT
    words = content_words(question)
    usual = asked_for(question)
    name = usual or " ".join(words)
    if 0 < len(name.split()) <= _MOST_IN_NAME:
        ways: list[Callable[[], str | None]] = [
            lambda: _from_extraction(name, data, pages),
            lambda: _from_page(name, question, pages, is_usual=bool(usual)),
            lambda: _under_caption(words, question, pages),
        ]
        if found := next(filter(None, (way() for way in ways)), None):
            return found
    passages = [Passage(f"Page {page.number}", text) for page in pages for text in _pieces(page.text)]
    return from_passages(words, question, passages, counted(len(pages), "page"), lambda: facts(pages))


def from_passages(
    words: Sequence[str],
    question: str,
    passages: Sequence[Passage],
    where: str,
    otherwise: Callable[[], str] = str,
) -> str:
    """Return the passages that say most of the words. If none says enough, say so and show the closest."""
    seen = [frozenset().union(*map(_passage_marks, _WORD.findall(one.text))) for one in passages]
    spread = Counter(mark for marks in seen for mark in marks)
    wanted = {word: _passage_marks(word) for word in words}
    wanted |= {word: _near(word, passages) for word, marks in wanted.items() if marks.isdisjoint(spread)}
    weights = {
        word: max((math.log(1 + len(seen) / spread[one]) for one in marks if spread[one]), default=_UNSEEN)
        for word, marks in wanted.items()
    }
    scores: dict[Passage, float] = {}
    for passage, marks in zip(passages, seen, strict=True):
        said = sum(weights[word] for word, meant in wanted.items() if not marks.isdisjoint(meant))
        scores.setdefault(passage, said * (1.3 if _has_kind(passage.text, question) else 1.0))
    best: list[Passage] = []
    for one in sorted((one for one in scores if scores[one]), key=lambda one: -scores[one]):
        if len(best) < _MOST_PASSAGES and not any(one.text in other.text for other in best):
            best.append(one)
    told = _shown(best, frozenset().union(*wanted.values()))
    if best and scores[best[0]] >= _ENOUGH * sum(weights.values()):
        return told
    asked = f"“{' '.join(words)[:80]}”" if words else "That"
    likely = _likely(words, question, passages, best)
    closest = f" The closest passages:\n\n{told}" if told else ""
    may_be = f"\n\nThese passages have what it may be:\n\n{_shown(likely)}" if likely else ""
    rest = "" if likely else f"\n\n{otherwise()}".rstrip()
    return f"{asked} was not found in {where}.{closest}{may_be}{rest}\n\n{CONNECT}"


def _likely(
    words: Sequence[str], question: str, passages: Sequence[Passage], shown: Sequence[Passage]
) -> list[Passage]:
    """Return passages that have a value of the kind that is asked for: a date for `when`, a number for `phone`.

    Who takes part stands at the beginning.
    """
    names = in_english(" ".join(map(_known_form, words)))
    fields = [field_of(snake(one) or one, {"type": "string"}) for one in (" ".join(names), *names) if one]
    kinds = {one.kind for one in fields} & _PRINTED
    heads = passages[:_MOST_HEADS] if any(one.kind is Kind.NAME for one in fields) else ()
    found = (
        one
        for one in passages
        if not any(one.text in other.text for other in shown)
        and (
            one in heads
            or any(any(read_values(kind, one.text, Style())) for kind in kinds)
            or (not shown and _has_kind(one.text, question))
        )
    )
    return list(islice(found, 2 * _MOST_PASSAGES))


def _shown(passages: Iterable[Passage], lit: frozenset[str] = frozenset()) -> str:
    def shown(found: re.Match[str]) -> str:
        return found[0] if lit.isdisjoint(_passage_marks(found[0])) else bold(found[0])

    return "\n\n".join(f"{one.place}:\n\n{quote(_WORD.sub(shown, one.text))}" for one in passages)


# --- values --------------------------------------------------------------------------------------------------------


def _from_extraction(name: str, data: Any, pages: Sequence[Page]) -> str | None:
    if not data:
        return None
    try:
        found = find_values(data, name)
    except GiveUp as none:
        return none.text
    told = [(path, value) for path in found if (value := FieldPath(path).get(data)) not in (None, "", [], {})]
    if len(told) > 1:
        return "\n".join(f"- {FieldPath(path)}: {as_text(value, path[-1])}" for path, value in told[:20])
    for path, value in told:
        if isinstance(value, list) and any(isinstance(row, dict) for row in value):
            return rows_text(path[-1], value)
        currency = data.get(_CURRENCY) if isinstance(data, dict) else None
        page = page_of(data, path, pages)
        place = f"page {page}" if page else "in the extraction; I did not find it on the pages"
        return f"The {spoken(path[-1])} is **{_written(path[-1], value, currency)}** ({place})."
    return None


def _from_page(name: str, question: str, pages: Sequence[Page], *, is_usual: bool) -> str | None:
    """Return the value that stands under this name, if its kind is what the question asks for."""
    key = snake(" ".join(in_english(" ".join(map(_known_form, name.split())))))
    if not key or not pages:
        return None
    if name_meanings(key) == (_DUE,) and _DIGIT.search not in _kinds_of(question):
        key = "due_date"  # as in `la scadenza?`; `how much is due` asks for the amount
    kind = type_of_name(key)
    meant = field_of(key, kind).key
    if not is_usual and not meant and kind["type"] != "array":
        return None
    if meant in _SEVERAL:
        kind = {"type": "array", "items": kind}
    found = fill(pages, {"type": "object", "properties": {key: kind, _CURRENCY: {"type": "string"}}})
    value = found[key]
    if value in (None, "", []):
        return None
    if isinstance(value, list):
        return _listed(name, key, value, pages)
    text, page = _written(key, value, found[_CURRENCY]), page_of({key: value}, (key,), pages)
    if page is None or not _fits_question(text, question):
        return None
    return f"The {spoken(name)} is **{text}** (page {page})."


def _listed(name: str, key: str, found: list[Any], pages: Sequence[Page]) -> str:
    """Return the rows or the values of a list, with the page that they begin on."""
    first = (key, "0", *islice(found[0], 1)) if isinstance(found[0], dict) else (key, "0")
    page = page_of({key: found}, first, pages)
    return rows_text(name, found) + (f"\n\nSee page {page}." if page else "")


def _under_caption(words: Sequence[str], question: str, pages: Sequence[Page]) -> str | None:
    """Return the one value whose caption says what is asked for: `Meter 52868593` for the number of the meter."""
    telling = [_sense(word) for word in words if not _marks(word) & _CARRIERS]
    asks_number = any(_marks(word) & _NUMBERS for word in words)
    found: dict[str, tuple[int, str]] = {}
    for pair in find_pairs(sheet_of(pages)) if telling else ():
        printed = _WORD.findall(pair.caption)
        said = [_sense(word) for word in printed]
        is_number = any(_marks(word) & _NUMBERS for word in printed)
        is_asked_for = all(any(sense & one for one in said) for sense in telling)
        # The code of an advertiser is not the advertiser.
        is_asked_for &= bool(_DIGIT.search(pair.value)) if asks_number else len(said) == 1 or not is_number
        if is_asked_for and _fits_question(pair.value, question):
            told = f"{pair.caption}: {bold(pair.value)} (page {pages[pair.at.segment.page].number})."
            found.setdefault(pair.value, (len(said), told))
    fewest = sorted(found.values())[:2]
    is_clear = len(fewest) == 1 or (len(fewest) == 2 and fewest[0][0] < fewest[1][0])
    return fewest[0][1] if is_clear else None


def _written(name: str, value: Any, currency: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool) and is_money(name):
        return f"{value:.2f}" + (f" {currency}" if isinstance(currency, str) and currency else "")
    return as_text(value, name)


@lru_cache(maxsize=64)
def _kinds_of(question: str) -> tuple[Callable[[str], object], ...]:
    if any_of("questions", "how_long").search(question[:400]):
        return (lambda text: next(durations_in(text), None) or _DATE.search(text),)
    words, said = {fold(word) for word in _WORD.findall(question[:400])}, words_by("questions")
    return tuple(is_kind for key, is_kind in _KINDS if not words.isdisjoint(map(fold, said[key])))


def _has_kind(text: str, question: str) -> bool:
    return any(is_kind(text[:_LONGEST_LINE]) for is_kind in _kinds_of(question))


def _fits_question(text: str, question: str) -> bool:
    return not _kinds_of(question) or _has_kind(text, question)


# --- passages ------------------------------------------------------------------------------------------------------


def _pieces(text: str) -> Iterator[str]:
    """Yield the lines of a page, those of one sentence together."""
    kept: list[str] = []
    for line in text.splitlines()[:_MOST_LINES]:
        kept += [line.strip()[:_LONGEST_LINE]] if line.strip() else []
        is_long = sum(map(len, kept)) > _LONGEST_PASSAGE
        if kept and (not line.strip() or is_long or kept[-1].endswith(_ENDS)):
            yield "\n".join(kept)
            kept = []
    if kept:
        yield "\n".join(kept)


@lru_cache(maxsize=20_000)
def _known_form(word: str) -> str:
    """Return the word, folded. One that nobody knows may be the form of one that is known: datumet is the datum."""
    folded = fold(word)
    forms = (folded[:end] for end in range(len(folded), max(len(folded) - _MOST_ENDING, _STEM - 1) - 1, -1))
    return next((form for form in forms if {*name_meanings(form), *in_english(form)} != {form}), folded)


def _meanings(folded: str) -> tuple[str, ...]:
    """Return what a word means in any of the languages."""
    form = _known_form(folded)
    return (folded,) if folded.isdigit() else (*name_meanings(form), *in_english(form))


@lru_cache(maxsize=20_000)
def _marks(word: str) -> frozenset[str]:
    """Return what a word is known by: its beginning, and what it means in any of the languages."""
    folded = fold(word)
    return frozenset(
        one if one.isdigit() else one[:_STEM] for one in (folded, *_meanings(folded)) if len(one) > 1
    )


def _sense(word: str) -> frozenset[str]:
    """Return what a word is known by in a caption: the beginning of one word is not that of another one's meaning."""
    folded = fold(word)
    return frozenset({f"~{folded[:_STEM]}", *(f"={one}" for one in _meanings(folded))})


def _passage_marks(word: str) -> frozenset[str]:
    """Return a word's marks, and that of what a compound ends with: a Hagelschaden is a damage."""
    return _marks(word) | {meant[:_STEM] for meant in end_in_english(fold(word))}


def _near(word: str, passages: Sequence[Passage]) -> frozenset[str]:
    """Return the marks of a word that is printed nowhere, or of the printed one that it is a slip of."""
    if in_english(word) != [fold(word)]:
        return _passage_marks(word)
    printed = dict.fromkeys(fold(one) for passage in passages for one in _WORD.findall(passage.text))
    near = get_close_matches(fold(word), list(islice(printed, _MOST_PRINTED)), 1, _SLIP)
    return _passage_marks(near[0] if near else word)


# --- the whole -----------------------------------------------------------------------------------------------------


def about(pages: Sequence[Page]) -> str:
    if not pages:
        return _NO_TEXT
    told = describe(pages)
    kind = told["document_type"]
    article = "an" if kind and kind[0] in "aeiou" else "a"
    opening = f"It looks like {article} {kind}. " if kind else ""
    return f"{opening}{told['summary']}"


def facts(pages: Sequence[Page]) -> str:
    """Say what it is about, how it begins and what its captions say: what is asked for may have another name there."""
    pairs = find_pairs(sheet_of(pages)) if pages else ()
    lines = dict.fromkeys(
        f"- {one.caption}: {one.value} (page {pages[one.at.segment.page].number})" for one in pairs
    )
    begins = [line[:_LONGEST_LINE] for page in pages for line in page.text.splitlines() if line.strip()]
    parts = [about(pages)]
    parts += [f"It begins:\n\n{quote(chr(10).join(begins[:_MOST_BEGINNING]))}"] if begins else []
    parts += ["It has these captions:\n\n" + "\n".join(islice(lines, _MOST_FACTS))] if lines else []
    return "\n\n".join(parts)


def count_pages(pages: Sequence[Page]) -> str:
    return f"This document has {counted(len(pages), 'page')}." if pages else _NO_TEXT


def of_documents(documents: Iterable[ProjectDocument]) -> list[Passage]:
    """Return the paragraphs of living documents, each with its document and line. A heading goes with what follows."""
    found = []
    for document in documents:
        line, heads = 1, ""
        for paragraph in document.content.split("\n\n"):
            text = paragraph.strip()[:_LONGEST_LINE]
            if text.startswith("#") and "\n" not in text:
                heads = text
            elif text:
                found.append(Passage(f"**{document.name}**, line {line}", f"{heads}\n{text}".strip()))
            line += paragraph.count("\n") + 2
    return found
