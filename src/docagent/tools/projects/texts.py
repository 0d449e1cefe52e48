"""Tools that write the texts of a project's documents."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from pydantic import Field

from docagent.domain.errors import Conflict
from docagent.domain.projects.projects import (
    MOST_CONTENT_CHARACTERS,
    MOST_REASON_CHARACTERS,
    Changes,
    LivingDocument,
    check_text,
)
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import Accepted, CallContext, Described, Outcome
from docagent.markdown import (
    Hunk,
    Losses,
    apply_edits,
    headings,
    hunks,
    lines_of,
    losses,
    merge,
    with_hunks,
    with_line_ends_of,
)
from docagent.tools.arguments import Arguments
from docagent.tools.base import Undo, WriteTool
from docagent.tools.changes import hunk_places, text_change
from docagent.tools.parameters import a_number, a_text
from docagent.tools.projects import writing
from docagent.tools.projects.edits import WrittenEdits, edits_of, said_of
from docagent.tools.projects.projects import OneProjectDocument, find_document, project_of
from docagent.tools.words import counted

Markdown = Annotated[str, a_text("The whole text, as markdown.")]
_BASE_VERSION = a_number("The version that you read; refused when the same lines have changed since.", 1)
MOST_HUNKS = 200
"""A change in more places is only accepted or rejected as a whole."""
MOST_TOLD = 20
MOST_SAID_OF_HUNK = 300
MOST_SAID_OF_REASON = MOST_REASON_CHARACTERS - 40


class NewProjectDocument(Arguments):
    name: Annotated[writing.Name, Field(description="A short name for people, as the user gave it.")]
    content: Markdown
    standing_instruction: Annotated[
        writing.Instruction,
        Field(
            description="What holds whenever this document is written: its purpose, form and tone. Empty for none."
        ),
    ] = ""
    reason: writing.Reason = ""


class EditedText(OneProjectDocument):
    edits: WrittenEdits
    base_version: Annotated[int | None, _BASE_VERSION] = None
    reason: writing.Reason = ""


class WholeText(OneProjectDocument):
    content: Markdown
    base_version: Annotated[int, _BASE_VERSION]
    reason: writing.Reason = ""


NewText = TypeVar("NewText", bound=EditedText | WholeText)


class CreateProjectDocument(WriteTool[NewProjectDocument]):
    name = "create_project_document"
    title = "Create a document"
    description = (
        "Create a document in this project. Only when the user wants a new one: to add to a document that is there, "
        "call edit_project_document. The name must be new in the project, upper and lower case alike; "
        "list_project_documents shows those that are taken."
    )
    example = '{"name": "Plan", "content": "# Plan"}'
    returns = "`document_id`, `name`, `version`, `characters`"
    previews = "`text`: name, content and standing instruction"
    undoes = "deleted again; refused when there is a later version"

    async def describe(self, call: CallContext, arguments: NewProjectDocument) -> Described:
        name = await writing.free_name(self._services, call, arguments.name)
        content = arguments.content
        await asyncio.to_thread(writing.check_fences, "", content)
        after = {"content": content, "standing_instruction": arguments.standing_instruction or None}
        return Described(f"Create {_measured(name, content)}", text_change(name, (None, 1), {}, after))

    async def run(self, call: CallContext, arguments: NewProjectDocument, prepared: Any) -> Outcome:
        await asyncio.to_thread(writing.check_fences, "", arguments.content)
        made = await self._services.living_documents.create(
            call.member,
            project_of(call),
            arguments.name,
            arguments.content,
            arguments.standing_instruction,
            written=writing.written(call, arguments.reason, "Created"),
        )
        return writing.made_outcome(made, None, f"Created document {quoted(made.name)}")

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await writing.take_back(self._services, call, undo)


class _TextTool(WriteTool[NewText]):
    """A tool that makes a new version with another text."""

    may_lose = True

    @abstractmethod
    def new_text(self, before: LivingDocument, arguments: NewText) -> str: ...

    @abstractmethod
    def lost(self, losses: Losses) -> tuple[str, ...]:
        """What of the losses nobody asked for in so many words."""

    @abstractmethod
    def words(self, before: LivingDocument, arguments: NewText) -> str:
        """Say what the call does to the document, as an order."""

    async def describe(self, call: CallContext, arguments: NewText) -> Described:
        before, after = await self._proposed(call, arguments)
        if after == before.content:
            return Described(f"Leave document {quoted(before.name)} as it is", None, writing.basis(before))
        lost = self.lost(await asyncio.to_thread(losses, before.content, after))
        summary = "; ".join([self.words(before, arguments), *lost])
        versions = (before.version, before.version + 1)
        preview = text_change(before.name, versions, {"content": before.content}, {"content": after})
        found = await asyncio.to_thread(hunks, before.content, after)
        if len(found) <= MOST_HUNKS:
            preview["hunks"] = hunk_places(found)
        return Described(summary, preview, writing.basis(before), lost)

    async def run(self, call: CallContext, arguments: NewText, prepared: Any) -> Outcome:
        if call.accepted is not None:
            return await self._run_in_part(call, arguments, call.accepted)
        before, after = await self._proposed(call, arguments)
        because = writing.written(call, arguments.reason, self.words(before, arguments))
        made = await writing.change(self._services, call, before, Changes(content=after), because)
        if arguments.base_version in (None, before.version):
            return made
        merged = f"Your change was merged with version {before.version}. Read the document before you change it again."
        return replace(made, content={**made.content, "merged": merged})

    async def _run_in_part(self, call: CallContext, arguments: NewText, accepted: Accepted) -> Outcome:
        """Make a version with the hunks that a person accepted, and tell the model which they did not."""
        shown, after = await self._proposed(call, arguments, accepted.preview["version_from"])
        found = await asyncio.to_thread(hunks, shown.content, after)
        chosen = await asyncio.to_thread(with_hunks, shown.content, after, accepted.hunks)
        newest = await find_document(self._services, call, shown.id)
        merged = (await asyncio.to_thread(merge, shown.content, chosen, newest.content)).text
        if merged is None:
            raise Conflict(
                f"{quoted(shown.name)} was changed in the same lines after the user had decided. Call "
                "read_project_document and make the change on what it says now."
            )
        part = f"{len(accepted.hunks)} of {counted(len(found), 'change')} accepted"
        because = writing.written(call, arguments.reason, self.words(shown, arguments))
        because = replace(because, reason=f"{because.reason[:MOST_SAID_OF_REASON]} ({part})")
        made = await writing.change(self._services, call, newest, Changes(content=merged), because)
        told = {
            "message": f"The user accepted {len(accepted.hunks)} of {counted(len(found), 'change')}. Do not make the "
            "others again unless the user asks for them.",
            "not_accepted": not_accepted(shown.content, found, accepted.hunks),
        }
        return replace(made, content={**made.content, **told}, summary=f"{made.summary}, {part}")

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await writing.take_back(self._services, call, undo)

    async def _proposed(
        self, call: CallContext, arguments: NewText, version: int | None = None
    ) -> tuple[LivingDocument, str]:
        """The document, in its newest version or the given one, and the text that the call would give it.

        A call that is based on an older version is merged. Raises Conflict if others changed the same lines since.
        """
        before = await find_document(self._services, call, arguments.document, version)
        base = arguments.base_version
        if base is not None and base > before.version:
            raise _outdated(before, base)
        read = before
        if base not in (None, before.version):
            read = await find_document(self._services, call, before.id, base)
        # A long text takes a while to parse.
        mine = await asyncio.to_thread(self.new_text, read, arguments)
        after = (await asyncio.to_thread(merge, read.content, mine, before.content)).text
        if after is None:
            raise _outdated(before, base)
        check_text("The content", after, MOST_CONTENT_CHARACTERS)
        await asyncio.to_thread(writing.check_fences, before.content, after)
        return before, after


class EditProjectDocument(_TextTool[EditedText]):
    name = "edit_project_document"
    title = "Edit a document"
    description = (
        "Change parts of a document and leave the rest as it is; use it for all but a rewrite of the whole. Edits "
        "are made in their order. Each is one of: find and replace (exact text that occurs exactly once, or with "
        "every as often as it does); section and content (all below a heading, its subsections too, up to the next "
        "heading of the same or a higher level; the heading stays); append (at the end); append_to_section and "
        "content; remove_section; move_section with before or after. Call read_project_document first. Keep to the "
        "document's standing instruction."
    )
    example = '{"document": "Plan", "edits": [{"find": "May", "replace": "June"}]}'
    returns = 'as `create_project_document`; `message` "No changes" when nothing differs'
    previews = "`text`: the lines around what changes, before and after; `hunks`"
    undoes = "the former text as a new version; refused when there is a later one"

    def new_text(self, before: LivingDocument, arguments: EditedText) -> str:
        return apply_edits(before.content, edits_of(arguments.edits))

    def lost(self, losses: Losses) -> tuple[str, ...]:
        """One section that an edit removes is what the edit says."""
        return tuple(losses.in_words) if losses.is_large else ()

    def words(self, before: LivingDocument, arguments: EditedText) -> str:
        return f"Edit document {quoted(before.name)}: {said_of(edits_of(arguments.edits))}"


class RewriteProjectDocument(_TextTool[WholeText]):
    name = "rewrite_project_document"
    title = "Rewrite a document"
    description = (
        "Replace the whole text of a document. Only when most of it changes: else call edit_project_document, which "
        "leaves the rest as it is. Read all of it first and give its version as base_version. Keep every section "
        "that the user does not want gone, and keep to the document's standing instruction."
    )
    example = '{"document": "Plan", "content": "# Plan", "base_version": 3}'
    returns = "as `edit_project_document`"
    previews = "as `edit_project_document`"
    undoes = "as `edit_project_document`"

    def new_text(self, before: LivingDocument, arguments: WholeText) -> str:
        return with_line_ends_of(before.content, arguments.content)

    def lost(self, losses: Losses) -> tuple[str, ...]:
        return tuple(losses.in_words)

    def words(self, before: LivingDocument, arguments: WholeText) -> str:
        return f"Rewrite document {quoted(before.name)}"


def not_accepted(before: str, found: Sequence[Hunk], accepted: Collection[int]) -> list[dict[str, Any]]:
    """The hunks that a person left out, for the model: the first of them, and long ones cut."""
    lines = lines_of(before)
    left = [hunk for number, hunk in enumerate(found) if number not in accepted]
    return [
        {
            "line": hunk.start + 1,
            "stays": _beginning("".join(lines[hunk.start : hunk.end])),
            "instead_of": _beginning("".join(hunk.lines)),
        }
        for hunk in left[:MOST_TOLD]
    ]


def _beginning(text: str) -> str:
    return text if len(text) <= MOST_SAID_OF_HUNK else f"{text[:MOST_SAID_OF_HUNK]}…"


def _outdated(before: LivingDocument, base: int | None) -> Conflict:
    return Conflict(
        f"{quoted(before.name)} is at version {before.version}, and you give version {base}. Call "
        "read_project_document and make the change on what it says now."
    )


def _measured(name: str, content: str) -> str:
    if not content.strip():
        return f"empty document {quoted(name)}"
    sections = len(headings(content))
    size = counted(len(content.strip().split("\n")), "line")
    return f"document {quoted(name)}: {size}" + (f", {counted(sections, 'heading')}" if sections else "")
