"""Queries on proposals: their documents, and the schemas, prompts and results that they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.documents.documents import Document
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.proposals import DocumentProposal, ProposalStatus
from docagent.store.batches import some
from docagent.store.documents.documents import DOCUMENT, PROPOSAL
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.extraction.highlights import RESULT_DATA, ResultData, result_data
from docagent.store.extraction.prompts import PROMPT
from docagent.store.tables import (
    documents,
    extraction_results,
    prompt_revisions,
    prompts,
    schema_revisions,
    schemas,
)

_HEADS = (schemas, prompts)
_LIVE = documents.c.deleted_at.is_(None)
_WAITS = sa.and_(documents.c.auto_create_status == ProposalStatus.PROPOSED, _LIVE)
"""A document that waits for a verdict."""
_NEEDED = (ProposalStatus.RUNNING, ProposalStatus.PROPOSED)
_ITS_SCHEMA = sa.and_(
    schema_revisions.c.head_id == prompt_revisions.c.schema_id,
    schema_revisions.c.version == prompt_revisions.c.schema_version,
)
"""The version of a schema that a version of a prompt asks for."""


async def put(tx: OrgTx, proposal: DocumentProposal) -> None:
    """Write the state of a document's proposal, whatever it was before."""
    await PROPOSAL.change(tx, proposal.document_id, PROPOSAL.values(proposal))
    tx.tell("document", proposal.document_id)


get = PROPOSAL.get
"""The proposal of a document, deleted or not."""


async def of_turn(tx: OrgTx, document_id: str, turn_id: str) -> DocumentProposal | None:
    """The proposal that this turn prepares, locked; None if it prepares none, or none any more."""
    return await PROPOSAL.first(
        tx,
        documents.c.id == document_id,
        documents.c.auto_create_turn_id == turn_id,
        documents.c.auto_create_status == ProposalStatus.RUNNING,
        lock=True,
    )


async def counts(tx: OrgTx) -> dict[ProposalStatus, int]:
    """How many live documents there are in each status."""
    status = documents.c.auto_create_status
    rows = await tx.rows(
        sa.select(status, sa.func.count().label("number")).where(status.is_not(None), _LIVE).group_by(status)
    )
    found = {ProposalStatus(row.auto_create_status): row.number for row in rows}
    return {status: found.get(status, 0) for status in ProposalStatus}


async def waiting_groups(tx: OrgTx, *, skip: int, limit: int) -> tuple[list[str], int]:
    """The ids of the proposals that wait for a verdict, oldest first, and how many there are."""
    group = documents.c.auto_create_proposal_id
    total = int(await tx.scalar(sa.select(sa.func.count(group.distinct())).where(_WAITS)))
    found = sa.select(group).where(_WAITS).group_by(group).order_by(group).offset(skip).limit(limit)
    return [row.auto_create_proposal_id for row in await tx.rows(found)], total


@dataclass(frozen=True, slots=True)
class Waiting:
    """A document that waits for a verdict, and how many of its proposal do."""

    document: Document
    in_group: int


async def waiting_in(tx: OrgTx, proposal_ids: Sequence[str], limit: int) -> list[Waiting]:
    """Up to so many documents of each proposal that wait for a verdict, in the order of their upload."""
    first = _first_waiting(tx, proposal_ids, limit)
    found = (
        sa.select(documents, first.c.in_group)
        .join_from(documents, first, first.c.id == documents.c.id)
        .order_by(documents.c.auto_create_proposal_id, first.c.place)
    )
    return [Waiting(DOCUMENT.of(row), row.in_group) for row in await tx.rows(found)]


async def found_in(
    tx: OrgTx, proposal_ids: Sequence[str], prompt_ids: Sequence[str], limit: int
) -> dict[tuple[str, str], ResultData]:
    """What these prompts found in the documents of `waiting_in`, by document and prompt.

    Of several versions of a prompt, the result of the highest counts.
    """
    heads = extraction_results.c
    first = _first_waiting(tx, proposal_ids, limit)
    rows = await tx.rows(
        result_data()
        .join(first, first.c.id == heads.document_id)
        .where(heads.prompt_id.in_(prompt_ids))
        .order_by(heads.prompt_version, heads.id)
    )
    return {(row.document_id, row.prompt_id): RESULT_DATA.of(row) for row in rows}


