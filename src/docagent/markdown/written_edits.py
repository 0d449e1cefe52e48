"""Edits as models write them: by the arguments that are given, one can tell which edit is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from docagent.markdown.edits import Append, Edit, MoveSection, RemoveSection, Replace, ReplaceSection

_FORMS: dict[frozenset[str], Callable[[Mapping[str, Any]], Edit]] = {
    frozenset({"find", "replace"}): lambda given: Replace(given["find"], given["replace"]),
    frozenset({"find", "replace", "every"}): lambda given: Replace(
        given["find"], given["replace"], given["every"]
    ),
    frozenset({"section", "content"}): lambda given: ReplaceSection(given["section"], given["content"]),
    frozenset({"append"}): lambda given: Append(given["append"]),
    frozenset({"append_to_section", "content"}): lambda given: Append(
        given["content"], given["append_to_section"]
    ),
    frozenset({"append_to_section", "append"}): lambda given: Append(
        given["append"], given["append_to_section"]
    ),
    frozenset({"remove_section"}): lambda given: RemoveSection(given["remove_section"]),
    frozenset({"move_section"}): lambda given: MoveSection(given["move_section"]),
    frozenset({"move_section", "before"}): lambda given: MoveSection(
        given["move_section"], before=given["before"]
    ),
    frozenset({"move_section", "after"}): lambda given: MoveSection(
        given["move_section"], after=given["after"]
    ),
}


def edit_of(given: Mapping[str, Any]) -> Edit | None:
    """The edit that these arguments make; None if they make none."""
    make = _FORMS.get(frozenset(given))
    return make(given) if make else None
