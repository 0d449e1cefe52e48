"""The examples of what people say, kept as data for each language: templates of words that must be there, and slots."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Any

from docagent.reading.printed import fold
from docagent.words import words as words_by

LANGUAGES = ("en", "de", "fr", "es")
PLACES = ("document", "project")
_SHORTEST_END = 4
_VERBS = ("add", "create", "rename", "delete", "replace", "set", "run", "tag")


@dataclass(frozen=True, slots=True)
class Element:
    """One part of an example: any of these words, or a slot."""

    words: frozenset[str] = frozenset()
    slot: str = ""
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    intent: str
    elements: tuple[Element, ...]
    needed: tuple[frozenset[str], ...]
    """A message without one of each of these does not fit."""

    def needs(self, slot: str) -> bool:
        return any(one.slot == slot and not one.optional for one in self.elements)


@dataclass(frozen=True)
class Language:
    stop: frozenset[str]
    """Words that add nothing to a request."""
    opening: tuple[tuple[str, ...], ...]
    closing: tuple[tuple[str, ...], ...]
    reason: tuple[tuple[str, ...], ...]
    """What begins a clause that says why something is wanted."""
    here: frozenset[str]
    joining: frozenset[str]
    """Words that no name begins or ends with, unless it is quoted: prepositions and conjunctions."""
    persons: frozenset[str]
    """Words of whole sentences, which no name has in it unless it is quoted: pronouns and auxiliary verbs."""
    vague: frozenset[str]
    """Words that stand for a text without saying it."""
    question: frozenset[str]
    filler: frozenset[str]
    """Words of a question that say nothing about what is asked for."""
    joined: Mapping[tuple[str, ...], str]
    words: Mapping[str, frozenset[str]]
    asked: Mapping[frozenset[str], str]
    """Usual questions, by their words, with the name of what they ask for."""
    examples: Mapping[str, tuple[Example, ...]]
    """By the place of the conversation."""


@cache
def languages() -> tuple[Language, ...]:
    return tuple(_language(name) for name in LANGUAGES)


@cache
def known_words() -> frozenset[str]:
    """Return every word of every language's examples, for words that are misspelt."""
    examples = (one for language in languages() for place in language.examples.values() for one in place)
    words = frozenset[str]().union(*(part.words for one in examples for part in one.elements))
    return frozenset(word for word in words if len(word) > 3)


@cache
def joining_and_persons() -> tuple[frozenset[str], frozenset[str]]:
    """Return these words of every language: messages mix languages. Letters may be names."""
    joining = frozenset(word for one in languages() for word in one.joining if len(word) > 1)
    return joining, frozenset(word for one in languages() for word in one.persons if len(word) > 1)


@cache
def verbs() -> frozenset[str]:
    """Return the words of every language that ask for a change."""
    return frozenset(word for one in languages() for group in _VERBS for word in one.words[group])


@cache
def naming() -> frozenset[str]:
    """Return the words of every language that come before a name, such as `called`."""
    return frozenset(word for one in languages() for word in one.words["called"])


@cache
def fillers() -> frozenset[str]:
    """Return the words that say nothing about what is asked for, of every language that has them."""
    said = (*words_by("questions")["asking"], *words_by("small_words")["questions"])
    own = (word for one in languages() for word in (*one.filler, *one.question, *one.stop))
    return frozenset((*own, *map(fold, said)))


def is_asking(words: Sequence[str]) -> bool:
    """Return whether a message begins as a question does."""
    return any(word in one.question for one in languages() for word in words[:2])


def is_request(words: Sequence[str]) -> bool:
    """Return whether a message begins with a word for doing something."""
    begins = [word for word in words if not any(word in one.stop for one in languages())][:1]
    return any(word in verbs() for word in begins)


def asked_for(question: str) -> str:
    """Return the name of what a usual question asks for, such as `who is it from`, or nothing if it says more."""
    words = frozenset(fold(question[:200]).replace("¿", " ").replace("?", " ").replace("'", " ").split())
    found = (
        one.asked[said]
        for one in languages()
        for said in one.asked
        if said <= words and words - said <= fillers() | one.words["paper"]
    )
    return next(found, "")


def in_english(text: str) -> list[str]:
    """Return the words, with one English word for all that papers and people use for the same thing."""
    return [_terms().get(word, word) for word in fold(text).split()]


def end_in_english(word: str) -> list[str]:
    """Return the English word for what a compound ends with, if it is one."""
    ends = (word[at:] for at in range(_SHORTEST_END, len(word) - _SHORTEST_END + 1))
    return [_terms()[end] for end in ends if end in _terms()][:1]


@cache
def _terms() -> Mapping[str, str]:
    data = tomllib.loads((files(__package__) / "words" / "terms.toml").read_text("utf-8"))
    said = {
        word: meant
        for meant, by_language in data.items()
        for words in by_language.values()
        for word in _words(words)
    }
    return said | {meant: meant for meant in data}


def _language(name: str) -> Language:
    data = tomllib.loads((files(__package__) / "words" / f"{name}.toml").read_text("utf-8"))
    groups = {key: _set(text) for key, text in data["words"].items()}
    places = {
        place: tuple(
            _example(intent, " ".join(order), groups)
            for kind in ("both", place)
            for intent, texts in data[kind].items()
            for text in texts
            for order in permutations(text.split(" / "))
        )
        for place in PLACES
    }
    own: dict[str, Any] = {key: _set(text) for key, text in data.items() if isinstance(text, str)}
    for key in ("opening", "closing", "reason"):
        own[key] = tuple(sorted(map(_words, data[key]), key=len, reverse=True))
    return Language(
        **own,
        joined={_words(phrase): word for phrase, word in data["joined"].items()},
        words=groups,
        asked={_set(text): name for name, texts in data["asked"].items() for text in texts},
        examples=places,
    )


def _example(intent: str, text: str, groups: Mapping[str, frozenset[str]]) -> Example:
    elements = []
    for part in text.split():
        optional = part.endswith("?")
        part = part.removesuffix("?")
        if part.startswith("{"):
            elements.append(Element(slot=part.strip("{}"), optional=optional))
            continue
        words: set[str] = set()
        for choice in part.split("|"):
            words |= groups[choice.strip("<>")] if choice.startswith("<") else {fold(choice)}
        elements.append(Element(frozenset(words), optional=optional))
    needed = tuple(one.words for one in elements if one.words and not one.optional)
    return Example(intent, tuple(elements), needed)


def _set(text: str) -> frozenset[str]:
    return frozenset(_words(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(fold(text).split())
