"""The examples of what people say, kept as data for each language, and a linear model fitted to them at first use.

An example is a template: words that must be there, and slots. The model scores a message by its words and their parts,
for messages that no example fits.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise, permutations

from docagent.reading.printed import fold

LANGUAGES = ("en", "de", "fr", "es")
PLACES = ("document", "project")
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
    english: Mapping[str, str]
    """Words of papers, with the English ones."""
    examples: Mapping[str, tuple[Example, ...]]
    """By the place of the conversation."""

    @property
    def vocabulary(self) -> frozenset[str]:
        return frozenset(
            word
            for place in self.examples.values()
            for one in place
            for part in one.elements
            for word in part.words
        )


@cache
def languages() -> tuple[Language, ...]:
    return tuple(_language(name) for name in LANGUAGES)


@cache
def known_words() -> frozenset[str]:
    """Return every word of every language's examples, for words that are misspelt."""
    return frozenset(word for language in languages() for word in language.vocabulary if len(word) > 3)


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
def fillers() -> frozenset[str]:
    return frozenset(word for one in languages() for word in (*one.filler, *one.question, *one.stop))


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
    """Return the words, with the English ones for those of other languages that papers use."""
    return [
        next((one.english[word] for one in languages() if word in one.english), word)
        for word in fold(text).split()
    ]


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
    sets = {key: _set(text) for key, text in data.items() if isinstance(text, str)}
    ends = {key: sorted(map(_words, data[key]), key=len, reverse=True) for key in ("opening", "closing")}
    return Language(
        **sets,
        opening=tuple(ends["opening"]),
        closing=tuple(ends["closing"]),
        joined={_words(phrase): word for phrase, word in data["joined"].items()},
        words=groups,
        asked={_set(text): name for name, texts in data["asked"].items() for text in texts},
        english={word: meant for meant, words in data.get("english", {}).items() for word in _words(words)},
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


# --- the linear model ----------------------------------------------------------------------------------------------


Weights = Mapping[str, float]


@cache
def _fitted(place: str) -> tuple[Mapping[str, Weights], Weights]:
    """Return the weights of each intent, and how telling each feature is."""
    seen: dict[str, Counter[str]] = {}
    for language in languages():
        for example in language.examples[place]:
            said = [min(part.words) for part in example.elements if part.words]
            seen.setdefault(example.intent, Counter()).update(_features(said))
    found_in = Counter(feature for counts in seen.values() for feature in counts)
    telling = {feature: math.log(1 + len(seen) / count) for feature, count in found_in.items()}
    return {
        intent: _unit({one: telling[one] * math.log1p(n) for one, n in counts.items()})
        for intent, counts in seen.items()
    }, telling


def likeliest(words: Sequence[str], place: str, among: Iterable[str]) -> tuple[str, float]:
    """Return which of these intents the words speak for most, and how much: 1 for its own examples."""
    weights, telling = _fitted(place)
    features = _features(words)
    said = _unit(
        {one: telling.get(one, math.log(1 + len(weights))) * math.log1p(n) for one, n in features.items()}
    )
    scores = {
        intent: sum(share * weights[intent].get(feature, 0.0) for feature, share in said.items())
        for intent in among
        if intent in weights
    }
    best = max(scores, key=lambda intent: scores[intent], default="")
    return best, scores.get(best, 0.0)


def _features(words: Sequence[str]) -> Counter[str]:
    found = Counter(f"={word}" for word in words)
    found.update(f"{first} {second}" for first, second in pairwise(words))
    found.update(f"~{word[at : at + 4]}" for word in words if len(word) > 4 for at in range(len(word) - 3))
    return found


def _unit(weights: dict[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(one * one for one in weights.values())) or 1.0
    return {feature: one / length for feature, one in weights.items()}
