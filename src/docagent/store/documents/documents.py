"""Queries on documents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.documents.documents import Document, DocumentState, original_key, rendition_key
from docagent.domain.documents.pictures import every_picture, picture_key
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.ids import is_id
from docagent.domain.listing import Filter, Found, ListQuery
from docagent.domain.proposals import DocumentProposal, ProposalStatus
from docagent.store import listing
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.tenancy import held
from docagent.store.mapping import Mapped, Part
from docagent.store.named_fields import tag_field
from docagent.store.tables import (
    blob_trash,
    document_metadata,
    document_tags,
    documents,
    extraction_results,
    tags,
)

_LIVE = documents.c.deleted_at.is_(None)
_GET = held(sa.select(documents).where(documents.c.id == sa.bindparam("given_id"), _LIVE))
_FILES = sa.select(documents.c.id, documents.c.organization_id, documents.c.page_count)
"""What names a document's files."""

PROPOSAL = Part(DocumentProposal, documents, columns={"document_id": "id"}, prefix="auto_create_")
DOCUMENT = Mapped(
    Document,
    documents,
    parts={"proposal": PROPOSAL},
    besides=("state_updated_at", "uploaded_by_id"),
)


async def insert(tx: OrgTx, document: Document, uploaded_by_id: str) -> None:
    values = DOCUMENT.values(document, state_updated_at=document.upload_date, uploaded_by_id=uploaded_by_id)
    await tx.execute(sa.insert(documents).values(**values))
    await _index_tags(tx, document.id, document.tag_ids)
    await _index_metadata(tx, document.id, document.metadata)
    tx.tell("document", document.id)


async def get(tx: OrgTx, document_id: str) -> Document | None:
    return DOCUMENT.found(await tx.first(_GET, {"given_id": document_id})) if is_id(document_id) else None


async def several(tx: OrgTx, document_ids: Sequence[str]) -> dict[str, Document]:
    """The documents with these ids that are there, by id."""
    rows = await tx.rows(sa.select(documents).where(documents.c.id.in_(document_ids), _LIVE))
    return {document.id: document for document in DOCUMENT.each(rows)}


async def exists(tx: OrgTx, document_id: str) -> bool:
    """Whether the document was not removed permanently, deleted or not."""
    return await tx.first(sa.select(documents.c.id).where(documents.c.id == document_id)) is not None


async def names(tx: OrgTx, document_ids: Sequence[str]) -> dict[str, str]:
    """Names by id, of deleted documents too."""
    rows = await tx.rows(sa.select(documents.c.id, documents.c.name).where(documents.c.id.in_(document_ids)))
    return {row.id: row.name for row in rows}


async def uploader_id(tx: OrgTx, document_id: str) -> str | None:
    found: str | None = await tx.scalar(
        sa.select(documents.c.uploaded_by_id).where(documents.c.id == document_id, _LIVE)
    )
    return found


async def at_end_of_reading(tx: OrgTx, document_id: str) -> tuple[bool, set[int]]:
    """Whether the document had a text before, and its pages with private regions.

    Locks its row, so that only one reading can be the first, and no region is marked meanwhile.
    """
    statement = sa.select(documents.c.text_run_id, documents.c.private_regions)
    row = await tx.first(statement.where(documents.c.id == document_id).with_for_update(key_share=True))
    if row is None:
        return False, set()
    return row.text_run_id is not None, {one["page"] for one in row.private_regions or ()}


async def same_content(tx: OrgTx, sha256: str, limit: int = 20) -> list[str]:
    """Ids of live documents with the same bytes, oldest first."""
    statement = sa.select(documents.c.id).where(documents.c.sha256 == sha256, _LIVE)
    return [row.id for row in await tx.rows(statement.order_by(documents.c.id).limit(limit))]


