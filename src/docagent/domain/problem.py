"""What is wrong with a value or a schema, for programs and in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from docagent.domain.field_path import FieldPath


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and where. What no schema asks for has no keyword."""

    path: FieldPath
    message: str
    keyword: str | None = None
    """The keyword of JSON Schema that the value breaks; `sum` for a total that its rows do not add up to."""
    expected: Any = None
    """What the keyword asks for: types, choices, a limit, a missing name; of `additionalProperties` what it forbids."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def as_json(self) -> dict[str, Any]:
        said = {"path": str(self.path), "message": self.message}
        return {**said, "keyword": self.keyword, "expected": self.expected} if self.keyword else said

    def for_docrouter(self) -> dict[str, Any]:
        """As `as_json`, with a path as DocRouter writes it, with dots whatever its names hold, and the pointer."""
        return {**self.as_json(), "path": self.path.dotted, "pointer": self.path.pointer}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], data: Any) -> Self:
        """Read a stored problem of the data. Those of version 0.3.0 and before have only a path and a message."""
        path = FieldPath.stored(stored["path"], data)
        return cls(path, stored["message"], stored.get("keyword"), stored.get("expected"))
