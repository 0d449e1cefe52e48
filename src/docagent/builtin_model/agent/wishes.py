"""What a user may want, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from docagent.builtin_model.agent.project_wishes import ProjectWish

Thing = Literal["schema", "prompt", "tag", "document", "model"]


@dataclass(frozen=True, slots=True)
class NewField:
    """A field to add. Without a type its name decides."""

    name: str
    type: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """Schema, prompt and extraction in one go. `or_run` takes the prompt at hand if there is one."""

    name: str | None = None
    or_run: bool = False


@dataclass(frozen=True, slots=True)
class CreateSchema:
    name: str | None = None
    fields: tuple[NewField, ...] = ()


@dataclass(frozen=True, slots=True)
class CreatePrompt:
    name: str | None = None
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class AddFields:
    fields: tuple[NewField, ...]
    where: str | None = None
    """A schema, or the list or group that the fields go into."""


@dataclass(frozen=True, slots=True)
class RenameField:
    old: str
    new: str
    where: str | None = None


@dataclass(frozen=True, slots=True)
class RemoveFields:
    names: tuple[str, ...]
    where: str | None = None


@dataclass(frozen=True, slots=True)
class RetypeField:
    name: str
    type: dict[str, Any]
    where: str | None = None


@dataclass(frozen=True, slots=True)
class ShowSchema:
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ShowPrompt:
    name: str | None = None


@dataclass(frozen=True, slots=True)
class UseNewVersion:
    """Let a prompt use the newest version of its schema."""

    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class SetValue:
    """`value` as the user wrote it; None empties the field."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class ShowExtraction:
    pass


@dataclass(frozen=True, slots=True)
class ValidateExtraction:
    pass


@dataclass(frozen=True, slots=True)
class TagDocument:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UntagDocument:
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentTags:
    pass


@dataclass(frozen=True, slots=True)
class CreateTag:
    name: str


@dataclass(frozen=True, slots=True)
class RenameDocument:
    name: str


@dataclass(frozen=True, slots=True)
class RenameThing:
    thing: Thing
    old: str | None
    new: str


@dataclass(frozen=True, slots=True)
class CallIt:
    """Another name for what was just proposed or made."""

    name: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Without a name: the thing at hand, which for a document is the one in view."""

    thing: Thing | None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ListThings:
    thing: Thing


@dataclass(frozen=True, slots=True)
class Ask:
    """What does the document say about these?"""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class About:
    pass


@dataclass(frozen=True, slots=True)
class CountPages:
    pass


@dataclass(frozen=True, slots=True)
class ShowText:
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Help:
    pass


@dataclass(frozen=True, slots=True)
class WhoAreYou:
    pass


@dataclass(frozen=True, slots=True)
class Chat:
    """A word that asks for nothing: a greeting, thanks, or that nothing should be done."""

    kind: Literal["hello", "thanks", "no", "yes"]


Wish = (
    SetUp
    | CreateSchema
    | CreatePrompt
    | AddFields
    | RenameField
    | RemoveFields
    | RetypeField
    | ShowSchema
    | ShowPrompt
    | UseNewVersion
    | Run
    | SetValue
    | ShowExtraction
    | ValidateExtraction
    | TagDocument
    | UntagDocument
    | DocumentTags
    | CreateTag
    | RenameDocument
    | RenameThing
    | CallIt
    | Delete
    | ListThings
    | Ask
    | About
    | CountPages
    | ShowText
    | Help
    | WhoAreYou
    | Chat
    | ProjectWish
)
