"""Projects of living documents: markdown that people and the agent write and revise together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.artefacts import Revision
from docagent.domain.shown import without_hidden

MOST_NAME_CHARACTERS = 200
MOST_CONTENT_CHARACTERS = 1_000_000
MOST_INSTRUCTION_CHARACTERS = 10_000
MOST_DESCRIPTION_CHARACTERS = 10_000
MOST_REASON_CHARACTERS = 500


class Author(StrEnum):
    USER = "user"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Project:
    id: str
    name: str
    description: str
    standing_instruction: str
    """What the agent keeps to whenever it writes in a document of the project."""
    created_by: str
    created_at: datetime
    updated_at: datetime
    """When the project or one of its documents last changed."""
    document_count: int = 0


@dataclass(frozen=True, slots=True)
class _Version(Revision):
    project_id: str
    standing_instruction: str
    author: Author
    reason: str
    """Why this version was made, in words: what a person wrote, or the summary of the agent's call."""
    turn_id: str | None


@dataclass(frozen=True, slots=True)
class LivingDocument(_Version):
    """One version of a document of a project. A change makes the next version; nothing is changed in place."""

    content: str


@dataclass(frozen=True, slots=True)
class VersionEntry(_Version):
    """One version in a list: all but its text, which may be long."""

    characters: int


@dataclass(frozen=True, slots=True)
class Written:
    """Who makes a version, and why."""

    author: Author = Author.USER
    reason: str = ""
    turn_id: str | None = None


BY_USER = Written()


@dataclass(frozen=True, slots=True)
class Changes:
    """What a new version changes; None leaves a field as it is."""

    name: str | None = None
    content: str | None = None
    standing_instruction: str | None = None


def name_key(name: str) -> str:
    """The form in which names are compared: names that differ only in case or spacing are the same."""
    return " ".join(name.split()).casefold()


def checked_name(name: str) -> str:
    """The name as it is stored: on one line, without spaces around it. Raises InvalidInput."""
    name = " ".join(without_hidden(name).split())
    if not name:
        raise InvalidInput("The name is empty. Give a name.")
    check_text("The name", name, MOST_NAME_CHARACTERS)
    return name


def check_text(what: str, text: str, most: int) -> None:
    """Raises InvalidInput if the text is too long or cannot be stored."""
    if len(text) > most:
        raise InvalidInput(f"{what} is too long: {len(text)} characters. Use at most {most}.")
    if not is_storable(text):
        raise InvalidInput(f"{what} holds characters that cannot be stored: remove NUL and broken Unicode.")


def is_storable(text: str) -> bool:
    """False for a text with NUL or with half of a surrogate pair, which no database keeps."""
    return "\x00" not in text and (text.isascii() or not any("\ud800" <= one <= "\udfff" for one in text))


@dataclass(frozen=True, slots=True)
class Deleted:
    """A project or a living document that was deleted and can still be brought back."""

    id: str
    name: str
    deleted_at: datetime
