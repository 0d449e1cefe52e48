"""What a user may want, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from docagent.builtin_model.agent.project_wishes import ProjectWish

Thing = Literal["schema", "prompt", "tag", "document", "model"]


@dataclass(frozen=True, slots=True)
class NewField:
    """A field to add. If it has no type, its name decides."""

    name: str
    type: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """Make a schema and a prompt, and run it. With `or_run`, a prompt at hand is run instead."""

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
    """The schema, list or group that the fields go into."""


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
    """Set a field to `value`, as the user wrote it. None empties the field."""

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
class TagAlike:
    """Let a tag bring documents like this one to the prompt at hand, and tag this one."""

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
    """Give another name to what was just proposed or made."""

    name: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete something. Without a name, it is the thing at hand or the document in view."""

    thing: Thing | None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ListThings:
    thing: Thing


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask what the document says about these."""

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
    """Words that ask for nothing: a greeting, thanks, yes or no."""

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
    | TagAlike
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
