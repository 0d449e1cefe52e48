"""The names that exist in a project, and finding things by what the user calls them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TypeVar

from docagent.builtin_model.asked.meaning import concept_for
from docagent.domain.models.llm import ProjectDocument, Situation
from docagent.markdown import headings
from docagent.reading.printed import fold, meanings_of, squeezed

T = TypeVar("T")
Path = tuple[str, ...]
HERE = ""
"""Stands for the document that is open, or was spoken of last."""
_NEAR = 0.75


@dataclass(frozen=True)
class Known:
    documents: tuple[ProjectDocument, ...] = ()
    open_id: str | None = None
    fields: frozenset[str] = frozenset()
    """The letters of the fields that values were read for."""

    @classmethod
    def of(cls, situation: Situation) -> Known:
        project, read = situation.project, situation.state.get("extraction")
        if project:
            return cls(project.documents, project.open_document_id)
        return cls(fields=frozenset(map(squeezed, read)) if isinstance(read, dict) else frozenset())

    @property
    def document_names(self) -> list[str]:
        return [one.name for one in self.documents]

    @cached_property
    def names(self) -> dict[str, str]:
        """The documents' names by their letters."""
        return {squeezed(one.name): one.name for one in self.documents}

    @cached_property
    def name_words(self) -> frozenset[str]:
        return frozenset(word for one in self.documents for word in fold(one.name).split())

    @cached_property
    def sections(self) -> dict[str, tuple[str, ...]]:
        """The titles of each document's sections, by its name."""
        return {one.name: tuple(part.title for part in headings(one.content)) for one in self.documents}

    @cached_property
    def titles(self) -> frozenset[str]:
        """The letters of all titles."""
        return frozenset(squeezed(title) for titles in self.sections.values() for title in titles)

    def is_part_of_name(self, words: str) -> bool:
        return bool(by_name(words, list(self.names.values())))

    @cached_property
    def _contents(self) -> list[str]:
        return [one.content.casefold() for one in self.documents]

    @property
    def work(self) -> int:
        """How much it is to look whether a document has a text."""
        return sum(map(len, self._contents)) // 500

    def holds(self, text: str) -> bool:
        """Return whether a document has this text."""
        return any(text.casefold() in one for one in self._contents)

    def section(self, words: str, document: str) -> str:
        """Return the title in this document that the words say, or the words if there is none."""
        key = squeezed(words)
        return next((one for one in self.sections.get(document, ()) if squeezed(one) == key), words)

    def with_section(self, words: str) -> list[str]:
        """Return the documents that have such a section."""
        key = squeezed(words)
        return [name for name, titles in self.sections.items() if any(squeezed(one) == key for one in titles)]


def near_names(wanted: str, names: Sequence[str]) -> list[str]:
    """Return the names that differ little from what the user wrote: `acorn` for `acron`."""
    keys = {squeezed(name): name for name in names}
    return [keys[key] for key in get_close_matches(squeezed(wanted), list(keys), 3, _NEAR)]


# --- finding things by what the user calls them, never by a guess among several --------------------------------------


def by_name(wanted: str, things: Sequence[T]) -> list[T]:
    """Return the things with this name, or else those whose names contain its words."""
    words = set(re.findall(r"\w+", fold(wanted)))
    holds = [one for one in things if words and words <= set(re.findall(r"\w+", fold(name_of(one))))]
    return with_name(wanted, things) or holds


def with_name(wanted: str, things: Sequence[T]) -> list[T]:
    """Return the things with this very name, or else those with the same letters."""
    same = [one for one in things if name_of(one) == wanted]
    return same or [one for one in things if is_exact(wanted, name_of(one))]


def is_exact(wanted: str, name: str) -> bool:
    return squeezed(wanted) == squeezed(name)


def name_of(thing: object) -> str:
    """Return the name of what a tool listed or of a living document; a text is its own name."""
    if isinstance(thing, Mapping):
        return str(thing.get("name") or thing.get("document_name") or "")
    return thing.name if isinstance(thing, ProjectDocument) else str(thing)


def matching(phrase: str, fields: Sequence[Path]) -> list[Path]:
    """Return the fields that a phrase may mean. The closest kind of match wins; fields outside rows come first."""
    names = {path: [part for part in path if not part.isdigit()] for path in fields}
    meanings = {path: [frozenset(meanings_of(one)) for one in own] for path, own in names.items() if own}
    letters, meant = squeezed(phrase), frozenset(meanings_of(phrase.replace(".", " ")))

    def in_row(path: Path) -> bool:
        return len(names[path]) < len(path)

    def is_concept(path: Path) -> bool:
        wanted = concept_for(meant, in_row=in_row(path))
        return wanted is not None and concept_for(meanings[path][-1], in_row=in_row(path)) is wanted

    kinds_of_match: tuple[Callable[[Path], bool], ...] = (
        lambda path: letters == squeezed("".join(names[path])),
        lambda path: letters == squeezed(names[path][-1]),
        lambda path: bool(meant) and meant in (meanings[path][-1], frozenset().union(*meanings[path])),
        is_concept,
        lambda path: bool(meant) and meant <= frozenset().union(*meanings[path]),
    )
    for agrees in kinds_of_match:
        found = [path for path in meanings if agrees(path)]
        if found:
            return [path for path in found if not in_row(path)] or found
    return []
