"""What a call of the agent would change, as lines of a diff: the preview of its approval card."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import orjson

Sign = Literal["+", "-", " "]
Line = tuple[Sign, str]
FEW = 3
"""Lines around a change that are shown with it."""
CHANGES: dict[str, Sign] = {"added": "+", "removed": "-"}


def card_lines(preview: Mapping[str, Any]) -> Iterator[Line]:
    """The lines of a preview: what goes, what comes, and what stays. Of a kind that is not known, all of it."""
    match preview.get("kind"):
        case "schema":
            yield from _schema(preview)
        case "prompt" | "text":
            yield from _texts(preview)
        case "value":
            yield "-", f"{preview['path']}: {_written(preview['before'])}"
            yield "+", f"{preview['path']}: {_written(preview['after'])}"
        case "delete":
            yield from (
                ("-", str(gone)) for gone in (f"{preview['noun']} {preview['name']}", *preview["removes"])
            )
        case "refusal":
            yield " ", str(preview["reason"])
        case _ if "after" in preview:
            yield from _state(preview.get("before") or {}, preview["after"])
        case _:
            shown = {name: value for name, value in preview.items() if name != "kind"}
            yield from ((" ", f"{name}: {_written(value)}") for name, value in shown.items())


def _schema(preview: Mapping[str, Any]) -> Iterator[Line]:
    for field in preview["fields"]:
        if field["change"] == "changed":
            yield "-", f"{field['path']}: {_written(field['before'])}"
            yield "+", f"{field['path']}: {_written(field['after'])}"
        elif field["change"] in CHANGES:
            shown = field["after"] if field["change"] == "added" else field["before"]
            yield CHANGES[field["change"]], f"{field['path']}: {_written(shown)}"


def _texts(preview: Mapping[str, Any]) -> Iterator[Line]:
    for field in preview["fields"]:
        yield " ", f"{field['field']}:"
        if field.get("lines_above"):
            yield " ", f"… {field['lines_above']} lines above stay"
        yield from diff_lines(field["before"] or "", field["after"] or "")
        if field.get("lines_below"):
            yield " ", f"… {field['lines_below']} lines below stay"


def _state(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Line]:
    for name in dict.fromkeys((*before, *after)):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if old is not None:
            yield "-", f"{name}: {_written(old)}"
        if new is not None:
            yield "+", f"{name}: {_written(new)}"


def diff_lines(before: str, after: str) -> Iterator[Line]:
    """The lines that differ, with a few around them."""
    for number, line in enumerate(
        difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=FEW)
    ):
        if number < 2:  # names of files, of which there are none
            continue
        if line.startswith("@@"):
            if number > 2:
                yield " ", "…"
        elif line[0] == "+":
            yield "+", line[1:]
        elif line[0] == "-":
            yield "-", line[1:]
        else:
            yield " ", line[1:]


def _written(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()
