"""The words of papers and of people who ask, as data: one file for each language, `docs/languages.md` says how.

The files are read when somebody first asks for a word, once in a process.
"""

from __future__ import annotations

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
    "months",
    "no_compounds",
    "numbers",
    "phrases",
    "small_words",
    "tax",
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


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list as the files write it, with commas between them."""
    return tuple(" ".join(word.split()) for word in text.split(","))


def _read(file: Path) -> Language:
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    sections = {
        section: {key: listed(text) for key, text in table.items()}
        for section, table in content.items()
        if isinstance(table, dict)
    }
    return Language(file.stem, content["language"], sections)
