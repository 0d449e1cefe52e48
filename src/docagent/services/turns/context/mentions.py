"""What a user named with @, with its full content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.errors import NotFound
from docagent.domain.ids import is_id
from docagent.domain.turns.events import Mention
from docagent.services.documents.documents import find_document
from docagent.services.projects.living_documents import find_living_document
from docagent.store.documents import pages, tags
from docagent.store.engine.database import OrgTx
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS

MOST_CHARACTERS = 20_000
PAGES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Resolved:
    """A mention and what it stands for."""

    mention: Mention
    name: str
    content: Any


async def resolve(tx: OrgTx, mentions: Sequence[Mention], project_id: str | None) -> list[Resolved]:
    """Look up the mentions in the organisation, living documents in the conversation's project.

    Raises NotFound with the name of one that is missing.
    """
    return [await _resolve(tx, mention, project_id) for mention in mentions]


async def resolve_present(tx: OrgTx, mentions: Sequence[Mention], project_id: str | None) -> list[Resolved]:
    """Look up the mentions during a turn. Things that were deleted since, perhaps by the turn itself, are marked so."""
    found = []
    for mention in mentions:
        try:
            found.append(await _resolve(tx, mention, project_id))
        except NotFound:
            found.append(Resolved(mention, mention.id, "(It has been deleted since.)"))
    return found


async def _resolve(tx: OrgTx, mention: Mention, project_id: str | None) -> Resolved:
    if is_id(mention.id):
        match mention.type:
            case "schema":
                found = await _schema(tx, mention)
            case "prompt":
                found = await _prompt(tx, mention)
            case "tag":
                found = await _tag(tx, mention)
            case "document":
                return await _document(tx, mention)
            case "living_document":
                found = await _living_document(tx, mention, project_id)
        if found is not None:
            return found
    raise _not_found(mention)


def _not_found(mention: Mention) -> NotFound:
    kind = mention.type.replace("_", " ")
    return NotFound(f"Mentioned {kind} not found: {mention.id}. It may have been deleted; choose it again.")


async def _schema(tx: OrgTx, mention: Mention) -> Resolved | None:
    schema = await SCHEMAS.get(tx, mention.id) or await SCHEMAS.latest(tx, mention.id)
    if schema is None:
        return None
    content = {
        "schema_revid": schema.revid,
        "schema_id": schema.id,
        "version": schema.version,
        "response_format": schema.response_format,
    }
    return Resolved(mention, f"{schema.name} v{schema.version}", content)


async def _prompt(tx: OrgTx, mention: Mention) -> Resolved | None:
    prompt = await PROMPTS.get(tx, mention.id) or await PROMPTS.latest(tx, mention.id)
    if prompt is None:
        return None
    schema = await SCHEMAS.latest(tx, prompt.schema_id) if prompt.schema_id else None
    tag_names = await tags.names(tx, prompt.tag_ids)
    content = {
        "prompt_revid": prompt.revid,
        "prompt_id": prompt.id,
        "version": prompt.version,
        "content": prompt.content,
        "schema_id": prompt.schema_id,
        "schema_name": schema.name if schema else None,
        "schema_version": prompt.schema_version,
        "model": prompt.model,
        "tag_ids": prompt.tag_ids,
        "tag_names": [tag_names[tag_id] for tag_id in prompt.tag_ids if tag_id in tag_names],
    }
    return Resolved(mention, f"{prompt.name} v{prompt.version}", content)


async def _tag(tx: OrgTx, mention: Mention) -> Resolved | None:
    tag = await tags.get(tx, mention.id)
    if tag is None:
        return None
    content = {"tag_id": tag.id, "name": tag.name, "color": tag.color, "description": tag.description}
    return Resolved(mention, tag.name, content)


async def _document(tx: OrgTx, mention: Mention) -> Resolved:
    try:
        document = await find_document(tx, mention.id)
    except NotFound as error:
        raise _not_found(mention) from error
    text = "(The text has not been read yet.)"
    if document.text_run_id is not None:
        found = await pages.texts(tx, document.id, document.text_run_id, 1, PAGES_AT_ONCE)
        text = "\n\n".join(page for _, page in found)[:MOST_CHARACTERS]
    return Resolved(mention, document.name, f"file name: {document.name}\n\n{text}")


async def _living_document(tx: OrgTx, mention: Mention, project_id: str | None) -> Resolved | None:
    if project_id is None:
        return None
    try:
        document = await find_living_document(tx, project_id, mention.id)
    except NotFound:
        return None
    return Resolved(mention, document.name, document.content[:MOST_CHARACTERS] or "(It is empty.)")
