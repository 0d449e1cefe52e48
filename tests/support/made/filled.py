"""An organisation with so many of everything, written straight into the tables, to ask lists and exports about."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.extraction.runs import Plan, Selection
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns.events import (
    ApprovalRequested,
    AssistantMessage,
    Completed,
    Event,
    Grant,
    GrantKind,
    RequestedCall,
    StepStarted,
    ToolFinished,
    ToolStarted,
    TurnStarted,
    UserMessage,
    payload,
)
from docagent.store import tables
from docagent.store.engine.database import Database
from docagent.store.tables import metadata
from tests.support.product import Product, Tenant

Row = dict[str, Any]

DATA = {"invoice_number": "7", "total": 3.5, "lines": [{"item": "Ink"}]}
SCHEMA = {
    "type": "object",
    "properties": {
        "invoice_number": {"type": "string"},
        "total": {"type": "number"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"item": {"type": "string"}},
                "required": ["item"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["invoice_number", "total", "lines"],
    "additionalProperties": False,
}
RUN: Row = {
    "prompt": "Read it",
    "model": "scripted",
    "requested_model": None,
    "repairs": 0,
    "match_values": None,
    "match_document_ids": None,
    "report": {},
}
CALL = ToolCall("call", "create_tag", '{"name": "Urgent"}')
OPENING: tuple[Event, ...] = (
    TurnStarted("scripted", "tools", 10),
    UserMessage("Tag it"),
    StepStarted(1),
    AssistantMessage(1, (CALL,), "scripted"),
)
DONE: tuple[Event, ...] = (
    *OPENING,
    ToolStarted("call", "create_tag", CALL.arguments, Grant(GrantKind.READ_ONLY)),
    ToolFinished("call", "create_tag", "{}", summary="Tagged"),
    Completed("Done.", 1),
)
WAITING: tuple[Event, ...] = (
    *OPENING,
    ApprovalRequested((RequestedCall("call", "create_tag", CALL.arguments, "Tag it"),)),
)


@dataclass
class Filled:
    """The ids of what is there. The first of each kind has as many parts as there are things."""

    tenant: Tenant
    size: int
    ids: dict[str, str] = field(default_factory=dict)


async def fill(product: Product, tenant: Tenant, size: int) -> Filled:
    """Give the organisation `size` of everything that a list shows."""
    filling = Filling(product.services.db, tenant, size)
    await filling.artefacts()
    await filling.documents_and_results()
    await filling.projects()
    await filling.conversations()
    await filling.settings()
    return Filled(tenant, size, filling.ids)


async def add_results(product: Product, filled: Filled, count: int) -> None:
    """Give the first prompt results of so many more documents."""
    filling = Filling(product.services.db, filled.tenant, filled.size)
    prompt = {"id": filled.ids["prompt"], "latest_revid": filled.ids["prompt_revid"], "version": filled.size}
    await filling.results_of(prompt, count)


class Filling:
    """Writes so many of everything; of documents, so many groups, each of `in_group`."""

    def __init__(self, db: Database, tenant: Tenant, size: int, in_group: int | None = None) -> None:
        self._db = db
        self._tenant = tenant
        self._size = size
        self._in_group = in_group or size
        self.ids: dict[str, str] = {}
        self._prompts: list[Row] = []
        self._documents: list[str] = []

    async def artefacts(self) -> None:
        tags = await self._many(tables.tags, lambda n: {"name": f"tag {n}", "name_folded": f"tag {n}"})
        self.ids["tag"] = tags[0]["id"]
        asked = {"json_schema": {"name": "made", "schema": SCHEMA, "strict": True}, "type": "json_schema"}
        schemas = await self._versioned(
            tables.schemas, tables.schema_revisions, "schema", {"response_format": asked}
        )
        of_schema = {"schema_id": schemas[0]["id"], "schema_version": 1, "content": "Read it"}
        lists: dict[str, list[str]] = {"tag_ids": [], "peer_match_keys": []}
        self._prompts = await self._versioned(
            tables.prompts, tables.prompt_revisions, "prompt", {**of_schema, **lists}
        )
        await self._versioned(
            tables.forms, tables.form_revisions, "form", {"response_format": {}, "tag_ids": []}
        )
        await self._many(
            tables.review_policies,
            lambda n: {"prompt_id": self._prompts[n]["id"], "mode": "everything", "threshold": 0.5},
        )

    async def documents_and_results(self) -> None:
        """As many groups of proposals, of as many documents each; one document has a result of every prompt."""
        heads, revisions, documents = [], [], []
        for group in range(self._size):
            prompt = self._prompts[group]
            proposed = {
                "auto_create_status": "proposed",
                "auto_create_proposal_id": prompt["id"],
                "auto_create_prompt_revid": prompt["latest_revid"],
            }
            for number in range(self._in_group):
                document = self._document(f"{group}-{number}", **proposed)
                documents.append(document)
                head, revision = self._result(document["id"], prompt)
                heads.append(head)
                revisions.append(revision)
        first = documents[0]["id"]
        for prompt in self._prompts[1:]:
            head, revision = self._result(first, prompt)
            heads.append(head)
            revisions.append(revision)
        versions = [{**revisions[0], "number": number} for number in range(2, self._size + 1)]
        heads[0]["revision"] = self._size
        await self._insert(tables.documents, documents)
        await self._insert(tables.extraction_results, heads)
        await self._insert(tables.extraction_revisions, revisions + versions)
        self._documents = [document["id"] for document in documents]
        self.ids["document"] = first
        jobs = await self._many(
            tables.jobs, lambda _: {"kind": "read_text", "subject_id": first, "state": "done", "attempts": 1}
        )
        prompt = self._prompts[0]
        plan = Plan(prompt["latest_revid"], self._tenant.user_id, Selection(), first).as_json()
        of_prompt = {"kind": "run_prompt", "subject_id": prompt["id"], "state": "done", "arguments": plan}
        runs = await self._many(tables.jobs, lambda _: of_prompt)
        self.ids |= {"job": jobs[0]["id"], "run": runs[0]["id"]}
        await self._many(
            tables.learnt_documents,
            lambda n: {
                "document_id": self._documents[n],
                "prompt_id": self._prompts[0]["id"],
                "signature": [],
                "memories": [],
                "record": {},
            },
        )

    async def waiting_jobs(self) -> None:
        began = now() - timedelta(hours=1)
        await self._many(
            tables.jobs,
            lambda n: {
                "kind": "read_text",
                "state": "queued",
                "max_attempts": 3,
                "run_at": began + timedelta(milliseconds=n),
            },
        )

    async def results_of(self, prompt: Row, count: int) -> None:
        documents = [self._document(f"more {number}") for number in range(count)]
        results = [self._result(document["id"], prompt) for document in documents]
        await self._insert(tables.documents, documents)
        await self._insert(tables.extraction_results, [head for head, _ in results])
        await self._insert(tables.extraction_revisions, [revision for _, revision in results])

    async def projects(self) -> None:
        named = ("name", "name_key", "name_folded")
        projects = await self._many(tables.projects, lambda n: dict.fromkeys(named, f"project {n}"))
        self.ids["project"] = projects[0]["id"]
        cites = f'[7](doc:{self.ids["document"]}/{self._prompts[0]["id"]}/invoice_number "7")'
        texts = await self._versioned(
            tables.living_documents,
            tables.living_document_revisions,
            "text",
            {"content": "# Made\n\n" + f"See {cites}.\n" * self._size, "author": "user"},
            project_id=projects[0]["id"],
        )
        self.ids["living_document"] = texts[0]["id"]
        gone = {"deleted_at": now()}
        await self._many(tables.projects, lambda n: dict.fromkeys(named, f"gone {n}") | gone)
        await self._versioned(
            tables.living_documents,
            tables.living_document_revisions,
            "gone text",
            {"content": "", "author": "user"},
            project_id=projects[0]["id"],
            deleted_at=now(),
        )

    async def conversations(self) -> None:
        for subject in ("document", "project"):
            about = {f"{subject}_id": self.ids[subject], "user_id": self._tenant.user_id}
            threads = await self._many(
                tables.threads, lambda n, about=about: {**about, "title": f"Thread {n}"}
            )
            self.ids[f"{subject}_thread"] = threads[0]["id"]
            await self._turns(DONE, "completed", thread_id=threads[0]["id"], **about)
            waits = {"document_id": self.ids["document"], "user_id": self._tenant.user_id}
        await self._turns(WAITING, "awaiting_approval", **waits)

    async def settings(self) -> None:
        user = {"user_id": self._tenant.user_id}
        await self._many(
            tables.access_tokens, lambda n: {**user, "name": f"org {n}", "token_hash": new_id() * 2}
        )
        await self._many(
            tables.access_tokens,
            lambda n: {**user, "name": f"own {n}", "organization_id": None, "token_hash": new_id() * 2},
        )
        await self._many(tables.permission_rules, lambda n: {**user, "tool": f"tool_{n}", "effect": "allow"})
        servers = await self._many(
            tables.mcp_servers, lambda n: {"name": f"server{n}", "url": "http://x.test", "header_names": []}
        )
        hooks = await self._many(
            tables.webhooks, lambda n: {"url": f"http://{n}.test", "events": [], "sealed_secret": ""}
        )
        self.ids |= {"webhook": hooks[0]["id"], "server": servers[0]["id"]}
        sent = await self._many(
            tables.webhook_deliveries,
            lambda _: {
                "webhook_id": hooks[0]["id"],
                "event": "document.uploaded",
                "state": "delivered",
                "body": "{}",
            },
        )
        self.ids["delivery"] = sent[0]["id"]
        day = now().date().isoformat()
        await self._many(
            tables.credit_entries, lambda n: {**user, "kind": "charge", "operation": f"read {n}", "day": day}
        )
        of_prompt = {"prompt_id": self._prompts[0]["id"], "prompt_revid": self._prompts[0]["latest_revid"]}
        runs = await self._many(
            tables.accuracy_runs,
            lambda _: {**of_prompt, "prompt_name": "p", "model": "m", "state": "done", "prompt_version": 1},
        )
        self.ids["accuracy_run"] = runs[0]["id"]
        await self._members()

    async def _members(self) -> None:
        users = [
            {**blank(tables.users), "id": new_id(), "email": f"{new_id()}@example.com", "role": "user"}
            for _ in range(self._size)
        ]
        for user in users:
            user["email_folded"] = user["email"]
        async with self._db.write() as tx:
            await tx.execute(sa.insert(tables.users), users)
            invitations = [
                {
                    **blank(tables.invitations),
                    "id": new_id(),
                    "organization_id": organization_id,
                    "email": user["email"],
                    "email_folded": user["email"],
                    "user_id": self._tenant.user_id if organization_id is None else None,
                    "role": "user",
                    "token_hash": new_id() * 2,
                    "created_by": self._tenant.user_id,
                    "expires_at": now() + timedelta(days=1),
                }
                for user in users
                for organization_id in (self._tenant.organization_id,)
            ]
            await tx.execute(sa.insert(tables.invitations), invitations)
        await self._insert(
            tables.members,
            [
                {"user_id": user["id"], "role": "user", "position": place}
                for place, user in enumerate(users, 1)
            ],
        )

    async def _turns(self, events: tuple[Event, ...], state: str, **values: Any) -> None:
        turns = await self._many(
            tables.turns,
            lambda n: {
                **values,
                "position": n,
                "state": state,
                "model": "scripted",
                "strategy": "tools",
                "last_seq": len(events),
                "waits_until": now() + timedelta(days=1),
            },
        )
        self.ids[f"{state}_turn"] = turns[0]["id"]
        await self._insert(
            tables.turn_events,
            [
                {"turn_id": turn["id"], "seq": seq, "type": event.type.value, "payload": payload(event)}
                for turn in turns
                for seq, event in enumerate(events, 1)
            ],
        )

    async def _versioned(
        self, heads: sa.Table, revisions: sa.Table, noun: str, content: Row, **of_head: Any
    ) -> list[Row]:
        """Things in versions, of which the first has as many as there are things."""
        made, written = [], []
        for number in range(self._size):
            versions = self._size if number == 0 else 1
            name = f"{noun} {number}"
            names = {"name": name, "name_key": name, "name_folded": name}
            head = {"id": new_id(), "version": versions, "latest_revid": new_id(), **names, **of_head}
            made.append(head)
            for version in range(1, versions + 1):
                revid = head["latest_revid"] if version == versions else new_id()
                written.append({"id": revid, "head_id": head["id"], "version": version, **content})
        await self._insert(heads, made)
        await self._insert(revisions, written)
        self.ids[noun], self.ids[f"{noun}_revid"] = made[0]["id"], made[0]["latest_revid"]
        return made

    def _document(self, name: str, **values: Any) -> Row:
        return {
            "id": new_id(),
            "name": f"{name}.pdf",
            "name_folded": f"{name}.pdf",
            "state": "llm_completed",
            "uploaded_by_id": self._tenant.user_id,
            "tag_ids": [],
            "page_count": 1,
            **values,
        }

    def _result(self, document_id: str, prompt: Row) -> tuple[Row, Row]:
        head = {
            "id": new_id(),
            "document_id": document_id,
            "prompt_id": prompt["id"],
            "prompt_revid": prompt["latest_revid"],
            "prompt_version": prompt["version"],
            "revision": 1,
        }
        revision = {
            "result_id": head["id"],
            "number": 1,
            "origin": "model",
            "model_data": DATA,
            "data": DATA,
            "verified_paths": [],
            "problems": [],
            "grounding": {},
            "run": RUN,
        }
        return head, revision

    async def _many(self, table: sa.Table, made: Any) -> list[Row]:
        rows = [made(number) for number in range(self._size)]
        if "id" in table.c:
            rows = [{"id": new_id(), **row} for row in rows]
        await self._insert(table, rows)
        return rows

    async def _insert(self, table: sa.Table, rows: list[Row]) -> None:
        usual = blank(table)
        if "organization_id" in table.c:
            usual["organization_id"] = self._tenant.organization_id
        async with self._db.write() as tx:
            await tx.across(sa.insert(table), [{**usual, **row} for row in rows])


def blank(table: sa.Table) -> Row:
    """A value for every column that must have one."""
    plain: dict[type[Any], Any] = {str: "", int: 0, float: 0.0, bool: False, object: now(), bytes: b""}
    assert table.name in metadata.tables
    return {
        column.name: {} if isinstance(column.type, sa.JSON) else plain[column.type.python_type]
        for column in table.c
        if not column.nullable and column.server_default is None
    }
