"""Moves living documents between a project and a folder, and compares them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import typer

from docagent.cli.projects.project_folder import ENDING, ProjectFolder, digest_of_text
from docagent.cli.turns.cards import Line, diff_lines
from docagent.client import AsyncClient, Conflict
from docagent.client.models import Version
from docagent.domain.shown import visible

COLOURS = {"+": "green", "-": "red", " ": None}


@dataclass(frozen=True, slots=True)
class Moved:
    file: str
    version: int | None
    outcome: str
    conflicts: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    file: str
    lines: Sequence[Line]


async def pull(client: AsyncClient, folder: ProjectFolder) -> list[Moved]:
    """Write what is newer in the project. A file that was changed here too is left, and named as a conflict."""
    folder.save()
    moved = []
    for document in await _documents(client, folder):
        name = folder.name_for(document.id, document.name)
        kept = folder.documents.get(name)
        if kept is not None and kept.version == document.version and folder.text_of(name) is not None:
            continue
        newest = await client.projects.documents.get(folder.project_id, document.id)
        text = folder.text_of(name)
        if text == newest.content:
            folder.note(name, document.id, newest.version, newest.content)
        elif folder.is_changed(name):
            outcome = "changed here and there: push merges, or move the file away"
            moved.append(Moved(name, newest.version, outcome, conflicts=True))
        else:
            folder.write(name, document.id, newest.version, newest.content)
            moved.append(Moved(name, newest.version, "written"))
    return moved


async def push(client: AsyncClient, folder: ProjectFolder, reason: str) -> list[Moved]:
    """Make new versions of what was changed here. A kill in between makes nothing twice: a document that has the file's
    text already is only noted."""
    moved = []
    present = {document.id: document for document in await _documents(client, folder)}
    for name in [name for name in folder.documents if folder.is_changed(name)]:
        document = present.get(folder.documents[name].id)
        if document is None:
            moved.append(
                Moved(name, None, "deleted in the project: rename the file to make it again", conflicts=True)
            )
        else:
            moved.append(await _changed(client, folder, name, reason))
    taken = {document.name: document for document in present.values()}
    for name in folder.new_files():
        moved.append(await _new(client, folder, name, taken))
    return moved


async def differences(client: AsyncClient, folder: ProjectFolder) -> list[Difference]:
    """How each file differs from the newest version of its document; a missing one differs in everything."""
    found = []
    for document in await _documents(client, folder):
        name = folder.name_for(document.id, document.name)
        kept = folder.documents.get(name)
        text = folder.text_of(name)
        if (
            kept is not None
            and kept.version == document.version
            and text
            and digest_of_text(text) == kept.sha256
        ):
            continue
        newest = await client.projects.documents.get(folder.project_id, document.id)
        if newest.content != text:
            found.append(Difference(name, list(diff_lines(newest.content, text or ""))))
    new = [Difference(name, list(diff_lines("", folder.text_of(name) or ""))) for name in folder.new_files()]
    return found + new


def show(difference: Difference) -> None:
    typer.secho(visible(difference.file), bold=True)
    for sign, line in difference.lines:
        typer.secho(f"{sign} {visible(line)}", fg=COLOURS[sign])


async def _documents(client: AsyncClient, folder: ProjectFolder) -> Sequence[Version]:
    return (await client.projects.documents.list(folder.project_id)).documents


async def _changed(client: AsyncClient, folder: ProjectFolder, name: str, reason: str) -> Moved:
    kept, text = folder.documents[name], folder.text_of(name) or ""
    newest = await client.projects.documents.get(folder.project_id, kept.id)
    if newest.content == text:
        folder.note(name, kept.id, newest.version, text)
        return Moved(name, newest.version, "was there already")
    write = partial(client.projects.documents.update, folder.project_id, kept.id, reason=reason)
    try:
        made = await write(content=text, base_version=kept.version)
    except Conflict as error:
        merged = _merged(error)
        if merged is None:
            outcome = "others changed the same lines: move the file away, pull, and make the change again"
            return Moved(name, newest.version, outcome, conflicts=True)
        made = await write(content=merged[0], base_version=merged[1])
    folder.write(name, kept.id, made.version, made.content)
    return Moved(
        name, made.version, "pushed" if made.content == text else "pushed, merged with what others wrote"
    )


def _merged(error: Conflict) -> tuple[str, int] | None:
    """The text on top of the newest version, and that version; None where both sides changed the same lines."""
    merge = error.body.get("merge") if isinstance(error.body, dict) else None
    if not merge or merge.get("content") is None:
        return None
    return merge["content"], merge["version"]


async def _new(client: AsyncClient, folder: ProjectFolder, name: str, taken: dict[str, Version]) -> Moved:
    title, text = name.removesuffix(ENDING), folder.text_of(name) or ""
    there = taken.get(title)
    if there is not None:
        newest = await client.projects.documents.get(folder.project_id, there.id)
        if newest.content != text:
            outcome = f"the project has another document named {title}: pull first, or rename the file"
            return Moved(name, newest.version, outcome, conflicts=True)
        folder.note(name, there.id, newest.version, text)
        return Moved(name, newest.version, "was there already")
    made = await client.projects.documents.create(folder.project_id, title, text)
    folder.note(name, made.id, made.version, made.content)
    return Moved(name, made.version, "made")