def _first_waiting(tx: OrgTx, proposal_ids: Sequence[str], limit: int) -> sa.Subquery:
    """The ids of the first documents of each proposal that wait, with their place and how many wait in all."""
    group = documents.c.auto_create_proposal_id
    place = sa.func.row_number().over(partition_by=group, order_by=(documents.c.upload_date, documents.c.id))
    ranked = (
        sa.select(
            documents.c.id, place.label("place"), sa.func.count().over(partition_by=group).label("in_group")
        )
        .where(documents.c.organization_id == tx.organization_id, _WAITS, group.in_(proposal_ids))
        .subquery()
    )
    return sa.select(ranked).where(ranked.c.place <= limit).subquery()


async def proposed_prompts(tx: OrgTx, revids: Sequence[str]) -> dict[str, tuple[Prompt, str | None]]:
    """By the version that a proposal names: the prompt, and the proposal that it is a part of, if it is.

    A proposed prompt comes in its newest version, another in the version that was named.
    """
    named = prompt_revisions.alias("named")
    as_it_is = sa.case((prompts.c.proposal_id.is_not(None), prompts.c.latest_revid), else_=named.c.id)
    rows = await tx.rows(
        sa.select(named.c.id.label("named"), prompts.c.name, prompts.c.proposal_id, prompt_revisions)
        .join_from(named, prompts, prompts.c.id == named.c.head_id)
        .join(prompt_revisions, prompt_revisions.c.id == as_it_is)
        .where(named.c.id.in_(revids), prompts.c.deleted_at.is_(None))
    )
    return {row.named: (PROMPT.of(row), row.proposal_id) for row in rows}


async def number_waiting(tx: OrgTx, proposal_id: str) -> int:
    """How many documents wait for a verdict on the proposal."""
    return (await numbers_waiting(tx, [proposal_id])).get(proposal_id, 0)


async def numbers_waiting(tx: OrgTx, proposal_ids: Sequence[str]) -> dict[str, int]:
    """How many documents wait for a verdict on each of the proposals, where some do."""
    group = documents.c.auto_create_proposal_id
    counted = sa.select(group, sa.func.count().label("number")).where(_WAITS, group.in_(proposal_ids))
    return {row.auto_create_proposal_id: row.number for row in await tx.rows(counted.group_by(group))}


async def others_in(tx: OrgTx, proposal: DocumentProposal) -> int:
    """How many other documents, deleted ones too, still need the schema and the prompt of this proposal."""
    statement = sa.select(sa.func.count()).where(
        documents.c.auto_create_proposal_id == proposal.proposal_id,
        documents.c.id != proposal.document_id,
        documents.c.auto_create_status.in_(_NEEDED),
    )
    return int(await tx.scalar(statement))


async def groups_of(tx: OrgTx, document_ids: Sequence[str]) -> int:
    """In how many groups those of the documents are that wait for a verdict."""
    groups = sa.select(sa.func.count(documents.c.auto_create_proposal_id.distinct()))
    waiting = documents.c.auto_create_status == ProposalStatus.PROPOSED
    return int(await tx.scalar(groups.where(documents.c.id.in_(document_ids), waiting)))


async def move_group(tx: OrgTx, accepted: DocumentProposal, prompt_id: str) -> None:
    """After one of its documents was accepted, let a group go by the prompt's id, and name what was accepted."""
    await tx.execute(
        sa.update(documents)
        .where(documents.c.auto_create_proposal_id == accepted.proposal_id)
        .values(
            auto_create_proposal_id=prompt_id,
            auto_create_prompt_revid=accepted.prompt_revid,
            auto_create_schema_revid=accepted.schema_revid,
        )
    )


async def is_being_made(tx: OrgTx, document_id: str) -> bool:
    """Whether the agent makes a schema for another document of the organisation at this moment."""
    other = sa.select(documents.c.id).where(
        documents.c.auto_create_status == ProposalStatus.RUNNING,
        documents.c.auto_create_turn_id.is_not(None),
        documents.c.id != document_id,
    )
    return await tx.first(other.limit(1)) is not None


# --- what a proposal is made of -------------------------------------------------------------------------------


