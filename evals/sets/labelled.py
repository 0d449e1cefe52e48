"""What a set of labelled documents is: what is asked of each document, its labels, and the groups that it is in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from evals.judging import Kind, Labels

Asked = tuple[str, str]
"""Kind and description of a field."""


@dataclass(frozen=True)
class Task:
    """A document, what is asked of it, and what is known of it."""

    path: Path
    schema: dict[str, Any]
    labels: Labels
    worded_as: str = ""
    """The name under which its fields are said in other words."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """What the document has in common with others, such as its kind or its issuer: whatever is fitted is judged on
    groups that it was not fitted on."""


class TaskSet(Protocol):
    """A folder of labelled documents."""

    @property
    def folder(self) -> str: ...

    def tasks(self, folder: Path) -> Iterator[Task]: ...


@dataclass(frozen=True)
class LabelledSet:
    """A folder of documents, the fields to ask for, and how dates are written."""

    folder: str
    properties: dict[str, Asked]
    """The fields. The table's columns are in `rows`."""
    day_first: bool = True
    rows: dict[str, Asked] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    several: frozenset[str] = frozenset()
    """Fields that have a list of values."""
    only_printed: bool = False
    """Whether labels that are not printed on the page are left out, because they came from elsewhere."""
    complete: bool = False
    """Whether a document does not have what it has no label for."""
    grouped_by: tuple[str, ...] = ()
    """Labels that documents of one layout share, such as the issuer."""

    def tasks(self, folder: Path) -> Iterator[Task]:
        for row in labelled_rows(folder / self.folder):
            known = row["fields"]
            groups = {name: str(known[name]) for name in self.grouped_by if known.get(name)}
            path = folder / self.folder / row["file"]
            yield Task(path, self.schema, self.labels(known), self.folder, groups)

    @property
    def schema(self) -> dict[str, Any]:
        properties = {name: self._part(name, *asked) for name, asked in self.properties.items()}
        if self.rows:
            rows = {name: schema_part(*asked) for name, asked in self.rows.items()}
            properties["lines"] = {
                "type": "array",
                "description": "The invoice's line items",
                "items": {"type": "object", "properties": rows, "required": list(rows)},
            }
        return {"type": "object", "properties": properties, "required": list(properties)}

    def labels(self, fields: Mapping[str, Any]) -> Labels:
        """Return the labels of one document that are asked for."""
        kinds = {name: kind for name, (kind, _) in self.properties.items()}
        kinds |= {f"lines.{name}": kind for name, (kind, _) in self.rows.items()}
        asked = {*self.properties, *(["lines"] if self.rows else [])}
        return Labels(
            {name: value for name, value in fields.items() if name in asked},
            complete=self.complete,
            kinds={path: Kind(kind) for path, kind in kinds.items()},
            day_first=self.day_first,
            only_printed=self.only_printed,
        )

    def _part(self, name: str, kind: str, description: str) -> dict[str, Any]:
        part = schema_part(kind, description)
        if name in self.choices:
            part["enum"] = [*self.choices[name], None]
        if name in self.several:
            return {"type": "array", "description": part.pop("description"), "items": {"type": "string"}}
        return part


def schema_part(kind: str, description: str) -> dict[str, Any]:
    """Return the part of a schema that asks for one value."""
    part: dict[str, Any] = {"type": ["number" if kind == Kind.AMOUNT else "string", "null"]}
    if kind == Kind.DATE:
        part["format"] = "date"
    return {**part, "description": description}


def labelled_rows(folder: Path) -> list[dict[str, Any]]:
    """Return what is known of each document of a folder."""
    return [json.loads(line) for line in (folder / "gt.jsonl").read_text().splitlines()]
