"""Answers from the page: the value under the name that is asked for, else the passages that say most of the words.

Nothing is invented: a value is given only if it stands in the extraction or on a page, and every answer has its place.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from docagent import reader_model
from docagent.builtin_model.agent.examples import asked_for, fillers, in_english
from docagent.builtin_model.agent.replies import CONNECT, bold, counted, page_of, quote, rows_text
from docagent.builtin_model.agent.types import is_money, snake, spoken, type_of_name
from docagent.builtin_model.agent.values import as_text, find_values
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.asked.asking import name_meanings
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.filling import fill
from docagent.builtin_model.page.pairs import find_pairs
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.proposals.describing import describe
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.reading.printed import Style, fold
from docagent.words import words as words_by

_NO_TEXT = "I have no text of this document."
_CURRENCY = "currency"
_WORD = re.compile(r"\w+(?:[-']\w+)*")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\b\d{1,2}\.? [^\W\d]{3,10}\.? \d{4}|[^\W\d]{3,10} \d{1,2}, \d{4}"
)
_KINDS = (("when", _DATE), ("how_much", _DIGIT))
"""What a value must look like to answer these words."""
_STEM = 5
_MOST_PASSAGES = 3
_MOST_WORDS = 30
_CARRIERS = frozenset({"numbe", "date", "code", "name", "no"})
"""What words such as number or date are known by: they say the kind of a value, not which one."""
_NUMBERS = frozenset({"numbe", "code", "no"})
_MOST_IN_NAME = 5
_LONGEST_PASSAGE = 240
_ENDS = (".", "!", "?", ";")
_PRINTED = frozenset(
    {Kind.EMAIL, Kind.WEBSITE, Kind.PHONE, Kind.IBAN, Kind.BIC, Kind.VAT_ID, Kind.DATE, Kind.AMOUNT}
)
"""Kinds whose values are known by how they are printed."""
_UNSEEN = 1.5
"""The weight of a word that is printed nowhere."""
_LONGEST_LINE = 1000
_MOST_LINES = 20_000
_ENOUGH = 0.5
"""The share of what is asked for that a passage must say to be an answer."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text with its place: `page 2`, or `**Plan**, line 7`."""

    place: str
    text: str


def content_words(question: str) -> list[str]:
    """Return the words of a question that say what is asked for."""
    words = _WORD.findall(question)[: 4 * _MOST_WORDS]
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
    likely = partial(_by_meaning, " ".join(in_english(name)), passages, pages)
    return from_passages(words, question, passages, counted(len(pages), "page"), likely)


def _by_meaning(name: str, passages: Sequence[Passage], pages: Sequence[Page]) -> list[Passage]:
    """Return the passages that have a value of the kind that is asked for, or in which the network sees it."""
    if not name or not pages:
        return []
    fields = [field_of(snake(one) or one, {"type": "string"}) for one in (name, name.split()[-1])]
    kinds = {one.kind for one in fields} & _PRINTED
    found = [one for one in passages if any(any(read_values(kind, one.text, Style())) for kind in kinds)]
    if reader_model.is_available():
        spans = reader_model.answer(pages, [reader_model.Question(name, "", "text")])[0][:_MOST_PASSAGES]
        found += [one for span in spans for one in passages if span.text in one.text.replace("\n", " ")]
    return list(dict.fromkeys(found))[: 2 * _MOST_PASSAGES]


def from_passages(
    words: Sequence[str],
    question: str,
    passages: Sequence[Passage],
    where: str,
    by_meaning: Callable[[], Sequence[Passage]] = tuple,
) -> str:
    """Return the passages that say most of the words. If none says enough, say so and show the closest."""
    wanted = {word: _marks(word) for word in words}
    seen = [{mark for word in _WORD.findall(one.text) for mark in _marks(word)} for one in passages]
    spread = Counter(mark for marks in seen for mark in marks)
    weights = {
        word: max((math.log(1 + len(seen) / spread[one]) for one in marks if spread[one]), default=_UNSEEN)
        for word, marks in wanted.items()
    }
    scored = []
    for place, (passage, marks) in enumerate(zip(passages, seen, strict=True)):
        said = [word for word, meant in wanted.items() if not marks.isdisjoint(meant)]
        if said:
            score = sum(weights[word] for word in said) * (1.3 if _has_kind(passage.text, question) else 1.0)
            scored.append((-score, place, said))
    best: list[tuple[float, int, list[str]]] = []
    for one in sorted(scored):
        if len(best) < _MOST_PASSAGES and not any(
            passages[one[1]].text in passages[at].text for _, at, _ in best
        ):
            best.append(one)
    lit = frozenset(mark for marks in wanted.values() for mark in marks)
    told = "\n\n".join(f"{passages[at].place}:\n\n{quote(_lit(passages[at].text, lit))}" for _, at, _ in best)
    total = sum(weights.values())
    if best and -best[0][0] >= _ENOUGH * total:
        return told
    shown = [passages[at].text for _, at, _ in best]
    if likely := [one for one in by_meaning() if not any(one.text in text for text in shown)]:
        told = "\n\n".join([told, *(f"{one.place}:\n\n{quote(one.text)}" for one in likely), CONNECT]).strip()
    closest = f" The closest passages:\n\n{told}" if told else _of_kind(passages, question)
    asked = f"“{' '.join(words)[:80]}”" if words else "That"
    return f"{asked} was not found in {where}.{closest}"


