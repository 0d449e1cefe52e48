"""What all tools that change documents of a project share. Every change is a new version with its reason."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.projects.projects import (
    MOST_INSTRUCTION_CHARACTERS,
    MOST_NAME_CHARACTERS,
    MOST_REASON_CHARACTERS,
    Author,
    Changes,
    LivingDocument,
    Written,
    checked_name,
)
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Outcome
from docagent.markdown import unclosed_fence
from docagent.tools.base import ToolServices, Undo
from docagent.tools.projects.projects import project_of

Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME_CHARACTERS)]
Instruction = Annotated[str, Field(max_length=MOST_INSTRUCTION_CHARACTERS)]
Reason = Annotated[
    str,
    Field(max_length=MOST_REASON_CHARACTERS, description="Why, in one line; it is kept with the version."),
]


async def free_name(
    services: ToolServices, call: CallContext, name: str, document_id: str | None = None
) -> str:
    """Return the name as it will be stored. Raises InvalidInput if another document has it."""
    name = checked_name(name)
    taken = await services.living_documents.named(call.member, project_of(call), name)
    if taken is not None and taken.id != document_id:
        raise InvalidInput(
            f"The project has a document {quoted(taken.name)} already. Change that one, or choose another name."
        )
    return name


def check_fences(before: str, after: str) -> None:
    """Raise InvalidInput if the change leaves a code fence open, unless one was open before."""
    line = unclosed_fence(after)
    if line is not None and unclosed_fence(before) is None:
        raise InvalidInput(
            f"The code block that begins in line {line} of the new text is never closed. Close it with the same "
            "fence and send the text again."
        )


def written(call: CallContext, reason: str, summary: str) -> Written:
    """Return who makes a version and why. Without a reason, the summary of the call is taken."""
    reason = " ".join(reason.split()) or summary
    return Written(Author.AGENT, reason[:MOST_REASON_CHARACTERS], call.scope.turn_id)


async def change(
    services: ToolServices, call: CallContext, before: LivingDocument, changes: Changes, because: Written
) -> Outcome:
    made = await services.living_documents.change(
        call.member, project_of(call), before.id, changes, base_version=before.version, written=because
    )
    return made_outcome(made, before, f"Changed document {quoted(made.name)} to version {made.version}")


def made_outcome(made: LivingDocument, before: LivingDocument | None, said: str) -> Outcome:
    content: dict[str, Any] = {
        "document_id": made.id,
        "name": made.name,
        "version": made.version,
        "characters": len(made.content),
    }
    if before is not None and before.revid == made.revid:
        return Outcome({**content, "message": "No changes"}, f"Document {quoted(made.name)} stays as it is")
    former = {"version": before.version, "name": before.name} if before else None
    return Outcome(content, said, undo={"document_id": made.id, "made": made.version, "former": former})


async def take_back(services: ToolServices, call: CallContext, undo: Undo) -> str:
    """Make a new version that is like the former one, or delete a document that the call made. Raises Conflict."""
    documents, member, project_id = services.living_documents, call.member, project_of(call)
    try:
        current = await documents.get(member, project_id, undo["document_id"])
    except NotFound as error:
        raise Conflict("The document was deleted since.") from error
    if current.version != undo["made"]:
        raise Conflict(
            f"The document {quoted(current.name)} has changed since: version {current.version} is newer. Undo that "
            "first, or restore a version by hand."
        )
    former = undo["former"]
    if former is None:
        undone = Written(turn_id=call.scope.turn_id)
        await documents.delete(member, project_id, current.id, base_version=current.version, written=undone)
        return f"Document {quoted(current.name)} is deleted again"
    old = await documents.get(member, project_id, current.id, former["version"])
    taken = await documents.named(member, project_id, former["name"])
    if taken is not None and taken.id != current.id:
        raise Conflict(
            f"Another document is named {quoted(taken.name)} now. Rename or delete that one first."
        )
    back = await documents.change(
        member,
        project_id,
        current.id,
        Changes(former["name"], old.content, old.standing_instruction),
        base_version=current.version,
        written=Written(reason=f"Undone: back to version {old.version}", turn_id=call.scope.turn_id),
    )
    return f"Document {quoted(back.name)} is as it was, as version {back.version}"


def basis(document: LivingDocument) -> str:
    return f"{document.revid}/{document.name}"
