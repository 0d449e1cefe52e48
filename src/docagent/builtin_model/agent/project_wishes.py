"""What a user may want in a project of living documents, as values. Documents are named in the user's words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ListDocs:
    pass


@dataclass(frozen=True, slots=True)
class ShowDoc:
    document: str


@dataclass(frozen=True, slots=True)
class ShowInstruction:
    document: str


@dataclass(frozen=True, slots=True)
class ShowVersions:
    document: str


@dataclass(frozen=True, slots=True)
class AskDocs:
    """Ask what the documents, or one of them, say about something."""

    words: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class CreateDoc:
    name: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class AddText:
    document: str
    text: str
    section: str | None = None


@dataclass(frozen=True, slots=True)
class AddSection:
    document: str
    section: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Replace one text by another. An empty `new` removes the text."""

    document: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ReplaceBody:
    """Replace the text below a heading, or the whole text if no section is named."""

    document: str
    text: str
    section: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveSection:
    document: str
    section: str


@dataclass(frozen=True, slots=True)
class RenameDoc:
    document: str
    name: str


@dataclass(frozen=True, slots=True)
class DeleteDoc:
    document: str


@dataclass(frozen=True, slots=True)
class SetInstruction:
    """Set the standing instruction. An empty text removes it."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class RestoreDoc:
    document: str
    version: int


@dataclass(frozen=True, slots=True)
class ShowStale:
    """Tell which passages rest on something that has changed. Without a document, of all."""

    document: str | None


@dataclass(frozen=True, slots=True)
class UpdateStale:
    """Put the present values into such passages. Without a document, of all."""

    document: str | None


@dataclass(frozen=True, slots=True)
class Unsure:
    """Something that may be meant as a change but is not said as one."""

    text: str


ProjectWish = (
    ListDocs
    | ShowDoc
    | ShowInstruction
    | ShowVersions
    | AskDocs
    | CreateDoc
    | AddText
    | AddSection
    | ReplaceText
    | ReplaceBody
    | RemoveSection
    | RenameDoc
    | DeleteDoc
    | SetInstruction
    | RestoreDoc
    | ShowStale
    | UpdateStale
    | Unsure
)
