"""What came out of one file, with the proof of every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent.client.models import Result
from docagent.domain.extraction.review import UNPROVEN, places_in
from docagent.domain.field_path import FieldPath


@dataclass(frozen=True, slots=True)
class Value:
    path: FieldPath
    value: Any
    page: int | None
    proven: bool
    """Its words were found on the page, or a person has verified it."""


@dataclass(frozen=True, slots=True)
class Extracted:
    file: Path
    sha256: str
    document_id: str | None = None
    pages: int = 0
    prompt: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
    values: Sequence[Value] = ()
    problems: Sequence[str] = ()
    """What breaks the schema, or is missing."""
    error: str | None = None

    @property
    def unproven(self) -> list[FieldPath]:
        return [value.path for value in self.values if not value.proven]

    @property
    def is_doubtful(self) -> bool:
        return bool(self.unproven or self.problems)


def values_of(result: Result) -> list[Value]:
    """Every value of a result that is not empty."""
    data, given = result.updated_llm_result, result.llm_result
    verified = [FieldPath.stored(path, data) for path in result.verified_paths]
    return [
        Value(
            path,
            path.get(data),
            place.get("page"),
            proven=place["match"] != UNPROVEN
            or result.is_verified
            or any(path.is_within(one) for one in verified)
            or path.get(data) != path.get(given),
        )
        for path, place in places_in(result.grounding)
    ]


def problems_of(result: Result) -> list[str]:
    return [
        f"{problem.path}: {problem.message}" if problem.path else problem.message
        for problem in result.problems
    ]
