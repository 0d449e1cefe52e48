"""Many documents that were read, without reading each of them, and a prompt with a model that says what is wanted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.scripted import Answer, ScriptedModel
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import Notice
from docagent.domain.ids import new_id
from docagent.domain.models.llm import DocumentPart, Model, ModelRequest
from docagent.domain.models.providers import Connection, WireKind
from docagent.store.tables import document_pages, documents
from docagent.store.tables import jobs as job_rows
from tests.conftest import make_settings, running_product
from tests.support.made.documents import base64_of
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

TEXT = b"Invoice number: INV-7\nSupplier: Acme\nTotal 90.00\nThanks"


@dataclass
class Stage:
    """A product whose models, but for the built-in one, say what a test tells them to say."""

    product: Product
    model: ScriptedModel
    answer: Callable[[ModelRequest], Answer]
    notices: list[Notice] = field(default_factory=list)

    async def hear(self, notice: Notice) -> None:
        self.notices.append(notice)


@asynccontextmanager
async def running_stage(data: Path, url: str | None) -> AsyncIterator[Stage]:
    built_in = BuiltinModel()
    scripted = ScriptedModel(lambda asked: stage.answer(asked))

    def open_model(connection: Connection) -> Model:
        return built_in if connection.kind is WireKind.BUILT_IN else scripted

    async with running_product(
        make_settings(data, url), {"OPENAI_API_KEY": "sk-test"}, open_model
    ) as product:
        stage = Stage(product, scripted, lambda asked: "{}")
        product.services.bus.subscribe(stage.hear)
        yield stage


async def make_prompt(api: OrgApi, properties: dict[str, Any], model: str = "gpt-4o-mini") -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
    saved = await api.post("/schemas", {"name": f"Schema {new_id()}", "response_format": form})
    made: dict[str, Any] = await api.post(
        "/prompts",
        {
            "name": f"Invoices {new_id()}",
            "content": "Read it",
            "schema_id": saved["schema_id"],
            "model": model,
            "include": {"pdf": False},
        },
    )
    return made


async def read_documents(product: Product, tenant: Tenant, api: OrgApi, count: int) -> list[str]:
    """Documents with the same text: one is read, the others are copies of its rows."""
    body = {"documents": [{"name": "pile-00.txt", "content": base64_of(TEXT)}]}
    first: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    await product.read_document(tenant, first)
    async with product.services.db.write_org(tenant.organization_id) as tx:
        (row,) = await tx.rows(sa.select(documents).where(documents.c.id == first))
        pages = await tx.rows(sa.select(document_pages).where(document_pages.c.document_id == first))
        ids = [first]
        for number in range(1, count):
            name = f"pile-{number:02}.txt"
            ids.append(new_id())
            values = {**row._mapping, "id": ids[-1], "name": name, "name_folded": name}
            await tx.execute(sa.insert(documents).values(**values))
            for page in pages:
                await tx.execute(
                    sa.insert(document_pages).values(**{**page._mapping, "document_id": ids[-1]})
                )
    return ids


def documents_asked(requests: Sequence[ModelRequest]) -> list[str]:
    """The names of the documents that a model was asked about, in the order of the calls. Examples come before them."""
    return [
        [part.name for part in request.messages[0].parts if isinstance(part, DocumentPart)][-1]
        for request in requests
    ]


async def without_credits(stage: Stage, tenant: Tenant, api: OrgApi, but: int = 0, used: int = 0) -> OrgApi:
    """Leave the organisation so many credits, and return its API for a system administrator.

    `used` are those that it has used so far, of the hundred that every organisation is given.
    """
    root = OrgApi(stage.product.client, tenant.organization_id, await stage.product.admin_headers())
    await root.put("/payments/limits", {"enforced": True})
    await api.post("/payments/usage", {"spus": 100 - but - used, "operation": "x"})
    return root


async def taken_up(stage: Stage, tenant: Tenant, job_id: str) -> None:
    """Let a worker have the job now, instead of when its pause or its lease is over."""
    async with stage.product.services.db.write_org(tenant.organization_id) as tx:
        await tx.execute(
            sa.update(job_rows).where(job_rows.c.id == job_id).values(run_at=now(), lease_until=now())
        )
    stage.product.services.jobs.wake()