async def update(
    tx: OrgTx,
    document_id: str,
    *,
    name: str | None = None,
    tag_ids: Sequence[str] | None = None,
    metadata: dict[str, str] | None = None,
) -> None:
    """Change the document's row before the rows that refer to it: locks taken the other way round could deadlock."""
    given = {
        "name": name,
        "tag_ids": list(tag_ids) if tag_ids is not None else None,
        "metadata": metadata,
    }
    if values := {field: value for field, value in given.items() if value is not None}:
        await change(tx, document_id, DOCUMENT.changes(values))
    if tag_ids is not None:
        await tx.execute(sa.delete(document_tags).where(document_tags.c.document_id == document_id))
        await _index_tags(tx, document_id, tag_ids)
    if metadata is not None:
        await tx.execute(sa.delete(document_metadata).where(document_metadata.c.document_id == document_id))
        await _index_metadata(tx, document_id, metadata)


async def change(tx: OrgTx, document_id: str, values: dict[str, Any]) -> bool:
    """Change a document, deleted or not. False if it was removed permanently."""
    tx.tell("document", document_id)
    return await DOCUMENT.change(tx, document_id, values)


async def set_state(
    tx: OrgTx,
    document_id: str,
    state: DocumentState,
    now: datetime,
    *,
    reason: str | None = None,
    reason_code: str | None = None,
    **values: Any,
) -> None:
    told = {"state_reason": reason, "state_reason_code": reason_code, "state_updated_at": now}
    await change(tx, document_id, {"state": state, **told, **values})


async def soft_delete(tx: OrgTx, document_id: str, now: datetime) -> bool:
    result = await tx.execute(
        sa.update(documents).where(documents.c.id == document_id, _LIVE).values(deleted_at=now)
    )
    await tx.execute(sa.delete(document_tags).where(document_tags.c.document_id == document_id))
    tx.tell("document", document_id)
    return result.rowcount == 1


async def undelete(tx: OrgTx, document_id: str) -> Document | None:
    """Bring back a deleted document that is not yet removed permanently, with the tags that still exist."""
    deleted = documents.c.deleted_at.is_not(None)
    statement = sa.update(documents).where(documents.c.id == document_id, deleted).values(deleted_at=None)
    row = (await tx.execute(statement.returning(documents))).first()
    if row is None:
        return None
    found = sa.select(tags.c.id).where(tags.c.id.in_(row.tag_ids))
    there = {tag.id for tag in await tx.rows(found.with_for_update(read=True))}
    kept = [tag_id for tag_id in row.tag_ids if tag_id in there]
    await update(tx, document_id, tag_ids=kept)
    return await get(tx, document_id)


async def search(
    tx: OrgTx,
    query: ListQuery,
    *,
    tag_ids: Sequence[str] = (),
    metadata: Sequence[tuple[str, str]] = (),
    proposal_status: ProposalStatus | None = None,
) -> Found[Document]:
    """Documents that carry all of the tags and all of the metadata pairs."""
    conditions: list[listing.Condition] = [_LIVE]
    if proposal_status is not None:
        conditions.append(documents.c.auto_create_status == proposal_status)
    tag, pair = document_tags.c.tag_id, document_metadata.c
    conditions += [_with(tx, document_tags, tag == one) if is_id(one) else sa.false() for one in tag_ids]
    conditions += [
        _with(tx, document_metadata, pair.key == key, pair.value == value) for key, value in metadata
    ]
    fields = _fields(tx)
    if (condition := listing.where(query.filters, fields)) is not None:
        conditions.append(condition)
    ordering = listing.order(query, fields, (documents.c.upload_date, documents.c.id))
    if query.name_search:
        condition, rank = listing.name_search(documents.c.name_folded, query.name_search)
        # Every name is at least "", which lets SQLite choose the index of names.
        conditions += [documents.c.name_folded >= "", condition]
        ordering = [rank.asc(), *ordering]
    rows, total = await listing.one_page_by_key(tx, documents.c.id, conditions, ordering, query)
    return Found(DOCUMENT.each(rows), total, query.skip)


async def discard_all_files(tx: Tx, organization_id: str, now: datetime) -> None:
    """Mark every file of an organisation that is about to be deleted for the next clean-up."""
    rows = await tx.across(_FILES.where(documents.c.organization_id == organization_id))
    await _discard(tx, rows.all(), now)


