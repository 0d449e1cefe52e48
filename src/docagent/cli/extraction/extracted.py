"""What came out of one file, with the proof of every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from docagent.client.extraction import UNPROVEN, Outcome, digest_of
from docagent.client.models import Extracted as Answer
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
    """What breaks the schema, is missing or does not add up."""
    error: str | None = None

    @property
    def unproven(self) -> list[FieldPath]:
        return [value.path for value in self.values if not value.proven]

    @property
    def is_doubtful(self) -> bool:
        return bool(self.unproven or self.problems)

    @classmethod
    def of(cls, file: Path, outcome: Outcome[Any]) -> Self:
        """What became of a file."""
        if outcome.extraction is None:
            return cls(file, "", error=outcome.error.detail if outcome.error else None)
        return cls.of_answer(file, digest_of(file), outcome.extraction.answer)

    @classmethod
    def of_answer(cls, file: Path, sha256: str, answer: Answer) -> Self:
        data = answer.data or {}
        values = [
            Value(FieldPath.stored(one.path, data), one.value, one.page, one.state != UNPROVEN)
            for one in answer.evidence or ()
        ]
        problems = [
            f"{one.path}: {one.message}" if one.path else one.message for one in answer.problems or ()
        ]
        pages, prompt = answer.page_count or 0, answer.prompt_name
        return cls(file, sha256, answer.document_id, pages, prompt, data, values, problems)
