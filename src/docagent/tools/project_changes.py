"""Tools that rename, instruct, delete and restore documents of a project."""

from __future__ import annotations

import asyncio
from typing import Any

from docagent.domain.errors import InvalidInput
from docagent.domain.projects import Changes, LivingDocument
from docagent.domain.tools import CallContext, Described, Outcome
from docagent.markdown import losses
from docagent.tools.base import Arguments, WriteTool
from docagent.tools.changes import removal, text_change
from docagent.tools.parameters import a_number, takes
from docagent.tools.project_writing import (
    INSTRUCTION,
    NAME,
    REASON,
    basis,
    change,
    free_name,
    made_outcome,
    take_back,
    written,
)
from docagent.tools.projects import DOCUMENT, find_document, project_of
from docagent.tools.words import counted, quoted


class UpdateProjectDocument(WriteTool):
    name = "update_project_document"
    title = "Rename a document or set its instruction"
    description = (
        "Rename a document of this project, or set its standing instruction: what holds whenever it is written. What "
        "you leave out stays, and so does the text; that is changed with edit_project_document."
    )
    parameters = takes(
        {
            "document": DOCUMENT,
            "name": {**NAME, "description": "The new name; it must be new in the project."},
            "standing_instruction": {
                **INSTRUCTION,
                "description": "The new standing instruction, in full. Empty removes it.",
            },
            "reason": REASON,
        },
        ("document",),
    )

    async def describe(self, call: CallContext, arguments: Arguments) -> Described:
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
        return Described(_said(before, changes), preview, basis(before))

    async def run(self, call: CallContext, arguments: Arguments, prepared: Any) -> Outcome:
        del prepared
        before, changes = await self._changes(call, arguments)
        because = written(call, arguments, _said(before, changes))
        return await change(self._services, call, before, changes, because)

    async def undo(self, call: CallContext, undo: Arguments) -> str:
        return await take_back(self._services, call, undo)

    async def _changes(self, call: CallContext, arguments: Arguments) -> tuple[LivingDocument, Changes]:
        if "name" not in arguments and "standing_instruction" not in arguments:
            raise InvalidInput("Nothing to change: give name or standing_instruction.")
        before = await find_document(self._services, call, arguments["document"])
        name = arguments.get("name")
        if name is not None:
            name = await free_name(self._services, call, name, before.id)
        return before, Changes(name=name, standing_instruction=arguments.get("standing_instruction"))


class DeleteProjectDocument(WriteTool):
    name = "delete_project_document"
    title = "Delete a document"
    description = (
        "Delete a document of this project with all its versions. Only when the user clearly asks for it; to remove "
        "a part call edit_project_document."
    )
    parameters = takes({"document": DOCUMENT, "reason": REASON}, ("document",))

    async def describe(self, call: CallContext, arguments: Arguments) -> Described:
        document = await find_document(self._services, call, arguments["document"])
        removes = [counted(document.version, "version"), counted(len(document.content), "character")]
        return Described(
            f"Delete document {quoted(document.name)}",
            removal("document", document.name, removes),
            basis(document),
        )

    async def run(self, call: CallContext, arguments: Arguments, prepared: Any) -> Outcome:
        del prepared
        document = await find_document(self._services, call, arguments["document"])
        await self._services.living_documents.delete(
            call.member, project_of(call), document.id, base_version=document.version
        )
        return Outcome(
            {"message": "Document deleted", "document_id": document.id, "name": document.name},
            f"Deleted document {quoted(document.name)}",
            undo={"deleted": document.id},
        )

    async def undo(self, call: CallContext, undo: Arguments) -> str:
        back = await self._services.living_documents.undelete(call.member, project_of(call), undo["deleted"])
        return f"Document {quoted(back.name)} is back with {counted(back.version, 'version')}"


class RestoreProjectVersion(WriteTool):
    name = "restore_project_version"
    title = "Restore a version"
    description = (
        "Bring back the text and the standing instruction of an earlier version of a document, as a new version. "
        "Nothing is lost: the versions in between stay. list_project_versions shows them."
    )
    parameters = takes(
        {
            "document": DOCUMENT,
            "version": a_number("The version to bring back.", 1),
            "reason": REASON,
        },
        ("document", "version"),
    )

    async def describe(self, call: CallContext, arguments: Arguments) -> Described:
        before = await find_document(self._services, call, arguments["document"])
        former = await find_document(self._services, call, before.id, arguments["version"])
        lost = await asyncio.to_thread(losses, before.content, former.content)
        summary = "; ".join([_restoring(before, former), *lost])
        preview = text_change(
            before.name, (before.version, before.version + 1), _texts(before), _texts(former)
        )
        return Described(summary, preview, basis(before))

    async def run(self, call: CallContext, arguments: Arguments, prepared: Any) -> Outcome:
        del prepared
        before = await find_document(self._services, call, arguments["document"])
        former = await find_document(self._services, call, before.id, arguments["version"])
        made = await self._services.living_documents.restore(
            call.member,
            project_of(call),
            before.id,
            former.version,
            base_version=before.version,
            written=written(call, arguments, _restoring(before, former)),
        )
        said = f"Brought version {former.version} of document {quoted(made.name)} back"
        return made_outcome(made, before, f"{said} as version {made.version}")

    async def undo(self, call: CallContext, undo: Arguments) -> str:
        return await take_back(self._services, call, undo)


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