def _of_kind(passages: Sequence[Passage], question: str) -> str:
    """Show what could be meant where no word of the question is printed: dates for `when`, amounts for `how much`."""
    likely = [one for one in passages if _has_kind(one.text, question)][: 2 * _MOST_PASSAGES]
    if not likely:
        return f" I look for the words of a question: ask in the words of the document. {CONNECT}"
    told = "\n\n".join(f"{one.place}:\n\n{quote(one.text)}" for one in likely)
    return f" These passages have what it may be:\n\n{told}"


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
    key = snake(" ".join(in_english(name)))
    if not key or not pages:
        return None
    kind = type_of_name(key)
    if not is_usual and not field_of(key, kind).key and kind["type"] != "array":
        return None
    found = fill(pages, {"type": "object", "properties": {key: kind, _CURRENCY: {"type": "string"}}})
    value = found[key]
    if value in (None, "", []):
        return None
    if isinstance(value, list):
        return rows_text(name, value)
    text, page = _written(key, value, found[_CURRENCY]), page_of({key: value}, (key,), pages)
    if page is None or not _fits_question(text, question):
        return None
    return f"The {spoken(name)} is **{text}** (page {page})."


def _under_caption(words: Sequence[str], question: str, pages: Sequence[Page]) -> str | None:
    """Return the one value whose caption says what is asked for: `Meter 52868593` for the number of the meter."""
    telling = [marks for word in words if not (marks := _marks(word)) & _CARRIERS]
    asks_number = any(_marks(word) & _NUMBERS for word in words)
    found: dict[str, tuple[int, str]] = {}
    for pair in find_pairs(sheet_of(pages)) if telling else ():
        said = [_marks(word) for word in _WORD.findall(pair.caption)]
        is_asked_for = all(any(marks & one for one in said) for marks in telling)
        is_asked_for &= bool(_DIGIT.search(pair.value)) or not asks_number
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


@cache
def _question_words(key: str) -> frozenset[str]:
    return frozenset(map(fold, words_by("questions")[key]))


def _kinds_of(question: str) -> list[re.Pattern[str]]:
    words = {fold(word) for word in _WORD.findall(question[:400])}
    return [pattern for key, pattern in _KINDS if words & _question_words(key)]


def _has_kind(text: str, question: str) -> bool:
    return any(pattern.search(text[:_LONGEST_LINE]) for pattern in _kinds_of(question))


def _fits_question(text: str, question: str) -> bool:
    kinds = _kinds_of(question)
    return not kinds or any(pattern.search(text) for pattern in kinds)


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


def _marks(word: str) -> frozenset[str]:
    """Return what a word is known by: its beginning, and what it means in any of the languages."""
    folded = fold(word)
    meanings = [*name_meanings(folded), *in_english(folded)] if not folded.isdigit() else [folded]
    return frozenset(one if one.isdigit() else one[:_STEM] for one in (folded, *meanings) if len(one) > 1)


def _lit(text: str, marks: frozenset[str]) -> str:
    return _WORD.sub(lambda found: found[0] if marks.isdisjoint(_marks(found[0])) else bold(found[0]), text)


# --- the whole -----------------------------------------------------------------------------------------------------


def about(pages: Sequence[Page]) -> str:
    if not pages:
        return _NO_TEXT
    told = describe(pages)
    kind = told["document_type"]
    article = "an" if kind and kind[0] in "aeiou" else "a"
    opening = f"It looks like {article} {kind}. " if kind else ""
    return f"{opening}{told['summary']}"


def count_pages(pages: Sequence[Page]) -> str:
    return f"This document has {counted(len(pages), 'page')}." if pages else _NO_TEXT


def of_documents(documents: Iterable[tuple[str, str]]) -> list[Passage]:
    """Return the paragraphs of living documents, each with its document and line. A heading goes with what follows."""
    found = []
    for name, content in documents:
        line, heads = 1, ""
        for paragraph in content.split("\n\n"):
            text = paragraph.strip()[:_LONGEST_LINE]
            if text.startswith("#") and "\n" not in text:
                heads = text
            elif text:
                found.append(Passage(f"**{name}**, line {line}", f"{heads}\n{text}".strip()))
            line += paragraph.count("\n") + 2
    return found