def _proposed(document_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return extraction_results.c.document_id == document_id, extraction_results.c.proposed


async def drop_result(tx: OrgTx, document_id: str) -> None:
    await tx.execute(sa.delete(extraction_results).where(*_proposed(document_id)))


async def accept_result(tx: OrgTx, document_id: str) -> None:
    await tx.execute(sa.update(extraction_results).where(*_proposed(document_id)).values(proposed=False))


async def drop_heads(tx: OrgTx, proposal_id: str) -> None:
    """Remove the schemas and prompts of a proposal permanently: nobody has accepted them."""
    for heads in _HEADS:
        await tx.execute(sa.delete(heads).where(heads.c.proposal_id == proposal_id))


async def hide_heads(tx: OrgTx, proposal_id: str, deleted_at: datetime | None) -> None:
    """Delete the schemas and prompts of a proposal, or bring them back with None."""
    for heads in _HEADS:
        await tx.execute(
            sa.update(heads).where(heads.c.proposal_id == proposal_id).values(deleted_at=deleted_at)
        )


async def drop_forgotten_heads(tx: Tx) -> int:
    """Remove proposed schemas and prompts whose documents were all removed permanently. Returns how many, of some."""
    needed = sa.select(documents.c.auto_create_proposal_id).where(
        documents.c.auto_create_proposal_id.is_not(None)
    )
    count = 0
    for heads in _HEADS:
        part = heads.c.proposal_id
        count += (await tx.across(some(heads, part.is_not(None), part.not_in(needed)))).rowcount
    return count


@dataclass(frozen=True, slots=True)
class Made:
    """The versions of which the newest proposed result of a document was made. A prompt without a schema is none."""

    prompt_id: str
    prompt_revid: str
    schema_revid: str


async def result_of(tx: OrgTx, document_id: str) -> Made | None:
    found = extraction_results.c
    row = await tx.first(
        sa.select(found.prompt_id, found.prompt_revid, schema_revisions.c.id.label("schema_revid"))
        .join_from(extraction_results, prompt_revisions, prompt_revisions.c.id == found.prompt_revid)
        .join(schema_revisions, _ITS_SCHEMA)
        .where(found.document_id == document_id, found.proposed)
        .order_by(found.updated_at.desc(), found.id.desc())
        .limit(1)
    )
    return Made(row.prompt_id, row.prompt_revid, row.schema_revid) if row else None


async def drop_unused(tx: OrgTx, proposal: DocumentProposal, made: Made) -> None:
    """Remove what was made on the way and is no part of what is proposed in the end."""
    other_result = extraction_results.c.prompt_id != made.prompt_id
    await tx.execute(sa.delete(extraction_results).where(*_proposed(proposal.document_id), other_result))
    of_it = prompts.c.proposal_id == proposal.proposal_id
    await tx.execute(sa.delete(prompts).where(of_it, prompts.c.id != made.prompt_id))
    used = sa.select(prompt_revisions.c.schema_id).where(
        prompt_revisions.c.organization_id == tx.organization_id,
        prompt_revisions.c.head_id == made.prompt_id,
        prompt_revisions.c.schema_id.is_not(None),
    )
    await tx.execute(
        sa.delete(schemas).where(schemas.c.proposal_id == proposal.proposal_id, schemas.c.id.not_in(used))
    )


async def schema_revid_of(tx: OrgTx, prompt: Prompt) -> str | None:
    found = schema_revisions.c
    revid: str | None = await tx.scalar(
        sa.select(found.id).where(found.head_id == prompt.schema_id, found.version == prompt.schema_version)
    )
    return revid


@dataclass(frozen=True, slots=True)
class Candidate:
    """A prompt with its schema. With a `proposal_id` both are only proposed so far."""

    prompt: Prompt
    schema_name: str
    schema: dict[str, Any]
    proposal_id: str | None


async def candidates(tx: OrgTx, limit: int) -> list[Candidate]:
    """Prompts with a schema, accepted ones and those that wait for a verdict, newest first."""
    waiting = sa.select(documents.c.auto_create_proposal_id).where(
        documents.c.organization_id == tx.organization_id, _WAITS
    )
    rows = await tx.rows(
        sa.select(
            prompts.c.name,
            prompts.c.proposal_id,
            prompt_revisions,
            schemas.c.name.label("schema_name"),
            schema_revisions.c.response_format,
        )
        .join_from(prompts, prompt_revisions, prompt_revisions.c.id == prompts.c.latest_revid)
        .join(schema_revisions, _ITS_SCHEMA)
        .join(schemas, schemas.c.id == schema_revisions.c.head_id)
        .where(
            prompts.c.deleted_at.is_(None),
            schemas.c.deleted_at.is_(None),
            sa.or_(prompts.c.proposal_id.is_(None), prompts.c.proposal_id.in_(waiting)),
        )
        .order_by(prompt_revisions.c.created_at.desc(), prompts.c.id)
        .limit(limit)
    )
    return [
        Candidate(
            PROMPT.of(row), row.schema_name, row.response_format["json_schema"]["schema"], row.proposal_id
        )
        for row in rows
    ]
