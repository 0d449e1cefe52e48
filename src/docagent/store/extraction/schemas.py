"""Queries on schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from docagent.domain.extraction.artefacts import Prompt, Schema, schema_digest
from docagent.store.engine.database import OrgTx
from docagent.store.extraction.revisions import Revisions, version_of
from docagent.store.listing import Field, text_field, time_field
from docagent.store.tables import prompt_revisions, prompts, schema_revisions, schemas

SCHEMAS = Revisions(
    schemas,
    schema_revisions,
    name_key=str.casefold,
    mapped=version_of(Schema, schema_revisions, besides=("digest",)),
    derived=lambda values: {"digest": schema_digest(values["response_format"]["json_schema"]["schema"])},
)
FIELDS: Mapping[str, Field] = {
    "name": text_field(schemas.c.name, schemas.c.name_folded),
    "created_at": time_field(schema_revisions.c.created_at),
    "created_by": text_field(schema_revisions.c.created_by, schema_revisions.c.created_by),
    "schema_id": text_field(schemas.c.id, schemas.c.id),
    "schema_revid": text_field(schema_revisions.c.id, schema_revisions.c.id),
}


async def same_content(tx: OrgTx, json_schema: Any) -> Schema | None:
    """The newest version of any schema that says the same, whatever its name and the order of its keys."""
    said = schema_revisions.c.digest == schema_digest(json_schema)
    return next(iter(await SCHEMAS.newest_where(tx, said)), None)


async def asked_by(tx: OrgTx, prompt: Prompt) -> Schema | None:
    """The version that a prompt asks for, unless it names none or that is gone."""
    return await SCHEMAS.version(tx, *prompt.schema_ref) if prompt.schema_ref else None


async def asked_by_each(tx: OrgTx, asking: Iterable[Prompt]) -> dict[str, Schema]:
    """The versions that prompts ask for, by their revids, whichever proposal they may be a part of."""
    wanted = {prompt.revid: ref for prompt in asking if (ref := prompt.schema_ref)}
    found = await SCHEMAS.several_versions(tx, wanted.values())
    return {revid: found[ref] for revid, ref in wanted.items() if ref in found}


async def dependent_prompts(tx: OrgTx, schema_id: str) -> list[tuple[str, int]]:
    """Each live prompt's name, with every version of the schema that its revisions use, old ones included."""
    statement = (
        sa.select(prompts.c.name, prompt_revisions.c.schema_version)
        .join_from(prompts, prompt_revisions, prompt_revisions.c.head_id == prompts.c.id)
        .where(
            prompt_revisions.c.schema_id == schema_id,
            prompts.c.deleted_at.is_(None),
            prompts.c.proposal_id.is_(None),
        )
        .distinct()
        .order_by(prompts.c.name, prompt_revisions.c.schema_version)
    )
    return [(row.name, row.schema_version) for row in await tx.rows(statement)]
