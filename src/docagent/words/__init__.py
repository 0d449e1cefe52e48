"""The words of papers and of people who ask, as data: one file for each language, `docs/languages.md` says how.

The files are read when somebody first asks for a word, once in a process.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Section = Literal[
    "answers",
    "asked",
    "compound_endings",
    "contract",
    "contract_fields",
    "durations",
    "kinds",
    "labels",
    "letters",
    "months",
    "no_compounds",
    "numbers",
    "papers",
    "phrases",
    "questions",
    "small_words",
    "tax",
    "terms",
]
Words = Mapping[str, tuple[str, ...]]
"""Words and phrases by what they mean, or by what they are used for."""

FOLDER = Path(__file__).parent
_MAIN = "en"
"""Its file comes first, so its order of meanings is everybody's."""


@dataclass(frozen=True)
class Language:
    """One language's file."""

    code: str
    name: str
    sections: Mapping[str, Words]


@cache
def languages() -> tuple[Language, ...]:
    """Return every language that has a file, English first."""
    files = sorted(FOLDER.glob("*.toml"), key=lambda file: (file.stem != _MAIN, file.stem))
    return tuple(map(_read, files))


@cache
def words(section: Section) -> Words:
    """Return a section's words of all languages, since nobody knows in which one a paper is written."""
    merged: dict[str, dict[str, None]] = {}
    for language in languages():
        for key, some in language.sections.get(section, {}).items():
            merged.setdefault(key, {}).update(dict.fromkeys(some))
    return {key: tuple(some) for key, some in merged.items()}


@cache
def any_word(some: tuple[str, ...]) -> re.Pattern[str]:
    """Match any of the words or phrases, whole and in any case. `-weg` is how words end, `steuer-` how they begin."""
    longest_first = sorted(some, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_pattern, longest_first))})(?!\w)", re.IGNORECASE)


def any_of(section: Section, key: str) -> re.Pattern[str]:
    """Match any word of a list, as `any_word` does."""
    return any_word(words(section)[key])


def _pattern(word: str) -> str:
    before, after = (r"\w*" if there else "" for there in (word.startswith("-"), word.endswith("-")))
    return before + re.escape(word.strip("-")) + after


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list as the files write it: with commas between them, each with a space or a new line."""
    return tuple(text.replace(",\n", ", ").split(", "))


def _read(file: Path) -> Language:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    sections = {
        section: {key: listed(text) for key, text in table.items()}
        for section, table in content.items()
        if isinstance(table, dict)
    }
    return Language(file.stem, content["language"], sections)
