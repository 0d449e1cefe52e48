"""Reads the names and descriptions of fields: what people ask for, as meanings, in any of ten languages."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from docagent.reading.printed import atoms_of, fold
from docagent.words import any_of
from docagent.words import words as words_by

_CAMEL = re.compile(r"(?<=[a-z\u00df-\u00ff0-9])(?=[A-Z\u00c0-\u00de])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W\d_]+")
_UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
_LONGEST_PHRASE = 6
_WITH_OR_WITHOUT_TAX = frozenset({"net", "gross"})
"""What two words can mean together: `ohne MwSt`."""


@lru_cache(maxsize=4096)
def name_meanings(name: str) -> tuple[str, ...]:
    """Return the meanings in a field's name such as `invoice_number`, `dueDate` or `left_to_pay`."""
    return tuple(_read(words_of(name), keep_unknown=True))


@lru_cache(maxsize=4096)
def described_meanings(description: str) -> tuple[str, ...]:
    """Return the meanings in a description, in its order. What it excludes or gives as an example does not count."""
    text = description
    for pattern in _set_aside():
        text = pattern.sub(" ", text)
    found: list[str] = []
    for clause in re.split(r"[.;:,()]\s*|\s[-\u2013]\s", text):
        words = words_of(clause)
        if words:
            found += [*_read(words, keep_unknown=False), ""]
    return tuple(found)


@cache
def _set_aside() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of what a description excludes, and of what it gives as an example."""
    excluded = rf"{any_of('questions', 'except').pattern}.*?(?=[.;,]|$)"
    example = rf"{any_of('questions', 'example').pattern}\s.*?(?=[.;]|$)"
    return re.compile(excluded, re.IGNORECASE), re.compile(example, re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """Return the words of a name or description, folded: `dueDate` has two."""
    return [
        fold(word) for word in _WORD.findall(_CAMEL.sub(" ", text.replace("_", " ").replace("\u2019", "'")))
    ]


def _read(words: list[str], *, keep_unknown: bool) -> list[str]:
    found: list[str] = []
    place = 0
    while place < len(words):
        length, meanings = _phrase_at(words, place)
        if length:
            found += meanings
            place += length
            continue
        word = words[place]
        place += 1
        if word in _noise() and (not keep_unknown or len(words) > 1):
            continue
        known = _meanings_of_word(word)
        if known:
            found += known
        elif keep_unknown or len(word) > 2:
            found.append(word)
    return found


def _phrase_at(words: list[str], place: int) -> tuple[int, list[str]]:
    """Return how many words the longest phrase at this place has, and what it means."""
    for length in range(min(_LONGEST_PHRASE, len(words) - place), 0, -1):
        meanings = _phrases().get(" ".join(words[place : place + length]))
        if meanings is not None:
            return length, meanings
    pair = atoms_of(" ".join(words[place : place + 2]))
    if len(pair) == 1 and pair[0].meaning in _WITH_OR_WITHOUT_TAX and place + 1 < len(words):
        return 2, [pair[0].meaning]
    return 0, []


def _meanings_of_word(word: str) -> list[str]:
    """Return what a word means as a label, also written without its umlauts; nothing if it is not known."""
    for spelling in _spellings(word):
        phrase = _phrases().get(spelling)
        if phrase is not None:
            return phrase
        atoms = atoms_of(spelling)
        if atoms and all(atom.is_known or atom.is_term for atom in atoms):
            return [atom.meaning for atom in atoms]
    return []


def _spellings(word: str) -> list[str]:
    plain = word
    for written, umlaut in _UMLAUTS:
        plain = plain.replace(written, umlaut)
    return [word] if plain == word else [word, plain]


@cache
def _phrases() -> dict[str, list[str]]:
    return {
        " ".join(words_of(phrase)): meanings.split()
        for meanings, phrases in words_by("asked").items()
        for phrase in phrases
    }


@cache
def _noise() -> frozenset[str]:
    return frozenset(map(fold, words_by("small_words")["questions"]))
