"""Where in a project something is to happen: a document that exists, or a section of one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docagent.builtin_model.agent.kept_text import Said
from docagent.builtin_model.agent.project_known import HERE, Known, bare_section

_INSIDE = re.compile(r"\s(?:of|in|from|inside|within|on)\s", re.I)
_BELOW = re.compile(r"(?:,|\s(?:under|below|beneath|at))\s+(?:in\s+|under\s+)?", re.I)
_POSSESSIVE = re.compile(r"(?P<document>.+?)(?:'s|(?<=s)') (?P<section>.+)", re.I | re.S)
_SECTION_WORD = re.compile(r"\b(?:section|chapter|heading|part)\b", re.I)
_HERE = re.compile(r"(?<=\S)\s+(?:in )?here$", re.I)
_EDGE = re.compile(r"(?:the )?(?:very )?(?:end|bottom|foot) of (?=\S)", re.I)


@dataclass(frozen=True, slots=True)
class Place:
    document: str
    section: str | None = None


class Places:
    """Reads places in a message, with the text that it keeps put back."""

    def __init__(self, said: Said, known: Known) -> None:
        self._said = said
        self.known = known

    def document(self, words: str) -> str | None:
        return self.known.document(self._said.back(words))

    def section(self, words: str, document: str) -> str | None:
        """The title of a section that exists, or any title after the word for a section."""
        said = self._said.back(words)
        title = self.known.section(said, document)
        return title or (bare_section(said) if names_section(words) else None)

    def place(self, words: str) -> Place | None:
        words = _HERE.sub("", _EDGE.sub("", words.strip(), count=1))
        for before, after in splits(_INSIDE, words):
            document = self.document(after)
            section = None if document is None else self.section(before, document)
            if document is not None and section is not None:
                return Place(document, section)
        for before, after in splits(_BELOW, words):
            document = self.document(before)
            section = None if document is None else self.section(after, document)
            if document is not None and section is not None:
                return Place(document, section)
        owned = _POSSESSIVE.fullmatch(words)
        document = self.document(owned["document"]) if owned else None
        if owned and document is not None:
            section = self.section(owned["section"], document)
            return Place(document, section) if section else None
        document = self.document(words)
        return Place(document) if document is not None else self.lone_section(words)

    def lone_section(self, words: str) -> Place | None:
        """A section for which no document is named."""
        said = self._said.back(words)
        document = self.known.with_section(said)
        if document is not None:
            return Place(document, self.known.section(said, document))
        return Place(HERE, bare_section(said)) if names_section(words) and bare_section(said) else None

    def holding(self, text: str) -> str | None:
        """The open document if it has this text, or else the only one that has it."""
        opened = self.known.opened
        if opened is not None and text.casefold() in opened.content.casefold():
            return opened.name
        found = [one.name for one in self.known.documents if text.casefold() in one.content.casefold()]
        return found[0] if len(found) == 1 else None


def splits(pattern: re.Pattern[str], words: str) -> Iterator[tuple[str, str]]:
    """The text before and after each match, from left to right. So the longest place is tried first."""
    for match in pattern.finditer(words):
        before, after = words[: match.start()].strip(), words[match.end() :].strip()
        if before and after:
            yield before, after


def names_section(words: str) -> bool:
    return _SECTION_WORD.search(words) is not None and _SECTION_WORD.fullmatch(words.strip()) is None
