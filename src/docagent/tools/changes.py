"""Previews: what a change would change, as JSON for the web page and the terminal. Each has a `kind`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from docagent.domain.extraction.artefacts import Schema
from docagent.domain.field_path import ROOT, FieldPath
from docagent.markdown import Hunk, common_ends, lines_of

_INNER = frozenset(
    {"properties", "required", "additionalProperties", "items", "definitions", "$defs", "$schema"}
)
"""Keywords that are not shown for a field: their content has paths of its own, or the strict check fixes it anyway."""


_LINES_AROUND = 3


class FieldChange(TypedDict):
    """One text of a prompt or a document, as it is and as it would be."""

    field: str
    before: str | None
    after: str | None


class ExcerptChange(FieldChange):
    """The lines around the changes. The lines above and below are the same in both texts, and only counted."""

    lines_above: int
    lines_below: int


class HunkPlace(TypedDict):
    """Where a hunk stands: its first line in the old text, from 1, how many lines go there, and how many come."""

    line: int
    removes: int
    adds: int


class TextsChange(TypedDict):
    """The texts that differ, of a prompt or of a document in a project."""

    kind: Literal["prompt", "text"]
    name: str
    version_from: int | None
    version_to: int | None
    fields: Sequence[FieldChange | ExcerptChange]
    hunks: NotRequired[Sequence[HunkPlace]]
    """Parts of the content's change that can be accepted by themselves."""


def schema_change(
    name: str, before: Schema | None, after: Mapping[str, Any], *, new_version: bool = True
) -> dict[str, Any]:
    """Preview a change of a schema, field by field. `before` is its newest version, or None for a new schema."""
    version = before.version if before else None
    former = before.response_format if before else None
    return {
        "kind": "schema",
        "name": name,
        "name_before": before.name if before else None,
        "version_from": version,
        "version_to": (version or 0) + 1 if new_version else version,
        "fields": _field_changes(former, after),
        "before": former,
        "after": after,
    }


def prompt_change(
    name: str,
    versions: tuple[int | None, int | None],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> TextsChange:
    """Preview a change of a prompt: its texts that differ."""
    return {
        "kind": "prompt",
        "name": name,
        "version_from": versions[0],
        "version_to": versions[1],
        "fields": [
            {"field": field, "before": before.get(field), "after": after[field]}
            for field in after
            if before.get(field) != after[field]
        ],
    }


def text_change(
    name: str,
    versions: tuple[int | None, int | None],
    before: Mapping[str, str | None],
    after: Mapping[str, str | None],
) -> TextsChange:
    """Preview a change of a document in a project. Of its content only the lines around the changes are shown."""
    change = prompt_change(name, versions, before, after)
    fields = [_cut(field) if field["field"] == "content" else field for field in change["fields"]]
    return {**change, "kind": "text", "fields": fields}


def hunk_places(found: Sequence[Hunk]) -> Sequence[HunkPlace]:
    return [
        {"line": hunk.start + 1, "removes": hunk.end - hunk.start, "adds": len(hunk.lines)} for hunk in found
    ]


def _cut(change: FieldChange) -> FieldChange | ExcerptChange:
    """Leave out the lines at both ends that stay the same, except for a few. A new text is shown in full."""
    if change["before"] is None or change["after"] is None:
        return change
    old, new = lines_of(change["before"]), lines_of(change["after"])
    first, last = common_ends(old, new)
    above, below = (count - _LINES_AROUND if count > _LINES_AROUND + 1 else 0 for count in (first, last))
    return {
        "field": change["field"],
        "before": _excerpt(old, above, below),
        "after": _excerpt(new, above, below),
        "lines_above": above,
        "lines_below": below,
    }


def _excerpt(lines: Sequence[str], above: int, below: int) -> str:
    """The lines between, without the line break that parts them from those below."""
    shown = list(lines[above : len(lines) - below])
    if below and shown:
        shown[-1] = shown[-1].rstrip("\r\n")
    return "".join(shown)


def value_change(path: str, before: Any, after: Any, *, document: str, prompt: str) -> dict[str, Any]:
    return {
        "kind": "value",
        "path": path,
        "before": before,
        "after": after,
        "document": document,
        "prompt": prompt,
    }


def state_change(kind: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> dict[str, Any]:
    """Preview a tag or a document as it is and as it would be."""
    return {"kind": kind, "before": before, "after": after}


def removal(noun: str, name: str, removes: Sequence[str]) -> dict[str, Any]:
    """Preview a deletion. `removes` says in plain words what goes with the thing."""
    return {"kind": "delete", "noun": noun, "name": name, "removes": list(removes)}


def field_names(response_format: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields at the top of a schema. Something that is no schema has none."""
    schema = _inner_schema(response_format)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return list(properties) if isinstance(properties, dict) else []


def _field_changes(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> list[dict[str, Any]]:
    old = dict(_fields(_inner_schema(before), ROOT)) if before else {}
    new = dict(_fields(_inner_schema(after), ROOT))
    changes = []
    for path in [*new, *(path for path in old if path not in new)]:
        if path not in old:
            change = "added"
        elif path not in new:
            change = "removed"
        else:
            change = "same" if old[path] == new[path] else "changed"
        changes.append({"path": str(path), "change": change, "before": old.get(path), "after": new.get(path)})
    return changes


def _fields(schema: Any, path: FieldPath) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
    """Yield the path and the keywords of every field: `lines[].price` is the price in each item of lines."""
    if not isinstance(schema, dict):
        return
    for name, member in _members(schema, "properties"):
        here = path / name
        yield here, {key: value for key, value in member.items() if key not in _INNER}
        yield from _fields(member, here)
    items = schema.get("items")
    if isinstance(items, dict):
        here = path.parent / f"{path[-1] if path else ''}[]"
        if "properties" not in items:
            yield here, {key: value for key, value in items.items() if key not in _INNER}
        yield from _fields(items, here)
    for keyword in ("definitions", "$defs"):
        for name, member in _members(schema, keyword):
            yield from _fields(member, ROOT / f"#{name}")


def _members(schema: dict[str, Any], keyword: str) -> Iterator[tuple[str, dict[str, Any]]]:
    found = schema.get(keyword)
    for name, member in found.items() if isinstance(found, dict) else ():
        if isinstance(member, dict):
            yield name, member


def _inner_schema(response_format: Mapping[str, Any]) -> Any:
    inner = response_format.get("json_schema")
    return inner.get("schema") if isinstance(inner, dict) else None
