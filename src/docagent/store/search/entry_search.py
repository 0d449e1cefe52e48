"""Finding documents, extracted values, schemas, prompts, tags and projects by their words.

The index has an entry for each of them that everybody may see; triggers keep it so, in the transaction of every change
(migration 0015). It belongs to no organisation as a whole, and knows only ids: what is shown is read from the tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.database import OrgTx
from docagent.store.search import search_words
from docagent.store.tables import (
    documents,
    projects,
    prompt_revisions,
    prompts,
    schema_revisions,
    schemas,
    tags,
)

_index = sa.table("search_index", sa.column("rowid", sa.Integer))
_entries = sa.table(
    "search_entries",
    sa.column("id", sa.BigInteger),
    sa.column("organization_id", sa.String),
    sa.column("kind", sa.String),
    sa.column("subject_id", sa.String),
    sa.column("part_id", sa.String),
    sa.column("words"),
)


class EntryKind(StrEnum):
    DOCUMENT = "document"
    VALUE = "value"
    SCHEMA = "schema"
    PROMPT = "prompt"
    TAG = "tag"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Entry:
    subject_id: str
    part_id: str
    """The result that a value belongs to; empty for all else."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that was found, as it is shown."""

    id: str
    name: str
    text: Any
    """What else of it was looked through: a text, or the JSON of a schema."""


def _latest(heads: sa.Table, revisions: sa.Table, text: sa.ColumnElement[Any]) -> sa.Select[Any]:
    return (
        sa.select(heads.c.id, heads.c.name, text.label("text"))
        .join_from(heads, revisions, revisions.c.id == heads.c.latest_revid)
        .where(heads.c.deleted_at.is_(None), heads.c.proposal_id.is_(None))
    )


_THINGS: dict[EntryKind, sa.Select[Any]] = {
    EntryKind.DOCUMENT: sa.select(documents.c.id, documents.c.name, sa.literal("").label("text")).where(
        documents.c.deleted_at.is_(None)
    ),
    EntryKind.SCHEMA: _latest(schemas, schema_revisions, schema_revisions.c.response_format),
    EntryKind.PROMPT: _latest(prompts, prompt_revisions, prompt_revisions.c.content),
    EntryKind.TAG: sa.select(tags.c.id, tags.c.name, sa.func.coalesce(tags.c.description, "").label("text")),
    EntryKind.PROJECT: sa.select(
        projects.c.id,
        projects.c.name,
        (projects.c.description + "\n" + projects.c.standing_instruction).label("text"),
    ).where(projects.c.deleted_at.is_(None)),
}
_IDS = {
    EntryKind.DOCUMENT: documents.c.id,
    EntryKind.SCHEMA: schemas.c.id,
    EntryKind.PROMPT: prompts.c.id,
    EntryKind.TAG: tags.c.id,
    EntryKind.PROJECT: projects.c.id,
}


async def read(tx: OrgTx, kind: EntryKind, ids: Sequence[str]) -> list[Thing]:
    """Those of these things that everybody of the organisation may see, in the given order."""
    if not ids:
        return []
    rows = {row.id: row for row in await tx.rows(_THINGS[kind].where(_IDS[kind].in_(ids)))}
    return [Thing(row.id, row.name, row.text) for id in ids if (row := rows.get(id)) is not None]


async def matching(tx: OrgTx, kind: EntryKind, words: Sequence[str], most: int) -> list[Entry]:
    """Entries of the organisation that hold all of the words, given as they were typed; last changed first.

    Only if there are too few, the last word counts as a beginning.
    """
    if not words or not all(map(search_words.is_word, words)):
        return []
    found = await _matching(tx, kind, words, most, begins=False)
    if len(found) < most and len(words[-1]) > 1:
        found = await _matching(tx, kind, words, most, begins=True)
    return found


def parts_with_any(tx: OrgTx, kind: EntryKind, texts: Sequence[str]) -> sa.Select[Any]:
    """The parts whose entries hold the longest word of one of the texts, for a condition.

    What has one of the texts is among them, and few others are. A text without a word is not looked for.
    """
    words = {word for text in texts if (word := search_words.longest_word(text))}
    return sa.select(_entries.c.part_id).where(
        _entries.c.organization_id == tx.organization_id,
        _entries.c.kind == kind,
        _holds_any(tx, f"{tx.organization_id}{kind}", sorted(words)) if words else sa.false(),
    )


def _holds_any(tx: OrgTx, scope: str, words: Sequence[str]) -> sa.ColumnElement[bool]:
    if tx.dialect == "postgresql":
        query = search_words.any_on_postgresql(scope.lower(), words)
        return _entries.c.words.op("@@", return_type=sa.Boolean())(query)
    return _on_sqlite(scope, search_words.any_on_sqlite(words))


async def _matching(
    tx: OrgTx, kind: EntryKind, words: Sequence[str], most: int, *, begins: bool
) -> list[Entry]:
    scope = f"{tx.organization_id}{kind}"
    holds: sa.ColumnElement[bool]
    if tx.dialect == "postgresql":
        query = search_words.all_on_postgresql([scope.lower(), *words], begins=begins)
        holds = _entries.c.words.op("@@", return_type=sa.Boolean())(query)
    else:
        holds = _on_sqlite(scope, search_words.all_on_sqlite(words, begins=begins), most)
    rows = await tx.rows(
        sa.select(_entries.c.subject_id, _entries.c.part_id)
        .where(holds, _entries.c.organization_id == tx.organization_id, _entries.c.kind == kind)
        .order_by(_entries.c.id.desc())
        .limit(most)
    )
    return [Entry(row.subject_id, row.part_id) for row in rows]


def _on_sqlite(scope: str, words: str, most: int | None = None) -> sa.ColumnElement[bool]:
    """`most`: only the last of all that were found."""
    found: sa.Select[Any] = sa.select(_index.c.rowid).where(
        sa.column("search_index").op("MATCH")(f'scope : "{scope}" AND text : ({words})')
    )
    if most is not None:
        found = found.order_by(_index.c.rowid.desc()).limit(most)
    return _entries.c.id.in_(found)
