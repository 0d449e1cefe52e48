"""Queries on prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.listing import Found, ListQuery
from docagent.domain.models.catalogue import DEFAULT_MODEL
from docagent.store.documents import documents
from docagent.store.engine.database import OrgTx
from docagent.store.extraction.revisions import Revisions, version_of
from docagent.store.listing import Condition, Field, text_field, time_field
from docagent.store.named_fields import schema_field, tag_field
from docagent.store.tables import document_tags, prompt_revisions, prompt_tags, prompts

NAME_FOR_UNTAGGED = "Default Prompt"
"""The name of the one prompt that belongs to documents without tags."""


MOST_AT_ONCE = 1000

PROMPT = version_of(
    Prompt, prompt_revisions, columns={"requested_model": "model"}, given=("effective_model",)
)
PROMPTS = Revisions(prompts, prompt_revisions, name_key=str, mapped=PROMPT, tag_links=prompt_tags)


async def search(
    tx: OrgTx, query: ListQuery, *, tag_ids: Sequence[str], document_id: str | None
) -> Found[Prompt] | None:
    """Prompts with all of the tags, and with any tag of the document. None when there is no such document."""
    conditions: list[Condition] = []
    if tag_ids:
        conditions.append(PROMPTS.carrying(tx, tag_ids))
    if document_id is not None:
        if await documents.get(tx, document_id) is None:
            return None
        conditions.append(await _for_document(tx, document_id))
    return await PROMPTS.search(tx, query, _fields(tx.organization_id), conditions)


async def asking_for(tx: OrgTx, schema_id: str, schema_version: int) -> list[Prompt]:
    """Every version of a prompt that asks for this version of a schema, newest first."""
    revision = prompt_revisions.c
    return await PROMPTS.newest_where(
        tx, revision.schema_id == schema_id, revision.schema_version == schema_version
    )


async def with_tags(tx: OrgTx, tag_ids: Sequence[str]) -> list[Prompt]:
    """The newest version of every prompt that carries any of the tags, oldest prompt first."""
    every = ListQuery(limit=MOST_AT_ONCE)
    found = await PROMPTS.search(tx, every, _fields(tx.organization_id), [_carrying_any(tx, tag_ids)])
    return sorted(found.items, key=lambda prompt: prompt.id)


def _fields(organization_id: str) -> Mapping[str, Field]:
    revision = prompt_revisions.c
    return {
        "name": text_field(prompts.c.name, prompts.c.name_folded),
        "model": text_field(sa.func.coalesce(revision.model, DEFAULT_MODEL)),
        "schema_id": schema_field(organization_id, revision.schema_id),
        "tag_ids": tag_field(organization_id, prompt_tags, "revision_id", revision.id),
        "created_at": time_field(revision.created_at),
        "prompt_revid": text_field(revision.id, revision.id),
    }


async def _for_document(tx: OrgTx, document_id: str) -> Condition:
    found = await tx.rows(sa.select(document_tags.c.tag_id).where(document_tags.c.document_id == document_id))
    if not found:
        return prompts.c.name == NAME_FOR_UNTAGGED
    return _carrying_any(tx, [row.tag_id for row in found])


def _carrying_any(tx: OrgTx, tag_ids: Sequence[str]) -> Condition:
    carriers = sa.select(prompt_tags.c.revision_id).where(
        prompt_tags.c.organization_id == tx.organization_id, prompt_tags.c.tag_id.in_(tag_ids)
    )
    return prompt_revisions.c.id.in_(carriers)