async def purge(tx: Tx, deleted_before: datetime, now: datetime, limit: int = 100) -> int:
    """Permanently remove the documents that were deleted before the given time. Returns how many."""
    old = _FILES.where(documents.c.deleted_at < deleted_before).limit(limit)
    rows = (await tx.across(old)).all()
    await _discard(tx, rows, now)
    if rows:
        await tx.across(sa.delete(documents).where(documents.c.id.in_([row.id for row in rows])))
    return len(rows)


async def discarded_files(tx: Tx, limit: int = 500) -> list[str]:
    return [row.key for row in await tx.rows(sa.select(blob_trash.c.key).limit(limit))]


async def forget_discarded(tx: Tx, keys: Sequence[str]) -> None:
    await tx.execute(sa.delete(blob_trash).where(blob_trash.c.key.in_(keys)))


async def _discard(tx: Tx, rows: Sequence[Row[Any]], now: datetime) -> None:
    keys = [{"key": key, "discarded_at": now} for row in rows for key in _keys(row)]
    if keys:
        await tx.execute(sa.insert(blob_trash), keys)


def _keys(row: Row[Any]) -> list[str]:
    """Every file that there may be of a document."""
    whose = (row.organization_id, row.id)
    pictures = [picture_key(*whose, picture) for picture in every_picture(row.page_count or 0)]
    return [original_key(*whose), rendition_key(*whose), *pictures]


async def _index_tags(tx: OrgTx, document_id: str, tag_ids: Sequence[str]) -> None:
    rows = [
        {"organization_id": tx.organization_id, "document_id": document_id, "tag_id": tag_id}
        for tag_id in tag_ids
    ]
    if rows:
        await tx.execute(sa.insert(document_tags), rows)


async def _index_metadata(tx: OrgTx, document_id: str, metadata: dict[str, str]) -> None:
    rows = [
        {"organization_id": tx.organization_id, "document_id": document_id, "key": key, "value": value}
        for key, value in metadata.items()
    ]
    if rows:
        await tx.execute(sa.insert(document_metadata), rows)


def _with(tx: OrgTx, links: sa.Table, *conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    mine = sa.select(links.c.document_id).where(links.c.organization_id == tx.organization_id)
    return documents.c.id.in_(mine.where(*conditions))


def _results_field(tx: OrgTx) -> listing.Field:
    """What has been made of a document: an `extraction`, only a `summary`, or `none`."""

    def made(by: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
        return _with(tx, extraction_results, ~extraction_results.c.proposed, by)

    extraction = made(extraction_results.c.prompt_id != DEFAULT_PROMPT)
    summary = made(extraction_results.c.prompt_id == DEFAULT_PROMPT)
    kinds = {
        "extraction": extraction,
        "summary": sa.and_(summary, ~extraction),
        "none": sa.and_(~summary, ~extraction),
    }

    def condition(item: Filter) -> sa.ColumnElement[bool]:
        wanted = item.value if isinstance(item.value, list) else [item.value]
        return sa.or_(sa.false(), *(kinds[str(kind)] for kind in wanted if str(kind) in kinds))

    return listing.Field(documents.c.state, condition, sortable=False)


def _fields(tx: OrgTx) -> dict[str, listing.Field]:
    fields = {
        "document_name": listing.text_field(documents.c.name, documents.c.name_folded),
        "uploaded_by": listing.text_field(documents.c.uploaded_by, documents.c.uploaded_by_folded),
        "state": listing.text_field(documents.c.state, documents.c.state),
        "auto_create_status": listing.text_field(documents.c.auto_create_status),
        "upload_date": listing.time_field(documents.c.upload_date),
        "results": _results_field(tx),
        "tag_ids": tag_field(tx.organization_id, document_tags, "document_id", documents.c.id),
    }
    aliases = {"documentName": "document_name", "uploadedBy": "uploaded_by", "uploadDate": "upload_date"}
    return fields | {alias: fields[name] for alias, name in aliases.items()}
