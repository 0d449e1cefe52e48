"""Corrections that spread: what a correction of one document changes in others of the same layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class SpreadChange:
    """A value of another document that becomes another one. `revision` is that of the result with `before`."""

    document_id: str
    document_name: str
    prompt_revid: str
    revision: int
    path: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Spread:
    """A correction that was spread. Its changes are of results whose next revision it made."""

    id: str
    prompt_id: str
    document_id: str
    path: str
    changes: tuple[SpreadChange, ...]
    values_changed: int
    created_by: str
    created_at: datetime
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SpreadPreview:
    alike: int
    """How many other documents look like the corrected one."""
    changes: Sequence[SpreadChange]
    """In these documents, values that nobody has checked."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What corrections were worth, without what was undone."""

    corrections: int
    values: int
