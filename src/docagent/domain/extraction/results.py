"""What is kept of an extraction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.review import failed_sums
from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem

DEFAULT_PROMPT = "default"
DEFAULT_PROMPT_NAME = "Document Summary"
BEFORE_MEMORY = "before_memory"
"""In a run's report, where verified documents changed a model's answer: what the model had said itself."""


class Origin(StrEnum):
    """Who made a revision of a result."""

    MODEL = "model"
    PERSON = "person"
    SPREAD = "spread"
    """A correction of another document of the same layout, which a person let spread."""


@dataclass(frozen=True, slots=True)
class RunInfo:
    """How a model made a result."""

    prompt: str
    model: str
    requested_model: str | None
    repairs: int
    match_values: dict[str, str] | None
    match_document_ids: list[str] | None
    report: dict[str, Any]
    job_id: str | None = None


@dataclass(frozen=True, slots=True)
class NewestResult:
    """The newest revision of what a prompt's version made of a document."""

    id: str
    document_id: str
    prompt_revid: str
    prompt_version: int
    revision: int
    model_data: dict[str, Any]
    """As the model gave it."""
    data: dict[str, Any]
    is_edited: bool
    is_verified: bool
    verified_paths: list[FieldPath]
    problems: list[Problem]
    """What is still wrong after all repairs."""
    grounding: Any
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Result(NewestResult):
    """With how it was made and where it stands."""

    prompt_id: str
    run: RunInfo
    created_at: datetime
    proposed: bool = False
    """Whether it waits, with its prompt or by itself, for a person who accepts it."""

    is_rejected: bool = False
    """Whether a person found it unusable."""

    auto_verified: bool = False
    """Whether it skipped review. Nobody confirmed it: nothing is measured by it or learnt from it."""

    @property
    def all_problems(self) -> list[Problem]:
        """What breaks the schema, is missing or does not add up."""
        return [*self.problems, *failed_sums(self.data)]

    @property
    def prompt_display_name(self) -> str | None:
        return DEFAULT_PROMPT_NAME if self.prompt_revid == DEFAULT_PROMPT else None


def has_values(data: Any) -> bool:
    """Whether anything in the data is not empty."""
    if isinstance(data, dict | list):
        return any(has_values(inner) for inner in (data.values() if isinstance(data, dict) else data))
    return data is not None and data != ""
