"""Tools that write the texts of a project's documents."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import Annotated, Any, TypeVar

from pydantic import Field

from docagent.domain.errors import Conflict
from docagent.domain.projects import MOST_CONTENT_CHARACTERS, Changes, LivingDocument, check_text
from docagent.domain.shown import quoted
from docagent.domain.tools import CallContext, Described, Outcome
from docagent.markdown import Losses, apply_edits, headings, losses, with_line_ends_of
from docagent.tools.arguments import Arguments
from docagent.tools.base import Undo, WriteTool
from docagent.tools.changes import text_change
from docagent.tools.parameters import a_number, a_text
from docagent.tools.project_edits import WrittenEdits, edits_of, said_of
from docagent.tools.project_writing import (
    Instruction,
    Name,
    Reason,
    basis,
    change,
    check_fences,
    free_name,
    made_outcome,
    take_back,
    written,
)
from docagent.tools.projects import OneProjectDocument, find_document, project_of
from docagent.tools.words import counted

Markdown = Annotated[str, a_text("The whole text, as markdown.")]
_BASE_VERSION = a_number("The version that you read; refused when there is a newer one.", 1)


class NewProjectDocument(Arguments):
    name: Annotated[Name, Field(description="A short name for people, as the user gave it.")]
    content: Markdown
    standing_instruction: Annotated[
        Instruction,
        Field(
            description="What holds whenever this document is written: its purpose, form and tone. Empty for none."
        ),
    ] = ""
    reason: Reason = ""


class EditedText(OneProjectDocument):
    edits: WrittenEdits
    base_version: Annotated[int | None, _BASE_VERSION] = None
    reason: Reason = ""


class WholeText(OneProjectDocument):
    content: Markdown
    base_version: Annotated[int, _BASE_VERSION]
    reason: Reason = ""


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
        name = await free_name(self._services, call, arguments.name)
        content = arguments.content
        await asyncio.to_thread(check_fences, "", content)
        after = {"content": content, "standing_instruction": arguments.standing_instruction or None}
        return Described(f"Create {_measured(name, content)}", text_change(name, (None, 1), {}, after))

    async def run(self, call: CallContext, arguments: NewProjectDocument, prepared: Any) -> Outcome:
        del prepared
        await asyncio.to_thread(check_fences, "", arguments.content)
        made = await self._services.living_documents.create(
            call.member,
            project_of(call),
            arguments.name,
            arguments.content,
            arguments.standing_instruction,
            written=written(call, arguments.reason, "Created"),
        )
        return made_outcome(made, None, f"Created document {quoted(made.name)}")

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await take_back(self._services, call, undo)


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
        before = await self._before(call, arguments)
        after = await self._checked(before, arguments)
        if after == before.content:
            return Described(f"Leave document {quoted(before.name)} as it is", None, basis(before))
        lost = self.lost(await asyncio.to_thread(losses, before.content, after))
        summary = "; ".join([self.words(before, arguments), *lost])
        versions = (before.version, before.version + 1)
        preview = text_change(before.name, versions, {"content": before.content}, {"content": after})
        return Described(summary, preview, basis(before), lost)

    async def run(self, call: CallContext, arguments: NewText, prepared: Any) -> Outcome:
        del prepared
        before = await self._before(call, arguments)
        after = await self._checked(before, arguments)
        summary = self.words(before, arguments)
        return await change(
            self._services, call, before, Changes(content=after), written(call, arguments.reason, summary)
        )

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await take_back(self._services, call, undo)

    async def _before(self, call: CallContext, arguments: NewText) -> LivingDocument:
        before = await find_document(self._services, call, arguments.document)
        base = arguments.base_version
        if base not in (None, before.version):
            raise Conflict(
                f"{quoted(before.name)} is at version {before.version}, and you give version {base}. Call "
                "read_project_document and make the change on what it says now."
            )
        return before

    async def _checked(self, before: LivingDocument, arguments: NewText) -> str:
        # A long text takes a while to parse.
        after = await asyncio.to_thread(self.new_text, before, arguments)
        check_text("The content", after, MOST_CONTENT_CHARACTERS)
        await asyncio.to_thread(check_fences, before.content, after)
        return after


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
    previews = "`text`: the lines around what changes, before and after"
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
        del arguments
        return f"Rewrite document {quoted(before.name)}"


def _measured(name: str, content: str) -> str:
    if not content.strip():
        return f"empty document {quoted(name)}"
    sections = len(headings(content))
    size = counted(len(content.strip().split("\n")), "line")
    return f"document {quoted(name)}: {size}" + (f", {counted(sections, 'heading')}" if sections else "")
