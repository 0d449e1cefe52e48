"""What a user may want in a project of living documents, as values. Documents are named in the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


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
class Outline:
    """Show a document's headings, or what stands first below each of them."""

    document: str
    with_text: bool = False


@dataclass(frozen=True, slots=True)
class ShowChanges:
    """Tell what the agent changed in this conversation."""


@dataclass(frozen=True, slots=True)
class AskDocs:
    """Ask what the documents, or one of them, say about something."""

    words: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class CreateDoc:
    """Create a document. Without a name, one is found in what the user said."""

    name: str
    content: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class AddText:
    document: str
    text: str
    section: str | None = None
    as_written: bool = True
    """Whether the text was quoted. Else it becomes a point where it is added to a list."""


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
    every: bool = False


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
    others: tuple[str, ...] = ()
    """Further sections that go with it."""


@dataclass(frozen=True, slots=True)
class RenameSection:
    document: str
    section: str
    title: str


@dataclass(frozen=True, slots=True)
class MoveSection:
    """Move a section before or after another one, to the top, or to the end."""

    document: str
    section: str
    where: Literal["before", "after", "top", "end"]
    other: str = ""


@dataclass(frozen=True, slots=True)
class UndoLast:
    """Take back the last change of this conversation, or of a document."""

    document: str | None = None


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
class Unsure:
    """Something that may be meant as a change but is not said as one."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said of a document that asks for nothing. It tells what "it" means in what follows."""

    document: str


@dataclass(frozen=True, slots=True)
class Vague:
    """A change for which the user does not say what should stand there."""

    document: str


ProjectWish = (
    ListDocs
    | ShowDoc
    | ShowInstruction
    | ShowVersions
    | Outline
    | ShowChanges
    | AskDocs
    | CreateDoc
    | AddText
    | AddSection
    | ReplaceText
    | ReplaceBody
    | RemoveSection
    | RenameSection
    | MoveSection
    | UndoLast
    | RenameDoc
    | DeleteDoc
    | SetInstruction
    | RestoreDoc
    | Unsure
    | Remark
    | Vague
)

InDocument = (
    ShowDoc
    | ShowInstruction
    | ShowVersions
    | Outline
    | AddText
    | AddSection
    | ReplaceText
    | ReplaceBody
    | RemoveSection
    | RenameSection
    | MoveSection
    | RenameDoc
    | DeleteDoc
    | SetInstruction
    | RestoreDoc
    | Vague
)
"""Wishes about one document."""
