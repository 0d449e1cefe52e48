"""Queries on tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from docagent.domain.extraction.artefacts import NameTaken, Tag
from docagent.domain.ids import is_id
from docagent.domain.listing import Found, ListQuery
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import HELD, held
from docagent.store.engine.upsert import INSERTS
from docagent.store.listing import Field, name_search, one_page, order, text_field, time_field, where
from docagent.store.mapping import Mapped
from docagent.store.tables import (
    document_tags,
    documents,
    form_tags,
    forms,
    prompt_tags,
    prompts,
    tags,
)

_all = tags.alias("all_tags")
_TOTAL = sa.select(sa.func.count()).select_from(_all).where(_all.c.organization_id == HELD)
_COUNT = held(_TOTAL)
_NEWEST = held(
    sa.select(tags, _TOTAL.scalar_subquery().label("total"))
    .order_by(tags.c.id.desc())
    .offset(sa.bindparam("given_skip"))
    .limit(sa.bindparam("given_limit"))
)
_INSERT = {
    dialect: held(
        insert(tags)
        .on_conflict_do_nothing(index_elements=[tags.c.organization_id, tags.c.name])
        .returning(tags.c.id)
    )
    for dialect, insert in INSERTS.items()
}
_NAMED = held(sa.select(tags).where(tags.c.name == sa.bindparam("given_name")))

_TAG = Mapped(Tag, tags)
get, delete = _TAG.get, _TAG.delete

FIELDS: Mapping[str, Field] = {
    "id": text_field(tags.c.id, tags.c.id),
    "name": text_field(tags.c.name, tags.c.name_folded),
    "description": text_field(tags.c.description, tags.c.description_folded),
    "color": text_field(tags.c.color),
    "created_at": time_field(tags.c.created_at),
    "created_by": text_field(tags.c.created_by, tags.c.created_by),
}


async def insert(tx: OrgTx, tag: Tag) -> None:
    """Raises NameTaken."""
    if (await tx.execute(_INSERT[tx.dialect], _TAG.values(tag))).first() is None:
        raise NameTaken(tag.name)


async def update(
    tx: OrgTx, tag_id: str, *, name: str, color: str | None, description: str | None
) -> Tag | None:
    """Change a tag; None if there is none. Without a colour, its colour stays. Raises NameTaken."""
    if not is_id(tag_id):
        return None
    values = _TAG.changes({"name": name, "description": description} | ({"color": color} if color else {}))
    statement = sa.update(tags).where(tags.c.id == tag_id).values(**values).returning(tags)
    try:
        row = (await tx.execute(statement)).first()
    except IntegrityError as error:
        raise NameTaken(name) from error
    return _TAG.found(row)


async def named(tx: OrgTx, name: str) -> Tag | None:
    return _TAG.found(await tx.first(_NAMED, {"given_name": name}))


async def named_in_any_case(tx: OrgTx, name: str) -> Tag | None:
    """The tag of this name; if none is written like this, the oldest that differs only in case."""
    alike = sa.select(tags).where(tags.c.name_folded == name.casefold()).order_by(tags.c.id)
    found = _TAG.each(await tx.rows(alike))
    return next((tag for tag in found if tag.name == name), found[0] if found else None)


async def names(tx: OrgTx, tag_ids: Sequence[str]) -> dict[str, str]:
    """The names of these tags, by id; ids that are no tag here are left out."""
    rows = await tx.rows(sa.select(tags.c.id, tags.c.name).where(tags.c.id.in_(tag_ids)))
    return {row.id: row.name for row in rows}


async def existing(tx: OrgTx, tag_ids: Sequence[str]) -> set[str]:
    """The ids that are tags here. These tags cannot be deleted before the transaction ends."""
    statement = sa.select(tags.c.id).where(tags.c.id.in_(tag_ids)).order_by(tags.c.id)
    return {row.id for row in await tx.rows(statement.with_for_update(read=True))}


async def search(tx: OrgTx, query: ListQuery) -> Found[Tag]:
    if query == ListQuery(query.skip, query.limit):
        rows = await tx.rows(_NEWEST, {"given_skip": query.skip, "given_limit": query.limit})
        total = rows[0].total if rows else await tx.scalar(_COUNT)
        return Found(_TAG.each(rows), int(total), query.skip)
    statement = sa.select(tags)
    ordering = order(query, FIELDS, [tags.c.id])
    if (condition := where(query.filters, FIELDS)) is not None:
        statement = statement.where(condition)
    if query.name_search:
        matches, rank = name_search(tags.c.name_folded, query.name_search)
        statement = statement.where(matches)
        ordering = [rank, *ordering]
    rows, total = await one_page(tx, statement, ordering, query)
    return Found(_TAG.each(rows), total, query.skip)


async def users_of(tx: OrgTx, tag_id: str) -> str | None:
    """What kind of thing carries the tag: live documents, or the newest version of live prompts or forms."""
    carriers = {
        "documents": sa.select(document_tags.c.document_id)
        .join(documents, documents.c.id == document_tags.c.document_id)
        .where(document_tags.c.tag_id == tag_id, documents.c.deleted_at.is_(None)),
        "prompts": sa.select(prompt_tags.c.revision_id)
        .join(prompts, prompts.c.latest_revid == prompt_tags.c.revision_id)
        .where(
            prompt_tags.c.tag_id == tag_id, prompts.c.deleted_at.is_(None), prompts.c.proposal_id.is_(None)
        ),
        "forms": sa.select(form_tags.c.revision_id)
        .join(forms, forms.c.latest_revid == form_tags.c.revision_id)
        .where(form_tags.c.tag_id == tag_id, forms.c.deleted_at.is_(None)),
    }
    for noun, statement in carriers.items():
        if await tx.first(statement.limit(1)) is not None:
            return noun
    return None
