"""Merging two sheets: which fields are the same, the schema with the fields of both, and results under its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from docagent.domain.field_path import FieldPath

Names = Mapping[str, tuple[str, Mapping[str, str]]]
"""By the name of a field: its new name, and the new names of its columns."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A result that a merge moved, as it was before: its prompt and its newest revision."""

    result_id: str
    document_id: str
    prompt_revid: str
    prompt_version: int
    revision: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A sheet that was merged into another one, with what undoing it needs."""

    id: str
    prompt_id: str
    made_revid: str
    former_revid: str
    source_prompt_id: str
    source_schema_id: str | None
    """Its schema, if nothing else used it, so that it was deleted with it."""
    moved: tuple[Moved, ...]
    created_by: str
    created_at: datetime
    undone_at: datetime | None = None

    @property
    def documents(self) -> int:
        return len(self.moved)


@dataclass(frozen=True, slots=True)
class MergedField:
    """A field of the merged schema, and what each of both sheets calls it; None where it has no such field."""

    name: str
    ours: str | None
    theirs: str | None


@dataclass(frozen=True, slots=True)
class MergedSchema:
    schema: dict[str, Any]
    fields: Sequence[MergedField]
    names: Names
    """The new names of the fields of the second schema."""

    def filled(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Data of the second schema under its new names, in their order, empty where only the first has a field."""
        renamed = under_names(data, self.names)
        parts: dict[str, Any] = self.schema["properties"]
        there = {name: renamed.get(name, _empty(part)) for name, part in parts.items()}
        return {**there, **renamed}


def merged(
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    same: Mapping[str, str],
    columns: Mapping[str, Mapping[str, str]],
) -> MergedSchema:
    """The first schema with the fields of the second. What only one of them has may be empty.

    `same` and `columns` say which fields and columns of the second are which of the first.
    """
    parts = dict(one.get("properties") or {})
    ours = set(parts)
    twins = {twin: name for name, twin in same.items()}
    names: dict[str, tuple[str, Mapping[str, str]]] = {}
    for name, part in (other.get("properties") or {}).items():
        if (twin := same.get(name)) is None:
            new = _free(name, parts)
            parts[new], names[name] = _nullable(part), (new, {})
        else:
            parts[twin], inside = _joined(parts[twin], part, columns.get(name, {}))
            names[name] = (twin, inside)
    for name in ours - set(twins):
        parts[name] = _nullable(parts[name])
    of_theirs = {new: name for name, (new, _) in names.items()}
    fields = [MergedField(name, name if name in ours else None, of_theirs.get(name)) for name in parts]
    return MergedSchema(_closed(one, parts), fields, names)


def under_names(tree: Any, names: Names) -> dict[str, Any]:
    """Data, or a tree of places, with its fields and their columns under other names."""
    return {
        names[name][0] if name in names else name: _row_names(value, names[name][1] if name in names else {})
        for name, value in (tree or {}).items()
    }


def path_under_names(path: FieldPath, names: Names) -> FieldPath:
    if not path or path[0] not in names:
        return path
    name, columns = names[str(path[0])]
    rest = [columns.get(str(step), step) if place == 1 else step for place, step in enumerate(path[1:])]
    return FieldPath((name, *rest))


def _row_names(value: Any, columns: Mapping[str, str]) -> Any:
    if not columns or not isinstance(value, list):
        return value
    return [
        {columns.get(name, name): cell for name, cell in row.items()} if isinstance(row, dict) else row
        for row in value
    ]


def _joined(
    one: dict[str, Any], other: dict[str, Any], same: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A field that both have, and the new names of the second one's columns."""
    rows = [(field.get("items") or {}).get("properties") for field in (one, other)]
    if all(rows):
        inner = merged(one["items"], other["items"], same, {})
        return {**one, "items": inner.schema}, {name: new for name, (new, _) in inner.names.items()}
    if one.get("properties") and other.get("properties"):
        inside = [name for name in other["properties"] if name in one["properties"]]
        return merged(one, other, dict(zip(inside, inside, strict=True)), {}).schema, {}
    return (_nullable(one) if _allows_null(other) else one), {}


def _closed(schema: Mapping[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """The schema with other fields; all are required if all were, as strict schemas demand."""
    before = schema.get("properties") or {}
    is_strict = set(schema.get("required") or ()) >= set(before)
    kept = [name for name in schema.get("required") or () if not _allows_null(parts[name])]
    return {**schema, "properties": parts, "required": list(parts) if is_strict else kept}


def _nullable(part: dict[str, Any]) -> dict[str, Any]:
    kinds = _types(part)
    if _allows_null(part) or kinds == {"array"}:
        return part
    if "anyOf" in part:
        return {**part, "anyOf": [*part["anyOf"], {"type": "null"}]}
    changed = {**part, "type": [*sorted(kinds), "null"]} if kinds else part
    return changed | ({"enum": [*part["enum"], None]} if "enum" in part else {})


def _types(part: Mapping[str, Any]) -> set[str]:
    kind = part.get("type") or ()
    return {kind} if isinstance(kind, str) else set(kind)


def _allows_null(part: Mapping[str, Any]) -> bool:
    return "null" in _types(part) or {"type": "null"} in part.get("anyOf", ())


def _empty(part: Mapping[str, Any]) -> Any:
    return [] if _types(part) == {"array"} else None


def _free(name: str, taken: Mapping[str, Any]) -> str:
    new, number = name, 1
    while new in taken:
        number += 1
        new = f"{name}_{number}"
    return new
