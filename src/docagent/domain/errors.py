"""Every error that docagent raises on purpose, as one tree.

    DocAgentError
    ├── InvalidInput          the caller sent something that cannot be right
    ├── Unprocessable         well-formed, but a field breaks a rule of the API
    ├── Unauthenticated       we do not know who is calling
    ├── Forbidden             we know, and they may not
    ├── NotFound              no such thing in the caller's reach
    ├── Conflict              right in itself, but not in the present state
    │   └── Outdated          based on a version that is no longer the newest
    ├── TooLarge              over a limit that the operator set
    ├── RateLimited           too many tries in too short a time
    ├── InsufficientCredits   the organisation has too few credits for a model call
    ├── ReadFailed            a file could not be turned into text or into a PDF
    ├── Unavailable           a part of the system does not answer
    │   ├── DatabaseAway      the database does not answer, or has no room
    │   └── FilesAway         the file store does not answer
    └── CannotStart           what the operator set or keeps cannot be used

The text of an error is shown to the person who caused it: it says what happened and what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

Item = TypeVar("Item")


class Kind(StrEnum):
    """What is wrong with the thing that an error is about."""

    UNKNOWN = "unknown"
    NAME_TAKEN = "name_taken"
    IN_USE = "in_use"
    NOT_WAITING = "not_waiting"


class Noun(StrEnum):
    """What an error is about."""

    DOCUMENT = "document"
    LIVING_DOCUMENT = "living document"
    TEXT = "text"
    FIELD = "field"
    SCHEMA = "schema"
    SCHEMA_VERSION = "version of a schema"
    PROMPT = "prompt"
    FORM = "form"
    TAG = "tag"
    MODEL = "model"


class DocAgentError(Exception):
    """Base of all errors with a text that may be shown to the user."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class InvalidInput(DocAgentError):
    """The caller sent something that cannot be right. `kind` and `noun` say what, where a program must know."""

    def __init__(self, detail: str, kind: Kind | None = None, noun: Noun | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.noun = noun


class Unprocessable(DocAgentError):
    """Well-formed, but a field breaks a rule of the API. `location` names the field."""

    def __init__(self, detail: str, location: tuple[str | int, ...] = ("body",)) -> None:
        super().__init__(detail)
        self.location = location


class Unauthenticated(DocAgentError):
    """We do not know who is calling."""


class Forbidden(DocAgentError):
    """We know who is calling, and they may not do this."""


class NotFound(DocAgentError):
    """No such thing in the caller's reach: absent and foreign look the same. `noun` says what it is."""

    kind = Kind.UNKNOWN

    def __init__(self, detail: str, noun: Noun | None = None) -> None:
        super().__init__(detail)
        self.noun = noun


def existing(item: Item | None, detail: str, noun: Noun | None = None) -> Item:
    """Return what was looked for. Raises NotFound if there is nothing."""
    if item is None:
        raise NotFound(detail, noun)
    return item


class Conflict(DocAgentError):
    """Right in itself, but not in the present state. `kind` says what is wrong, where a program must know."""

    def __init__(self, detail: str, kind: Kind | None = None) -> None:
        super().__init__(detail)
        self.kind = kind


class Outdated(Conflict):
    """Based on a version that is no longer the newest. `merge` is what the change would be on top of it, as JSON."""

    def __init__(self, detail: str, merge: Mapping[str, Any] | None) -> None:
        super().__init__(detail)
        self.merge = merge


class TooLarge(DocAgentError):
    """Over a limit that the operator set."""


class RateLimited(DocAgentError):
    """Too many tries in too short a time."""

    def __init__(self, detail: str, retry_after_seconds: int) -> None:
        super().__init__(detail)
        self.retry_after_seconds = retry_after_seconds


class InsufficientCredits(DocAgentError):
    """The organisation has too few credits for a model call."""

    def __init__(self, needed: int, left: int) -> None:
        super().__init__(
            f"Insufficient SPU credits: {needed} needed, {left} left. "
            "Ask an administrator to add credits, or use the built-in model, which costs none."
        )
        self.needed = needed
        self.left = left


class Unavailable(DocAgentError):
    """A part of the system does not answer; trying again later may work."""


class DatabaseAway(Unavailable):
    """The database does not answer or cannot store anything now. What was not committed can be done again."""


class FilesAway(Unavailable):
    """The file store does not answer now. What it was wanted for can be done again."""


class CannotStart(DocAgentError):
    """What the operator set or keeps cannot be used, so that a command ends before it has begun."""


class ReadFailure(StrEnum):
    """Why a file could not be read."""

    EMPTY = "empty"
    ENCRYPTED = "encrypted"
    WRONG_PASSWORD = "wrong_password"
    DAMAGED = "damaged"
    UNSUPPORTED = "unsupported"
    TOO_MANY_PAGES = "too_many_pages"
    TOO_LARGE = "too_large"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    NO_TEXT = "no_text"
    CONVERTER_MISSING = "converter_missing"


class JobFailed(DocAgentError):
    """Work in the background came to nothing. `code` is for programs, `detail` for people."""

    def __init__(self, detail: str, code: str) -> None:
        super().__init__(detail)
        self.code = code


class ReadFailed(DocAgentError):
    """A file could not be turned into text or into a PDF. `failure` is for programs, `detail` for people."""

    def __init__(self, failure: ReadFailure, detail: str) -> None:
        super().__init__(detail)
        self.failure = failure
