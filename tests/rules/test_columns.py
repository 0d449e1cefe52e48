"""A new column of a table cannot be forgotten where rows are written, read, or kept for an undo.

For each table, the functions are listed that write a new row, that read one, and that copy one for an undo. For each of
these three purposes every column must be named in one of the functions, or be listed below with the reason why not.
Copies into another database (`store/copying.py`) take whole rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sqlalchemy as sa

from docagent.store.engine.migrate import migrate_now
from docagent.store.tables import metadata
from tests.rules.sources import SOURCE, nodes
from tests.support.migrated import differences
from tests.support.tables import table

VERSION = "store/extraction/revisions.py:Revisions._add"
NAMING = "store/extraction/revisions.py:Revisions._naming"
LINKS = "store/extraction/revisions.py:Revisions._link"
HEAD = ("store/extraction/revisions.py:Revisions.save", NAMING)
PROPOSABLE_HEAD = (*HEAD, "store/extraction/revisions.py:Revisions._namespace")


@dataclass(frozen=True)
class Places:
    """Functions, or classes whose fields are the columns, as `file:name`."""

    write: tuple[str, ...]
    read: tuple[str, ...]
    undo: tuple[str, ...] = ()


TABLES = {
    "users": Places(("store/accounts/users.py:insert",), ("store/accounts/users.py:_user",)),
    "organizations": Places(
        ("store/accounts/organizations.py:insert",),
        ("store/accounts/organizations.py:_with_members",),
    ),
    "members": Places(
        ("store/accounts/organizations.py:_insert_members",),
        ("store/accounts/organizations.py:_with_members",),
    ),
    "access_tokens": Places(
        ("store/accounts/credentials.py:insert_token",), ("store/accounts/credentials.py:_token",)
    ),
    "sessions": Places(
        ("store/accounts/credentials.py:insert_session",), ("store/accounts/credentials.py:lock_session",)
    ),
    "one_time_links": Places(
        ("store/accounts/credentials.py:insert_link",), ("store/accounts/credentials.py:use_link",)
    ),
    "invitations": Places(
        ("store/accounts/invitations.py:insert",), ("store/accounts/invitations.py:_invitation",)
    ),
    "deployment_config": Places(("store/accounts/config.py:put",), ("store/accounts/config.py:get",)),
    "tags": Places(
        ("store/documents/tags.py:insert", "store/documents/tags.py:_texts"),
        ("store/documents/tags.py:_tag",),
        ("tools/documents/tags.py:_tag_json",),
    ),
    "documents": Places(
        ("store/documents/documents.py:insert", "store/proposals.py:put"),
        ("store/documents/documents.py:document_of", "store/documents/documents.py:proposal_of"),
    ),
    "document_tags": Places(
        ("store/documents/documents.py:_index_tags",), ("store/documents/documents.py:_with_tag",)
    ),
    "document_metadata": Places(
        ("store/documents/documents.py:_index_metadata",), ("store/documents/documents.py:_with_metadata",)
    ),
    "document_pages": Places(
        ("store/documents/pages.py:append",),
        ("store/documents/pages.py:text", "store/documents/pages.py:pages", "store/documents/pages.py:notes"),
    ),
    "schemas": Places(PROPOSABLE_HEAD, ("store/extraction/schemas.py:_schema",)),
    "schema_revisions": Places(
        (VERSION, "services/extraction/schemas.py:SchemaService.create"),
        ("store/extraction/schemas.py:_schema",),
        ("services/extraction/schemas.py:SchemaService.take_back",),
    ),
    "prompts": Places(PROPOSABLE_HEAD, ("store/extraction/prompts.py:prompt_of",)),
    "prompt_revisions": Places(
        (VERSION, "services/extraction/prompts.py:PromptService._checked"),
        ("store/extraction/prompts.py:prompt_of",),
        ("services/extraction/prompts.py:_values",),
    ),
    "prompt_tags": Places((LINKS,), ("store/extraction/prompts.py:_carrying_any",)),
    "forms": Places(HEAD, ("store/extraction/forms.py:_form",)),
    "form_revisions": Places(
        (VERSION, "services/extraction/forms.py:FormService.create"), ("store/extraction/forms.py:_form",)
    ),
    "form_tags": Places((LINKS,), ("store/extraction/revisions.py:Revisions.carrying",)),
    "projects": Places(
        ("store/projects/projects.py:insert", "store/projects/projects.py:_naming"),
        ("store/projects/projects.py:_project",),
    ),
    "living_documents": Places(
        ("store/projects/living_documents.py:LivingDocuments.create", NAMING),
        ("store/projects/living_documents.py:_common",),
    ),
    "living_document_revisions": Places(
        (VERSION, "services/projects/living_documents.py:_Values.columns"),
        ("store/projects/living_documents.py:_common", "store/projects/living_documents.py:_document"),
        ("services/projects/living_documents.py:LivingDocumentService.restore",),
    ),
    "form_submissions": Places(
        ("store/extraction/forms.py:submit",), ("store/extraction/forms.py:_submission",)
    ),
    "blob_trash": Places(
        ("store/documents/documents.py:_discard",), ("store/documents/documents.py:discarded_files",)
    ),
    "jobs": Places(("store/jobs.py:insert",), ("store/jobs.py:_job",)),
    "extraction_results": Places(
        ("store/extraction/results.py:add",),
        (
            "store/extraction/results.py:_result",
            "store/review/review.py:counts",
            "store/review/review.py:waiting",
        ),
    ),
    "calibrations": Places(("store/review/calibrations.py:keep",), ("store/review/calibrations.py:get",)),
    "review_policies": Places(
        ("store/review/review.py:set_policy",),
        ("store/review/review.py:policies", "store/review/review.py:_policy"),
    ),
    "straight_through_policies": Places(
        ("store/review/straight_through.py:put",),
        ("store/review/straight_through.py:get", "store/review/straight_through.py:_policy_of"),
    ),
    "accuracy_runs": Places(("store/review/accuracy.py:insert",), ("store/review/accuracy.py:_run_of",)),
    "accuracy_scores": Places(
        (
            "store/review/accuracy.py:insert",
            "store/review/accuracy.py:Truth",
            "store/review/accuracy.py:add_score",
        ),
        ("store/review/accuracy.py:scores",),
    ),
    "extraction_revisions": Places(
        ("store/extraction/results.py:add",),
        (
            "store/extraction/results.py:_result",
            "store/extraction/results.py:stored_paths",
            "store/extraction/results.py:stored_problems",
        ),
        ("store/extraction/results.py:revision",),
    ),
    "learning_switches": Places(
        ("store/extraction/learning.py:switch",), ("store/extraction/learning.py:switches",)
    ),
    "learnt_documents": Places(
        ("store/extraction/learning.py:keep",), ("store/extraction/learning.py:_lesson",)
    ),
    "learnt_layouts": Places(
        ("store/extraction/learning.py:keep",), ("store/extraction/learning.py:_alike",)
    ),
    "extraction_parts": Places(("store/extraction/parts.py:insert",), ("store/extraction/parts.py:get",)),
    "llm_providers": Places(
        ("domain/models/providers.py:ProviderSettings", "store/models/providers.py:save_for_deployment"),
        ("store/models/providers.py:_settings",),
    ),
    "organization_llm_providers": Places(
        ("domain/models/providers.py:ProviderSettings", "store/models/providers.py:save_for_organization"),
        ("store/models/providers.py:_settings",),
    ),
    "credit_accounts": Places(
        ("store/models/credits.py:_open_account",), ("store/models/credits.py:_account",)
    ),
    "credit_entries": Places(
        ("store/models/credits.py:_line",),
        ("store/models/credits.py:", "store/models/credits.py:by_day", "store/models/credits.py:broken_down"),
    ),
    "credit_holds": Places(("store/models/credits.py:hold",), ("store/models/credits.py:held",)),
    "threads": Places(("store/turns/threads.py:create",), ("store/turns/threads.py:_thread",)),
    "turns": Places(("store/turns/turns.py:insert",), ("store/turns/turns.py:_turn",)),
    "turn_events": Places(("store/turns/turns.py:add_events",), ("store/turns/turns.py:events_of",)),
    "turn_signals": Places(("store/turns/turns.py:add_signal",), ("store/turns/turns.py:peek_signals",)),
    "permission_rules": Places(
        ("store/turns/permission_rules.py:insert",), ("store/turns/permission_rules.py:_rule",)
    ),
    "mcp_servers": Places(("store/models/mcp_servers.py:insert",), ("store/models/mcp_servers.py:_server",)),
    "mcp_tools": Places(("store/models/mcp_servers.py:add_tool",), ("store/models/mcp_servers.py:_tool",)),
    "mcp_calls": Places(
        ("store/models/mcp_servers.py:begin_call",), ("store/models/mcp_servers.py:begin_call",)
    ),
    "webhooks": Places(("store/webhooks.py:insert",), ("store/webhooks.py:_webhook",)),
    "webhook_deliveries": Places(("store/webhooks.py:add_delivery",), ("store/webhooks.py:_delivery",)),
}

BY_THE_TRANSACTION = "added by the transaction, which also holds every reading to it"
NOT_YET = "empty until something happens to the row"
FOR_SEARCH = "another form of a column, for searching and sorting"
OF_LIVE_ROWS = "set when the row is deleted; deleted rows are not read"
OF_A_NEW_ROW = "a change that is taken back is a new row with values of its own here"
BY_CONDITION = "given by whoever asks: the rows are found by it"
FOR_WORKERS = "for whoever runs it, by statements of their own"
FOR_PEOPLE = "for people who look into the database"

NOT_WRITTEN = {
    "users.password_changed_at": NOT_YET,
    "organizations.loop_strategy": NOT_YET,
    "sessions.previous_hash": NOT_YET,
    "sessions.previous_until": NOT_YET,
    "documents.page_count": NOT_YET,
    "documents.sealed_password": NOT_YET,
    "documents.state_reason": NOT_YET,
    "documents.state_reason_code": NOT_YET,
    "documents.text_date": NOT_YET,
    "documents.text_run_id": NOT_YET,
    "documents.text_version": NOT_YET,
    "jobs.error": NOT_YET,
    "jobs.finished_at": NOT_YET,
    "jobs.lease_owner": NOT_YET,
    "jobs.lease_until": NOT_YET,
    "extraction_results.reviewer_id": NOT_YET,
    "extraction_results.reviewing_until": NOT_YET,
    "mcp_tools.confirmed_at": NOT_YET,
    "mcp_tools.confirmed_by": NOT_YET,
    "mcp_tools.confirmed_digest": NOT_YET,
    "turns.deserted_at": NOT_YET,
    "turns.stop_requested_by": NOT_YET,
    "turns.transcript": NOT_YET,
    "turns.waits_until": NOT_YET,
    "webhook_deliveries.error": NOT_YET,
    "webhook_deliveries.milliseconds": NOT_YET,
    "webhook_deliveries.status": NOT_YET,
    "webhook_deliveries.tried_at": NOT_YET,
}
NOT_READ = {
    "users.password_changed_at": "read by earlier versions, which may run beside this one during an upgrade",
    "organizations.loop_strategy": "read by itself, when a turn begins",
    "access_tokens.token_hash": BY_CONDITION,
    "invitations.token_hash": BY_CONDITION,
    "sessions.created_at": FOR_PEOPLE,
    "sessions.last_used_at": FOR_PEOPLE,
    "deployment_config.updated_at": FOR_PEOPLE,
    "documents.state_updated_at": FOR_PEOPLE,
    "documents.uploaded_by_id": "read by itself, when the document is set up on upload",
    "document_pages.document_id": BY_CONDITION,
    "document_pages.run_id": BY_CONDITION,
    "form_submissions.document_id": BY_CONDITION,
    "blob_trash.discarded_at": FOR_PEOPLE,
    "jobs.lease_until": FOR_WORKERS,
    "extraction_revisions.created_by": "shown in the list of revisions",
    "extraction_revisions.number": "stands in the head as its newest revision",
    "extraction_revisions.result_id": "the id of the head",
    "extraction_parts.created_at": "for the clean-up",
    "learnt_documents.prompt_id": BY_CONDITION,
    "accuracy_scores.credits": "summed in the run",
    "accuracy_scores.milliseconds": "summed in the run",
    "llm_providers.updated_at": FOR_PEOPLE,
    "organization_llm_providers.updated_at": FOR_PEOPLE,
    **{
        f"{head}.latest_revid": "what finds the newest revision"
        for head in ("schemas", "prompts", "forms", "living_documents")
    },
    **{f"{head}.proposal_id": BY_CONDITION for head in ("schemas", "prompts")},
    **{
        f"credit_entries.{column}": "for the books: only sums are read"
        for column in ("created_at", "from_granted", "from_paid", "from_purchased", "kind", "provider")
    },
    "mcp_calls.begun_at": FOR_PEOPLE,
    "mcp_calls.turn_id": "what takes the row away with its turn",
    "threads.next_position": "counted up by the statement that begins a turn",
    **{
        f"turns.{column}": FOR_WORKERS
        for column in ("credential_id", "lease_owner", "lease_until", "signals", "stop_requested_by")
    },
    "turns.transcript": "read by itself, for the history of a thread",
    "turns.transcript_tokens": "read by itself, for the history of a thread",
    "turn_signals.created_at": FOR_PEOPLE,
}
NOT_KEPT_FOR_UNDO = {
    **{
        f"{revisions}.{column}": OF_A_NEW_ROW
        for revisions in ("schema_revisions", "prompt_revisions", "living_document_revisions")
        for column in ("id", "head_id", "version", "created_at", "created_by")
    },
    "extraction_revisions.number": OF_A_NEW_ROW,
    "extraction_revisions.result_id": "the head stays the same",
    "living_document_revisions.author": OF_A_NEW_ROW,
    "living_document_revisions.turn_id": OF_A_NEW_ROW,
    "extraction_revisions.created_at": OF_A_NEW_ROW,
}


@cache
def inside(place: str) -> list[ast.AST]:
    file, _, function = place.partition(":")
    return [node for around, node in nodes(SOURCE / file) if around == function]


def given(place: str) -> Iterator[str]:
    """Yield the names to which a function gives values: arguments, keys and fields."""
    for node in inside(place):
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Dict):
            yield from (str(key.value) for key in node.keys if isinstance(key, ast.Constant))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def taken(place: str) -> Iterator[str]:
    """Yield the names that a function takes from a row or a statement."""
    for node in inside(place):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "getattr":
            yield from (
                a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
            )


def kept(place: str) -> Iterator[str]:
    """Yield the names to which a function gives values, and those that it takes from `former`."""
    yield from given(place)
    for node in inside(place):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "former":
            yield node.attr


def general_reason(column: sa.Column[object], aspect: str) -> str | None:
    """Return why a column of this name need not be named anywhere; None if it must be."""
    if column.name == "organization_id":
        return BY_THE_TRANSACTION
    if column.name == "deleted_at":
        return OF_LIVE_ROWS
    if aspect != "write" and column.name.endswith(("_folded", "_key")) and column.name != "sealed_key":
        return FOR_SEARCH
    return None


ASPECTS = {
    "write": (given, NOT_WRITTEN, "is not written when a row is made"),
    "read": (taken, NOT_READ, "is not read with the row"),
    "undo": (kept, NOT_KEPT_FOR_UNDO, "is lost when a change is taken back"),
}


def forgotten(table: sa.Table, aspect: str) -> Iterator[str]:
    """Yield the columns that no function names and no general reason excuses, as `table.column`."""
    names_in = ASPECTS[aspect][0]
    places: tuple[str, ...] = getattr(TABLES[table.name], aspect)
    if not places:
        return
    named = {name for place in places for name in names_in(place)}
    for column in table.c:
        if column.name not in named and general_reason(column, aspect) is None:
            yield f"{table.name}.{column.name}"


def test_every_table_is_here_and_every_place_exists() -> None:
    assert set(TABLES) == set(metadata.tables)
    places = {place for table in TABLES.values() for place in (*table.write, *table.read, *table.undo)}
    assert [place for place in sorted(places) if not inside(place)] == []


@table("aspect", ASPECTS)
def test_no_column_is_forgotten(aspect: str) -> None:
    _, excused, what = ASPECTS[aspect]
    found = {column for table in metadata.tables.values() for column in forgotten(table, aspect)}
    missing = [
        f"{column} {what}: name it in {' or '.join(getattr(TABLES[column.partition('.')[0]], aspect))}"
        for column in sorted(found - set(excused))
    ]
    assert missing == [], "or say here why not"
    left_over = set(excused) - found
    assert left_over == set(), "these are named after all"


@table("aspect", ASPECTS)
@table("name", [name for name, places in TABLES.items() if places.undo])
def test_a_new_column_would_be_noticed(name: str, aspect: str) -> None:
    grown = sa.Table(name, sa.MetaData(), sa.Column("brand_new", sa.Text))
    assert list(forgotten(grown, aspect)) == [f"{name}.brand_new"]


def test_every_change_of_a_table_comes_with_a_migration(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'migrated.db'}"
    migrate_now(url)
    assert differences(url) == [], "write a migration: a file in store/migrations/versions"
