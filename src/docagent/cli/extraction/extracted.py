"""What came out of one file, with the proof of every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent.client.models import Result
from docagent.domain.extraction.paths import found_at
from docagent.domain.extraction.review import UNPROVEN, is_verified_at, places_in


@dataclass(frozen=True, slots=True)
class Value:
    path: str
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
    def unproven(self) -> list[str]:
        return [value.path for value in self.values if not value.proven]

    @property
    def is_doubtful(self) -> bool:
        return bool(self.unproven or self.problems)


def values_of(result: Result) -> list[Value]:
    """Every value of a result that is not empty."""
    data, given = result.updated_llm_result, result.llm_result
    return [
        Value(
            ".".join(path),
            found_at(data, path),
            place.get("page"),
            proven=place["match"] != UNPROVEN
            or is_verified_at(result, path)
            or found_at(data, path) != found_at(given, path),
        )
        for path, place in places_in(result.grounding, ())
    ]


def problems_of(result: Result) -> list[str]:
    return [
        f"{problem.path}: {problem.message}" if problem.path else problem.message
        for problem in result.problems
    ]
