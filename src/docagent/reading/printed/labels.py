"""Brings the words of labels to one word for each meaning, across languages.

`Rechnungs-Nr.`, `Facture n°` and `invoice_number` all become `invoice number`. The last part of a German or Dutch
compound becomes a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from docagent.reading.printed.folding import fold, fold_keeping_places
from docagent.words import Section, words

_SHORTEST_FORGIVEN = 5
_ATOM = re.compile(r"n°|n\.o(?!\w)|#|[^\W_]+")
_N_OF_NUMBER = re.compile(r"\.\s*(?:[:\d]|$|[A-Za-z]{1,4}[-/]?\d)")
"""Behind an `n` that stands for a number, as in `Fattura n. 17`, and not for a name."""
_CODE_FOLLOWS = re.compile(r"[-/_]?\d")
"""Behind letters that begin a code: `INV-2024`."""
_GLUED = re.compile(r"[oO]f(?=[A-Z])")
"""Recognition sometimes loses the space after a short word: `Name ofRegistrant`."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_APART = frozenset(":;|=")
"""What no phrase goes across."""


@dataclass(frozen=True)
class _Vocabulary:
    """The words of labels in all languages, folded."""

    meanings: Mapping[str, str]
    sides_of_tax: Mapping[str, str]
    endings: Mapping[str, str]
    no_endings: tuple[str, ...]
    phrases: Mapping[tuple[str, ...], tuple[str, ...]]
    first_words: frozenset[str]
    """Those with which a phrase begins."""
    longest_phrase: int
    small: frozenset[str]


@cache
def _vocabulary() -> _Vocabulary:
    phrases = {
        tuple(_ATOM.findall(fold(phrase))): tuple(key.split())
        for key, some in words("phrases").items()
        for phrase in some
    }
    return _Vocabulary(
        _by_word("terms") | _by_word("labels"),
        _by_word("tax"),
        _by_word("compound_endings"),
        words("no_compounds")["endings"],
        phrases,
        frozenset(phrase[0] for phrase in phrases),
        max(map(len, phrases)),
        frozenset(map(fold, words("small_words")["labels"])),
    )


def _by_word(section: Section) -> dict[str, str]:
    return {fold(word): meaning for meaning, some in words(section).items() for word in some}


@dataclass(frozen=True, slots=True)
class Atom:
    """A part of a text that has a meaning of its own, at the characters `start` to `end`."""

    meaning: str
    start: int
    end: int

    @property
    def is_known(self) -> bool:
        return self.meaning in words("labels")

    @property
    def is_term(self) -> bool:
        return self.meaning in words("terms")


def atoms_of(text: str, *, misread: bool = False) -> list[Atom]:
    """Return the meanings of the text's words. Small words are left out; numbers stay as they are.

    With `misread`, a longer word may have one wrong letter, as after recognition.
    """
    atoms: list[Atom] = []
    folded = fold_keeping_places(text)
    matches = list(_ATOM.finditer(folded.text))
    place = 0
    while place < len(matches):
        length, meanings = _phrase_at(folded.text, matches, place)
        match = matches[place]
        start, end = folded.source(match.start(), matches[place + max(length, 1) - 1].end())
        place += max(length, 1)
        if length and not _CODE_FOLLOWS.match(text, end):
            atoms += [Atom(meaning, start, end) for meaning in meanings]
            continue
        if length > 1:
            place -= length - 1
            start, end = folded.source(match.start(), match.end())
        _add_word(atoms, match[0], text, start, end, misread=misread)
    return atoms


def _phrase_at(text: str, matches: Sequence[re.Match[str]], place: int) -> tuple[int, tuple[str, ...]]:
    """Return how many words the longest phrase at this place has, and what it means."""
    known = _vocabulary()
    if matches[place][0] not in known.first_words:
        return 0, ()
    for length in range(min(known.longest_phrase, len(matches) - place), 0, -1):
        several = matches[place : place + length]
        meanings = known.phrases.get(tuple(match[0] for match in several))
        if meanings is not None and _APART.isdisjoint(text[several[0].start() : several[-1].end()]):
            return length, meanings
    return 0, ()


def _add_word(atoms: list[Atom], word: str, text: str, start: int, end: int, *, misread: bool) -> None:
    if _GLUED.match(text, start):
        word, start = word[2:], start + 2
    if word == "n" and _N_OF_NUMBER.match(text, end):
        atoms.append(Atom("number", start, end))
    elif word.isalpha() and _CODE_FOLLOWS.match(text, end):
        atoms.append(Atom(word.upper(), start, end))
    elif word in _vocabulary().small:
        return
    elif atoms and atoms[-1].meaning in ("excluding", "including") and _meaning_of(word) == "tax":
        side = "net" if atoms[-1].meaning == "excluding" else "gross"
        atoms[-1] = Atom(side, atoms[-1].start, end)
    else:
        atoms += [Atom(meaning, start, end) for meaning in _meanings(word, misread)]


def meanings_of(name: str) -> tuple[str, ...]:
    """Return the meanings in a name such as `invoice_number`, `dueDate` or `Total amount`."""
    spaced = " ".join(
        word if _meaning_of(fold(word).strip(".:")) else _CAMEL.sub(" ", word)
        for word in name.replace("_", " ").split()
    )
    return tuple(atom.meaning for atom in atoms_of(spaced))


def _meaning_of(word: str) -> str | None:
    return _vocabulary().meanings.get(word)


def _patterns(word: str) -> set[str]:
    return {word[:place] + "?" + word[place + 1 :] for place in range(len(word))}


@cache
def _forgiving() -> dict[str, str]:
    return {
        pattern: meaning
        for word, meaning in _vocabulary().meanings.items()
        if len(word) >= _SHORTEST_FORGIVEN
        for pattern in _patterns(word)
    }


def _forgiven(word: str) -> str | None:
    if len(word) < _SHORTEST_FORGIVEN or not word.isalpha():
        return None
    forgiving = _forgiving()
    return next(
        (forgiving[pattern] for pattern in sorted(_patterns(word)) if pattern in forgiving), None
    ) or _meaning_of(word.replace("rn", "m"))


@lru_cache(maxsize=20_000)
def _meanings(word: str, misread: bool) -> tuple[str, ...]:
    known = _vocabulary()
    one = known.meanings.get(word) or known.sides_of_tax.get(word)
    if one is not None:
        return (one,)
    for ending, meaning in known.endings.items():
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            for shorter in (stem, stem.removesuffix("s"), stem.removesuffix("en"), stem.removesuffix("n")):
                if shorter in known.meanings:
                    return (known.meanings[shorter], meaning)
            if ending not in ("nr", "name", "date", "satz") and not word.endswith(known.no_endings):
                return (stem, meaning)
    forgiven = _forgiven(word) if misread else None
    return (forgiven or word,)
