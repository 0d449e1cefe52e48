"""The documents and sections that exist, found by what the user calls them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from docagent.builtin_model.agent.clauses import unquoted
from docagent.builtin_model.agent.names import by_name
from docagent.builtin_model.agent.phrases import CALLED
from docagent.domain.models.llm import ProjectDocument, Situation
from docagent.markdown import headings
from docagent.reading.printed import squeezed

HERE = ""
"""In a wish: the document that is open, or the one spoken of last."""
NOUN = r"(?:living )?(?:document|doc|file|page|note|text)"
_HERE = re.compile(
    rf"(?:(?:in |on |to )?here|it|this|that|(?:(?:this|that|the|the (?:open|current)|my|our) )?{NOUN}(?: here)?)",
    re.I,
)
_DRESSED = re.compile(
    rf"(?:(?:the|my|our|this|that) )?(?:{NOUN}s? )?(?:{CALLED} )?(?P<name>.+?)(?: {NOUN})?", re.I | re.S
)
_NEAR = 0.75


@dataclass(frozen=True)
class Known:
    documents: tuple[ProjectDocument, ...] = ()
    open_id: str | None = None

    @classmethod
    def of(cls, situation: Situation) -> Known:
        project = situation.project
        return cls(project.documents, project.open_document_id) if project else cls()

    @cached_property
    def opened(self) -> ProjectDocument | None:
        return next((one for one in self.documents if one.id == self.open_id), None)

    def document(self, words: str) -> str | None:
        """Return the name of the document that the words mean, `HERE`, or None if they mean none."""
        text = " ".join(words.split()).strip(" .,")
        if not text:
            return None
        names = [one.name for one in self.documents]
        for said in dict.fromkeys((unquoted(text), unquoted(bare_name(text)))):
            found = by_name(said, names) if said else []
            if found:
                return found[0] if len(found) == 1 else said
        return HERE if _HERE.fullmatch(text) else None

    def named_in(self, text: str) -> list[str]:
        """Return the documents whose names stand in the text, without those that are part of a longer one."""
        named = [one.name for one in self.documents if re.search(rf"\b{re.escape(one.name)}\b", text, re.I)]
        return [name for name in named if not any(name != other and name in other for other in named)]

    def said_name(self, words: str) -> str:
        """Return the name that the user said, without the words around it."""
        text = unquoted(" ".join(words.split()))
        return (
            text if any(squeezed(one.name) == squeezed(text) for one in self.documents) else bare_name(text)
        )

    def sections(self, document: str) -> list[str]:
        found = self._found(document)
        return [heading.title for heading in headings(found.content)] if found else []

    def section(self, words: str, document: str) -> str | None:
        """Return the title of the section of this document that the words mean."""
        title = bare_section(words)
        wanted = (squeezed(title), squeezed(re.sub(r" (?:list|table|part)$", "", title, flags=re.I)))
        return next((one for one in self.sections(document) if squeezed(one) in wanted), None)

    def with_section(self, words: str) -> str | None:
        """Return the open document, or else the only one, that has such a section."""
        if self.opened is not None:
            return self.opened.name if self.section(words, self.opened.name) else None
        wanted = bare_section(words).split(" ")[0].casefold()
        likely = [one.name for one in self.documents if wanted and wanted in one.content.casefold()]
        found = [name for name in likely if self.section(words, name)]
        return found[0] if len(found) == 1 else None

    def content(self, document: str) -> str | None:
        found = self._found(document)
        return found.content if found else None

    def _found(self, document: str) -> ProjectDocument | None:
        if document == HERE:
            only = self.documents[0] if len(self.documents) == 1 else None
            return self.opened or only
        return next((one for one in self.documents if one.name == document), None)


def near_names(wanted: str, names: Sequence[str]) -> list[str]:
    """Return the names that differ little from what the user wrote: `acorn` for `acron`."""
    keys = {squeezed(name): name for name in names}
    return [keys[key] for key in get_close_matches(squeezed(bare_name(wanted)), list(keys), 3, _NEAR)]


def joined_names(documents: Sequence[ProjectDocument]) -> Iterator[str]:
    """The names that hold a word at which messages are split, such as `Terms and Conditions`."""
    return (one.name for one in documents if re.search(r"[,;]|\b(?:and|then|&)\b", one.name))


def bare_name(words: str) -> str:
    """Return a document's name without the article and the word for a document."""
    dressed = _DRESSED.fullmatch(words.strip())
    return dressed["name"] if dressed else words


def bare_section(words: str) -> str:
    text = re.sub(r"^(?:the|my|our|its) ", "", words.strip(), flags=re.I)
    text = re.sub(
        r"^(?:section|chapter|heading|part)s?(?: (?:called|named|titled|on|about))? ", "", text, flags=re.I
    )
    text = re.sub(r" (?:section|chapter|heading|part)$", "", text, flags=re.I)
    return unquoted(re.sub(r"^(?:the|my|our) ", "", text, flags=re.I))
