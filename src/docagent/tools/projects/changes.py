"""Tools that rename, instruct, delete and restore documents of a project."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field

from docagent.domain.errors import InvalidInput
from docagent.domain.projects.projects import Changes, LivingDocument, Written
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.markdown import losses
from docagent.tools.base import Undo, WriteTool
from docagent.tools.changes import removal, text_change
from docagent.tools.parameters import a_number
from docagent.tools.projects import writing
from docagent.tools.projects.projects import OneProjectDocument, find_document, project_of
from docagent.tools.words import counted


class DocumentSettings(OneProjectDocument):
    name: Annotated[
        writing.Name | None, Field(description="The new name; it must be new in the project.")
    ] = None
    standing_instruction: Annotated[
        writing.Instruction | None,
        Field(description="The new standing instruction, in full. Empty removes it."),
    ] = None
    reason: writing.Reason = ""


class Deletion(OneProjectDocument):
    reason: writing.Reason = ""


class FormerVersion(OneProjectDocument):
    version: Annotated[int, a_number("The version to bring back.", 1)]
    reason: writing.Reason = ""


class UpdateProjectDocument(WriteTool[DocumentSettings]):
    name = "update_project_document"
    title = "Rename a document or set its instruction"
    description = (
        "Rename a document of this project, or set its standing instruction: what holds whenever it is written. What "
        "you leave out stays, and so does the text; that is changed with edit_project_document."
    )
    example = '{"document": "Plan", "name": "Road map"}'
    returns = "as `edit_project_document`"
    previews = "`text`: name and standing instruction, before and after"
    undoes = "the former ones as a new version; refused when there is a later one, or the name is taken"

    async def describe(self, call: CallContext, arguments: DocumentSettings) -> Described:
        before, changes = await self._changes(call, arguments)
        former = {"name": before.name, "standing_instruction": before.standing_instruction}
        after = {
            "name": changes.name or before.name,
            "standing_instruction": former["standing_instruction"]
            if changes.standing_instruction is None
            else changes.standing_instruction,
        }
        version_to = before.version + (former != after)
        preview = text_change(before.name, (before.version, version_to), former, after)
        return Described(_said(before, changes), preview, writing.basis(before))

    async def run(self, call: CallContext, arguments: DocumentSettings, prepared: Any) -> Outcome:
        before, changes = await self._changes(call, arguments)
        because = writing.written(call, arguments.reason, _said(before, changes))
        return await writing.change(self._services, call, before, changes, because)

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await writing.take_back(self._services, call, undo)

    async def _changes(
        self, call: CallContext, arguments: DocumentSettings
    ) -> tuple[LivingDocument, Changes]:
        if arguments.name is None and arguments.standing_instruction is None:
            raise InvalidInput("Nothing to change: give name or standing_instruction.")
        before = await find_document(self._services, call, arguments.document)
        name = arguments.name
        if name is not None:
            name = await writing.free_name(self._services, call, name, before.id)
        return before, Changes(name=name, standing_instruction=arguments.standing_instruction)


class DeleteProjectDocument(WriteTool[Deletion]):
    name = "delete_project_document"
    may_lose = True
    title = "Delete a document"
    description = (
        "Delete a document of this project with all its versions. Only when the user clearly asks for it; to remove "
        "a part call edit_project_document."
    )
    example = '{"document": "Plan"}'
    returns = "`message`, `document_id`, `name`"
    previews = "`delete`: number of versions, length"
    undoes = "all versions come back; refused when the name is taken"

    async def describe(self, call: CallContext, arguments: Deletion) -> Described:
        document = await find_document(self._services, call, arguments.document)
        removes = [counted(document.version, "version"), counted(len(document.content), "character")]
        return Described(
            f"Delete document {quoted(document.name)}",
            removal("document", document.name, removes),
            writing.basis(document),
            losses=(f"deletes the document {quoted(document.name)}",),
        )

    async def run(self, call: CallContext, arguments: Deletion, prepared: Any) -> Outcome:
        document = await find_document(self._services, call, arguments.document)
        await self._services.living_documents.delete(
            call.member,
            project_of(call),
            document.id,
            base_version=document.version,
            written=writing.written(call, arguments.reason, self.title),
        )
        return Outcome(
            {"message": "Document deleted", "document_id": document.id, "name": document.name},
            f"Deleted document {quoted(document.name)}",
            undo={"deleted": document.id},
        )

    async def undo(self, call: CallContext, undo: Undo) -> str:
        back = await self._services.living_documents.undelete(
            call.member, project_of(call), undo["deleted"], written=Written(turn_id=call.scope.turn_id)
        )
        return f"Document {quoted(back.name)} is back with {counted(back.version, 'version')}"


class RestoreProjectVersion(WriteTool[FormerVersion]):
    name = "restore_project_version"
    may_lose = True
    title = "Restore a version"
    description = (
        "Bring back the text and the standing instruction of an earlier version of a document, as a new version. "
        "Nothing is lost: the versions in between stay. list_project_versions shows them."
    )
    example = '{"document": "Plan", "version": 2}'
    returns = "as `create_project_document`"
    previews = "`text`: content and standing instruction, before and after"
    undoes = "the former text as a new version; refused when there is a later one"

    async def describe(self, call: CallContext, arguments: FormerVersion) -> Described:
        before = await find_document(self._services, call, arguments.document)
        former = await find_document(self._services, call, before.id, arguments.version)
        lost = tuple((await asyncio.to_thread(losses, before.content, former.content)).in_words)
        summary = "; ".join([_restoring(before, former), *lost])
        preview = text_change(
            before.name, (before.version, before.version + 1), _texts(before), _texts(former)
        )
        return Described(summary, preview, writing.basis(before), lost)

    async def run(self, call: CallContext, arguments: FormerVersion, prepared: Any) -> Outcome:
        before = await find_document(self._services, call, arguments.document)
        former = await find_document(self._services, call, before.id, arguments.version)
        made = await self._services.living_documents.restore(
            call.member,
            project_of(call),
            before.id,
            former.version,
            base_version=before.version,
            written=writing.written(call, arguments.reason, _restoring(before, former)),
        )
        said = f"Brought version {former.version} of document {quoted(made.name)} back"
        return writing.made_outcome(made, before, f"{said} as version {made.version}")

    async def undo(self, call: CallContext, undo: Undo) -> str:
        return await writing.take_back(self._services, call, undo)


def _said(before: LivingDocument, changes: Changes) -> str:
    said = []
    if changes.name is not None and changes.name != before.name:
        said.append(f"rename it to {quoted(changes.name)}")
    instruction = changes.standing_instruction
    if instruction is not None and instruction != before.standing_instruction:
        said.append(
            f"set its standing instruction to {quoted(instruction)}"
            if instruction
            else "remove its standing instruction"
        )
    return f"Change document {quoted(before.name)}: {', '.join(said) or 'nothing'}"


def _restoring(before: LivingDocument, former: LivingDocument) -> str:
    return f"Bring version {former.version} of document {quoted(before.name)} back"


def _texts(document: LivingDocument) -> dict[str, str | None]:
    return {"content": document.content, "standing_instruction": document.standing_instruction}
