"""The words of ten languages, read from the files of `words/`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"

LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


class Words:
    """What one language calls things: for each section and name, the wordings to choose from."""

    def __init__(self, language: str, sections: dict[str, dict[str, str]]) -> None:
        self.language = language
        self._wordings = {
            (section, name): tuple(part.strip() for part in line.split(" | "))
            for section, lines in sections.items()
            for name, line in lines.items()
        }

    def __call__(self, section: str, name: str) -> tuple[str, ...]:
        return self._wordings[section, name]

    def has(self, section: str, name: str) -> bool:
        return (section, name) in self._wordings

    def names(self, section: str) -> list[str]:
        return [name for known, name in self._wordings if known == section]


@cache
def words_of(language: str) -> Words:
    return Words(language, tomllib.loads((_FOLDER / f"{language}.toml").read_text()))
