"""The names that exist in a project: its documents, and the sections of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from docagent.builtin_model.agent.names import by_name
from docagent.domain.models.llm import ProjectDocument, Situation
from docagent.markdown import headings
from docagent.reading.printed import fold, squeezed

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

    def holds(self, text: str) -> bool:
        """Return whether a document has this text."""
        return any(text.casefold() in one.content.casefold() for one in self.documents)

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
