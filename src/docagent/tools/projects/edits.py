"""Edits of a document as a model writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import ConfigDict, Field

from docagent.domain.errors import InvalidInput
from docagent.domain.shown import quoted
from docagent.markdown import Append, Edit, MoveSection, RemoveSection, Replace, ReplaceSection, edit_of
from docagent.tools.arguments import Arguments
from docagent.tools.parameters import a_text, last
from docagent.tools.words import counted

MOST_EDITS = 50
MOST_SAID = 4
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*(?: \"[^\"]*\")?\)")
"""What is said of a link is its text."""


class WrittenEdit(Arguments):
    """One edit, in one of the forms below. Null means that an argument is left out."""

    model_config = ConfigDict(json_schema_extra=last("properties"))

    find: Annotated[
        str | None, a_text("Text exactly as it stands, which occurs exactly once.", or_null=True)
    ] = None
    replace: Annotated[str | None, a_text("What stands there instead; empty removes it.", or_null=True)] = (
        None
    )
    every: Annotated[
        bool | None,
        Field(description="True with find and replace: every occurrence, however many there are."),
    ] = None
    section: Annotated[
        str | None,
        a_text(
            "The heading whose text is replaced; “parent > title” where a title stands twice.", or_null=True
        ),
    ] = None
    content: Annotated[
        str | None,
        a_text("The text for section or append_to_section, without the heading.", or_null=True),
    ] = None
    append: Annotated[str | None, a_text("Text to add at the end of the document.", or_null=True)] = None
    append_to_section: Annotated[
        str | None, a_text("The heading whose text gets the content at its end.", or_null=True)
    ] = None
    remove_section: Annotated[
        str | None, a_text("The heading that goes, with all below it.", or_null=True)
    ] = None
    move_section: Annotated[
        str | None,
        a_text(
            "The heading that is moved with all below it: before or after another one, else to the end.",
            or_null=True,
        ),
    ] = None
    before: Annotated[str | None, a_text("The heading before which move_section goes.", or_null=True)] = None
    after: Annotated[
        str | None, a_text("The heading after whose section move_section goes.", or_null=True)
    ] = None


WrittenEdits = Annotated[
    list[WrittenEdit],
    Field(
        min_length=1,
        max_length=MOST_EDITS,
        description="What to change, in order.",
        json_schema_extra=last("items"),
    ),
]


def edits_of(written: Sequence[WrittenEdit]) -> list[Edit]:
    """Turn what the model wrote into edits. Raises InvalidInput for an edit in none of the forms."""
    edits = []
    for number, one in enumerate(written, 1):
        given = one.model_dump(exclude_none=True)
        edit = edit_of(given)
        if edit is None:
            raise InvalidInput(
                f"Edit {number} has {', '.join(given) or 'nothing'}. Give find and replace, or section and content, "
                "or append, or append_to_section and content, or remove_section, or move_section with before or after."
            )
        edits.append(edit)
    return edits


def said_of(edits: Sequence[Edit]) -> str:
    """Say the edits in words: the first few of them, and how many more there are."""
    said = [_said(edit) for edit in edits[:MOST_SAID]]
    more = len(edits) - len(said)
    return ", ".join(said) + (f" and {counted(more, 'more edit')}" if more else "")


def _said(edit: Edit) -> str:
    match edit:
        case Replace(replace=""):
            return f"remove {_text(edit.find)}"
        case Replace():
            every = "every " if edit.every else ""
            return f"replace {every}{_text(edit.find)} with {_text(edit.replace)}"
        case ReplaceSection():
            return f"replace section {quoted(edit.section)}"
        case RemoveSection():
            return f"remove section {quoted(edit.section)}"
        case MoveSection():
            return f"move section {quoted(edit.section)} {_where(edit)}"
        case Append(section=None):
            return f"add {_text(edit.text)} at the end"
        case Append():
            return f"add {_text(edit.text)} to section {quoted(edit.section or '')}"


def _where(edit: MoveSection) -> str:
    if edit.before is not None:
        return f"before {quoted(edit.before)}"
    return "to the end" if edit.after is None else f"after {quoted(edit.after)}"


def _text(text: str) -> str:
    return quoted(" ".join(_LINK.sub(r"\1", text).split()), 40)
