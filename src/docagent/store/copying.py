"""Copies one organisation with one document into another database, for runs that must leave no trace.

Every table is either copied or on the list of those left out. A test checks that no table is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa

from docagent.domain.accounts.accounts import Role
from docagent.domain.errors import NotFound
from docagent.store.engine.database import Database, OrgTx
from docagent.store.tables import (
    credit_accounts,
    document_metadata,
    document_pages,
    document_tags,
    documents,
    extraction_results,
    extraction_revisions,
    form_revisions,
    form_submissions,
    form_tags,
    forms,
    llm_providers,
    members,
    organization_llm_providers,
    organizations,
    permission_rules,
    prompt_revisions,
    prompt_tags,
    prompts,
    schema_revisions,
    schemas,
    tags,
    users,
)

PAGES_AT_ONCE = 200

NOT_OWNED = ("users", "organizations", "llm_providers")
"""Copied as well: the members, the organisation itself, and what the deployment decided about providers."""

LEFT_OUT = {
    "access_tokens": "nobody signs in to a copy",
    "sessions": "nobody signs in to a copy",
    "one_time_links": "nobody signs in to a copy",
    "invitations": "nobody signs in to a copy",
    "deployment_config": "keys of cloud services that no turn uses",
    "blob_trash": "files are shared and stay",
    "jobs": "nobody works on them in a copy",
    "repeats": "nobody sends a request a second time to a copy",
    "extraction_parts": "belong to runs that are under way",
    "credit_entries": "the real ledger is written to; the account's sums are enough",
    "credit_holds": "belong to calls that are under way",
    "threads": "a task begins without a conversation before it",
    "turns": "a task begins without a conversation before it",
    "turn_events": "a task begins without a conversation before it",
    "turn_signals": "a task begins without a conversation before it",
    "calibrations": "how sure a value is decides nothing in a copy",
    "review_policies": "nobody reviews in a copy",
    "sheet_templates": "a copied prompt begins with the columns of its schema",
    "straight_through_policies": "nobody reviews in a copy",
    "accuracy_runs": "the verified documents that a run is about stay outside",
    "accuracy_scores": "the verified documents that a run is about stay outside",
    "learning_switches": "nothing is learnt in a copy, and nothing that was learnt is used",
    "spreads": "corrections spread among the documents of the organisation, not in a copy",
    "sheet_merges": "sheets are merged by people of the organisation, not in a copy",
    "learnt_documents": "nothing is learnt in a copy, and nothing that was learnt is used",
    "learnt_layouts": "nothing is learnt in a copy, and nothing that was learnt is used",
    "projects": "a task is about one document; what else there is to look up stays outside",
    "living_documents": "belong to projects",
    "living_document_revisions": "belong to projects",
    "mcp_servers": "a copy calls nobody outside",
    "mcp_tools": "a copy calls nobody outside",
    "mcp_calls": "a copy calls nobody outside",
    "webhooks": "nobody is notified of what happens in a copy",
    "webhook_deliveries": "nobody is notified of what happens in a copy",
}

Narrow = Callable[[str], sa.ColumnElement[bool]]


def _about(table: sa.Table) -> Narrow:
    return lambda document_id: table.c.document_id == document_id


def _rules(document_id: str) -> sa.ColumnElement[bool]:
    about = permission_rules.c.document_id
    return sa.or_(about.is_(None), about == document_id)


COPIED: tuple[tuple[sa.Table, Narrow | None], ...] = (
    (members, None),
    (tags, None),
    (schemas, None),
    (schema_revisions, None),
    (prompts, None),
    (prompt_revisions, None),
    (prompt_tags, None),
    (forms, None),
    (form_revisions, None),
    (form_tags, None),
    (organization_llm_providers, None),
    (credit_accounts, None),
    (documents, lambda document_id: documents.c.id == document_id),
    (document_tags, _about(document_tags)),
    (document_metadata, _about(document_metadata)),
    (form_submissions, _about(form_submissions)),
    (extraction_results, _about(extraction_results)),
    (permission_rules, _rules),
)
"""Tables of the organisation, each after those it refers to, with the condition that narrows it to the document.

The revisions of results and the pages are copied last, by conditions of their own.
"""


async def copy_organization(
    source: Database, target: Database, organization_id: str, document_id: str, user_id: str
) -> None:
    """Copy the state of one moment. In the copy the user is a member, even if they are none yet. Raises NotFound."""
    async with (
        source.snapshot_org(organization_id) as taken,
        target.write_org(organization_id, long=True) as made,
    ):
        await _copy_surroundings(taken, made, user_id)
        for table, narrow in COPIED:
            statement = sa.select(table)
            await _insert(
                made, table, await _rows(taken, statement.where(narrow(document_id)) if narrow else statement)
            )
        await _join(made, user_id)
        await _copy_revisions(taken, made, document_id)
        await _copy_pages(taken, made, document_id)


async def _join(made: OrgTx, user_id: str) -> None:
    """Make the user a member of the copy: a turn ends when whoever asked is none."""
    present = [row["user_id"] for row in await _rows(made, sa.select(members.c.user_id))]
    if user_id not in present:
        joined = {"user_id": user_id, "role": Role.ADMIN, "position": len(present)}
        await _insert(made, members, [{"organization_id": made.organization_id, **joined}])


async def _copy_surroundings(taken: OrgTx, made: OrgTx, user_id: str) -> None:
    """Copy the rows that the organisation's tables refer to and that belong to no organisation."""
    found = await _rows(taken, sa.select(organizations).where(organizations.c.id == taken.organization_id))
    if not found:
        raise NotFound("Organization not found")
    await _insert(made, organizations, found)
    named = {row["user_id"] for row in await _rows(taken, sa.select(members.c.user_id))} | {user_id}
    people = await _rows(taken, sa.select(users).where(users.c.id.in_(named)))
    await _insert(made, users, [{**row, "password_hash": None} for row in people])
    await _insert(made, llm_providers, await _rows(taken, sa.select(llm_providers)))


async def _copy_revisions(taken: OrgTx, made: OrgTx, document_id: str) -> None:
    statement = (
        sa.select(extraction_revisions)
        .join(extraction_results, extraction_results.c.id == extraction_revisions.c.result_id)
        .where(extraction_results.c.document_id == document_id)
    )
    await _insert(made, extraction_revisions, await _rows(taken, statement))


async def _copy_pages(taken: OrgTx, made: OrgTx, document_id: str) -> None:
    """Copy the pages of the newest reading, a few at a time."""
    newest = sa.and_(
        documents.c.id == document_pages.c.document_id, documents.c.text_run_id == document_pages.c.run_id
    )
    number = 0
    while True:
        found = await _rows(
            taken,
            sa.select(document_pages)
            .join(documents, newest)
            .where(document_pages.c.document_id == document_id, document_pages.c.number > number)
            .order_by(document_pages.c.number)
            .limit(PAGES_AT_ONCE),
        )
        await _insert(made, document_pages, found)
        if len(found) < PAGES_AT_ONCE:
            return
        number = found[-1]["number"]


async def _rows(tx: OrgTx, statement: sa.Select[Any]) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in await tx.rows(statement)]


async def _insert(tx: OrgTx, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        await tx.execute(sa.insert(table), rows)
