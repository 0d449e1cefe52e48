"""Somebody's conversation about a document, with the tools as the loop calls them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from docagent.adapters.llm.scripted import Answer, ScriptedModel
from docagent.agent.ports import Toolset
from docagent.domain.models.llm import ModelRequest
from docagent.domain.turns.tools import Access, CallContext, Described, Outcome, Scope
from docagent.domain.turns.turns import Subject, WorkingState
from docagent.services.documents.documents import NewDocument
from docagent.tools.base import ToolServices
from docagent.tools.registry import all_tools, program_tools, project_tools
from docagent.tools.toolset import own_toolsets
from tests.support.made.documents import base64_of, pdf
from tests.support.product import Product, Tenant

INVOICE = ["ACME GmbH", "Invoice number: INV-2041", "Date: 14 March 2026", "Total 1,617.30"]
WRITES = {tool.name for tool in all_tools() if tool.access is Access.READ_WRITE}
PROJECT_WRITES = {tool.name for tool in project_tools() if tool.access is Access.READ_WRITE}
PROGRAM_WRITES = {tool.name for tool in program_tools()}


@dataclass
class Stage:
    """A product whose models, but for the built-in one, say what a test tells them to say."""

    product: Product
    model: ScriptedModel
    answer: Callable[[ModelRequest], Answer]


def tool_services(product: Product) -> ToolServices:
    services = product.services
    return ToolServices(
        documents=services.documents,
        text=services.text,
        extraction=services.extraction,
        results=services.results,
        schemas=services.schemas,
        prompts=services.prompts,
        tags=services.tags,
        models=services.models,
        projects=services.projects,
        living_documents=services.living_documents,
        evidence=services.evidence,
        accuracy_trials=services.accuracy_trials,
        forms=services.forms,
    )


@dataclass
class Desk:
    """Calls tools one after the other and keeps working state, as a turn does."""

    product: Product
    tenant: Tenant
    document_id: str | None
    state: WorkingState = field(default_factory=WorkingState)
    calls: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    progress: list[tuple[int, int, str]] = field(default_factory=list)
    project_id: str | None = None
    """A conversation about a project instead."""

    @property
    def toolset(self) -> Toolset:
        return own_toolsets(tool_services(self.product))(self.scope)

    @property
    def scope(self) -> Scope:
        return Scope(self.tenant.member, "turn", Subject.of(self.document_id, self.project_id))

    def context(self, call_id: str | None = None) -> CallContext:
        return CallContext(self.scope, call_id or f"call_{self.calls}", self.state)

    async def describe(self, name: str, /, **arguments: Any) -> Described:
        toolset = self.toolset
        return await toolset.describe(self.context(), name, toolset.check(name, json.dumps(arguments)))

    async def preview(self, name: str, /, **arguments: Any) -> Any:
        return (await self.describe(name, **arguments)).preview

    async def basis(self, name: str, /, **arguments: Any) -> str | None:
        return (await self.describe(name, **arguments)).basis

    async def call(self, name: str, /, **arguments: Any) -> Any:
        """Run a call as the loop does: a write in the transaction of a journal entry."""
        self.calls += 1
        toolset, context = self.toolset, self.context()
        checked = toolset.check(name, json.dumps(arguments))
        if name in WRITES | PROJECT_WRITES | PROGRAM_WRITES:
            prepared = await toolset.prepare(context, name, checked, self._tell)
            async with self.product.services.db.write_org(self.tenant.organization_id) as tx:
                with tx.joined():
                    outcome = await toolset.run(context, name, checked, prepared)
        else:
            outcome = await toolset.run(context, name, checked, None)
        # What is kept of a call is JSON.
        json.dumps([outcome.content, outcome.undo, outcome.state])
        self.outcomes.append(outcome)
        self.state = self.state.changed(outcome.state)
        return outcome.content

    async def undo(self, name: str, outcome: Outcome | None = None) -> str:
        """Take back a call; the last one when none is given."""
        undo = (outcome or self.outcomes[-1]).undo
        assert undo is not None
        async with self.product.services.db.write_org(self.tenant.organization_id) as tx:
            with tx.joined():
                return await self.toolset.undo(self.context(), name, json.loads(json.dumps(undo)))

    async def _tell(self, done: int, total: int, message: str) -> None:
        self.progress.append((done, total, message))


async def upload(
    product: Product,
    tenant: Tenant,
    content: bytes,
    name: str = "invoice.pdf",
    *,
    read: bool = True,
    **more: Any,
) -> str:
    new = NewDocument(name, base64_of(content), **more)
    (uploaded,) = await product.services.documents.upload(tenant.member, [new])
    if read:
        await product.read_document(tenant, uploaded.document.id)
    return uploaded.document.id


async def open_desk(stage: Stage, *pages: list[str], **more: Any) -> Desk:
    """A new organisation with a document that was read."""
    tenant = await stage.product.new_tenant()
    document_id = await upload(stage.product, tenant, pdf(*(pages or (INVOICE,))), **more)
    return Desk(stage.product, tenant, document_id)


def schema_of(properties: dict[str, Any], name: str = "made") -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": True}}


NUMBER: dict[str, Any] = {"type": ["string", "null"], "description": "Number of the invoice"}
TOTAL: dict[str, Any] = {"type": ["number", "null"], "description": "Amount to pay"}
INVOICE_FORMAT = schema_of({"number": NUMBER, "total": TOTAL})
