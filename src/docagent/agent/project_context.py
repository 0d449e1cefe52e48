"""Blocks of the system text about a project: what it is, its documents, and as much text as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.context import Block
from docagent.domain.projects.projects import LivingDocument, Project

WHOLE_CHARACTERS = 2000
"""A document of at most this length is shown whole."""
BEGINNING, END = 1500, 500
MOST_LISTED = 200


def project_blocks(
    project: Project, documents: Sequence[LivingDocument], budget: int, open_id: str | None = None
) -> list[Block]:
    """Make the blocks. The text of the open document comes first, then those of the latest changed ones.

    A tool reads those that do not fit.
    """
    blocks = [_project_block(project), _list_block(project, documents)]
    blocks += [_open_block(document) for document in documents if document.id == open_id]
    latest = sorted(documents, key=lambda item: item.created_at, reverse=True)
    for document in sorted(latest, key=lambda item: item.id != open_id):
        block = _text_block(document)
        if len(block.text) > budget:
            break
        budget -= len(block.text)
        blocks.append(block)
    return blocks


def deleted_project_block(project_id: str) -> Block:
    return Block("Current project", f"project {project_id}", "This project has been deleted.")


def _project_block(project: Project) -> Block:
    lines = [f"id: {project.id}", f"name: {project.name}"]
    if project.description:
        lines.append(f"description: {project.description}")
    note = ""
    if project.standing_instruction:
        lines.append(f"standing instruction: {project.standing_instruction}")
        note = "Its standing instruction holds for everything that you write in any of its documents."
    return Block("Current project", f"project {project.id}", "\n".join(lines), note)


def _list_block(project: Project, documents: Sequence[LivingDocument]) -> Block:
    lines = [_line(document) for document in documents[:MOST_LISTED]]
    if len(documents) > MOST_LISTED:
        lines.append(f"… and {len(documents) - MOST_LISTED} more; list_project_documents shows them.")
    return Block(
        "Documents of the project",
        f"project {project.id}",
        "\n".join(lines) or "There are none yet.",
        "A document's own standing instruction holds for what you write in it, and wins over the project's.",
    )


def _open_block(document: LivingDocument) -> Block:
    return Block(
        "Open document",
        f"living document {document.id}",
        f"- {document.name} (id {document.id}, version {document.version})",
        "The user has it open beside this conversation. “This document”, “here” and “it” mean this one unless the "
        "conversation says otherwise, and so does a change for which no document is named.",
    )


def _line(document: LivingDocument) -> str:
    instruction = (
        f"; standing instruction: {document.standing_instruction}" if document.standing_instruction else ""
    )
    size = f"{len(document.content)} characters"
    return f"- {document.name} (id {document.id}, version {document.version}, {size}{instruction})"


def _text_block(document: LivingDocument) -> Block:
    source = f"living document {document.id}, version {document.version}"
    title = f"Text of {document.name}"
    text = document.content
    if len(text) <= WHOLE_CHARACTERS:
        return Block(title, source, text or "(It is empty.)", "This is the whole text.")
    left_out = len(text) - BEGINNING - END
    shown = f"{text[:BEGINNING]}\n[… {left_out} characters left out …]\n{text[-END:]}"
    note = "This is the beginning and the end. Call read_project_document before you change anything in it."
    return Block(title, source, shown, note)
