"""Which words to look for in other documents, which pages answer best, and which part of a page to show."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, Protocol, TypeVar

from docagent.store.search.search_words import is_beginning

EXCERPT_CHARACTERS = 240
PASSAGE_CHARACTERS = 1200
SHORTEST_WORD = 3
MOST_WORDS = 24
MOST_PLACES_OF_A_WORD = 500
"""A word that stands in more places than this says next to nothing about any of them."""
PLACES_LOOKED_AT = 16
"""How many pages or living documents are read to choose the best."""
SATURATION = 1.5
"""Keeps repeats of a word from counting much: many say little more than two."""
_WORD = re.compile(r"[^\W_]+")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_COMMON_WORDS = """
the and for are was were that this with from have has had what which who whom when where how why can could will
would should does did its our your their them they there here you please tell show give about into
der die das und ist sind was wer wie wann wo mit von für ein eine einen dem den des auf im zu nicht auch
"""


class PlaceLike(Protocol):
    """A page of a document, or a living document."""

    @property
    def document_id(self) -> str: ...

    @property
    def number(self) -> int: ...


AnyPlace = TypeVar("AnyPlace", bound=PlaceLike)


def folded(text: str) -> str:
    """The text in lower case and without accents, letter for letter, so that positions stay the same."""
    return text.lower() if text.isascii() else "".join(map(_folded_letter, text))


@lru_cache(4096)
def _folded_letter(letter: str) -> str:
    small = unicodedata.normalize("NFD", letter)[0].lower()
    return small if len(small) == 1 else letter


_COMMON = frozenset(folded(_COMMON_WORDS).split())


def search_words(question: str) -> list[str]:
    """The words of a question that are worth looking for, each once, in order."""
    return list(words_as_typed(question))


def words_as_typed(question: str) -> dict[str, str]:
    """The same words; each leads to how it was typed, with its accents, in small letters."""
    typed = _WORD.findall(unicodedata.normalize("NFC", question))
    wanted = {folded(word): word.casefold() for word in reversed(typed)}
    return {word: wanted[word] for word in map(folded, typed) if _is_worth_looking_for(word)}


def words_to_find(text: str) -> dict[str, str]:
    """The words that somebody typed into a search field, folded, each with how it was typed, in small letters.

    Words that say little are left out, unless there are no others.
    """
    typed = {folded(word): word.lower() for word in _WORD.findall(unicodedata.normalize("NFC", text))}
    worth = {word: shown for word, shown in typed.items() if _is_worth_looking_for(word)} or typed
    return dict(list(worth.items())[:MOST_WORDS])


def _is_worth_looking_for(word: str) -> bool:
    return word not in _COMMON and (len(word) >= SHORTEST_WORD or any(letter.isdigit() for letter in word))


def word_weight(pages_with_it: int, pages: int) -> float:
    """How much a word says about a page: the fewer of the found pages have it, the more it says."""
    return math.log(1 + (pages - pages_with_it + 0.5) / (pages_with_it + 0.5))


def word_weights(places: Mapping[str, Sequence[AnyPlace]]) -> dict[str, float]:
    """How much each word says that was found somewhere. `places` are where the index finds each."""
    pages = len(set(chain.from_iterable(places.values())))
    return {word: word_weight(len(found), pages) for word, found in places.items() if found}


def most_promising(
    places: Mapping[str, Sequence[AnyPlace]], weights: Mapping[str, float], most: int
) -> list[AnyPlace]:
    """The places whose words weigh most together."""
    promise: defaultdict[AnyPlace, float] = defaultdict(float)
    for word, weight in weights.items():
        for place in places[word]:
            promise[place] += weight
    return sorted(promise, key=lambda place: (-promise[place], place.document_id, place.number))[:most]


def page_score(text: str, weights: Mapping[str, float]) -> float:
    """How well a page answers: the sum of its words' weights, a little more for words that repeat."""
    shown = folded(unicodedata.normalize("NFC", text))
    score = 0.0
    for word, weight in weights.items():
        times = len(_starts(word, shown))
        score += weight * times / (times + SATURATION)
    return score


def best_passage(text: str, words: Sequence[str], most: int = PASSAGE_CHARACTERS) -> str:
    """A stretch of at most `most` characters with as many different words as possible."""
    text = unicodedata.normalize("NFC", text)
    if len(text) <= most:
        return text.strip()
    shown = folded(text)
    hits = sorted((start, word) for word in words for start in _starts(word, shown))
    if not hits:
        return text[:most].strip() + " …"
    begin = max(0, _fullest(hits, most * 3 // 4) - most // 4)
    cut = text[begin : begin + most].strip()
    return f"{'… ' if begin else ''}{cut}{' …' if begin + most < len(text) else ''}"


class Hit(NamedTuple):
    """Where a word stands: its first character, and the one after its last."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A short piece of a text, to be shown to a person."""

    text: str
    line: int
    """The line of the whole text in which the first hit stands, or the piece begins."""
    hits: Sequence[Hit]
    """Where in the piece the words stand."""


def excerpt(text: str, words: Sequence[str], most: int = EXCERPT_CHARACTERS) -> Excerpt:
    """A stretch of about `most` characters with as many different words as possible, without blanks around it."""
    text = unicodedata.normalize("NFC", text)
    shown = folded(text)
    found = sorted((*place, word) for word in words for place in hits(word, shown))
    begin = 0
    if found and len(text) > most:
        fullest = _fullest([(start, word) for start, _, word in found], most * 3 // 4)
        begin = _next_word(text, max(0, fullest - most // 4), fullest)
    piece = text[begin : begin + most]
    before = "… " if begin else ""
    after = " …" if begin + most < len(text) else ""
    begin += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    inside = [(start, end) for start, end, _ in found if begin <= start and end <= begin + len(piece)]
    shift = len(before) - begin
    return Excerpt(
        f"{before}{piece}{after}",
        1 + len(_LINE_BREAK.findall(text[: inside[0][0] if inside else begin])),
        [Hit(start + shift, end + shift) for start, end in inside],
    )


def hits(word: str, shown: str, *, begins: bool = False) -> list[tuple[int, int]]:
    """Where the word stands in a folded text, as the index finds it: whole, or as the beginning of a longer word.

    `begins` finds beginnings however short the word is.
    """
    whole = "" if begins or is_beginning(word) else r"(?![^\W_])"
    return [match.span() for match in re.finditer(rf"(?<![^\W_]){re.escape(word)}{whole}", shown)]


def _next_word(text: str, place: int, last: int) -> int:
    """The beginning of the first word after a place that may be inside of one, but not after the last place."""
    if not place or text[place - 1].isspace():
        return place
    blank = re.compile(r"\s").search(text, place, last)
    return blank.end() if blank else place


def _fullest(hits: Sequence[tuple[int, str]], width: int) -> int:
    """The start of the first stretch of this width that holds the most different words."""
    best, best_count = hits[0][0], 0
    inside: dict[str, int] = {}
    end = 0
    for start, word in hits:
        while end < len(hits) and hits[end][0] < start + width:
            inside[hits[end][1]] = inside.get(hits[end][1], 0) + 1
            end += 1
        if len(inside) > best_count:
            best, best_count = start, len(inside)
        inside[word] -= 1
        if not inside[word]:
            del inside[word]
    return best


def _starts(word: str, text: str) -> list[int]:
    """Positions of the words that begin with this one, as the index finds them."""
    found = (match.start() for match in re.finditer(re.escape(word), text))
    return [start for start in found if not start or not text[start - 1].isalnum()]
