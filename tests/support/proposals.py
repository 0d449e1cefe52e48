"""Uploads that the agent prepares by itself, and what a model says that prepares one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from docagent.domain.models.llm import ModelReply
from docagent.store.engine.database import Database
from docagent.store.tables import extraction_results, prompts, schemas
from tests.support.agent import Desk, Json, call, calls
from tests.support.made.documents import base64_of, pdf
from tests.support.models.provider import Answer
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS

ORDER = (
    "PURCHASE ORDER",
    "Order number: PO-2291",
    "Order date: 2026-03-14",
    "Supplier: Northwind Traders",
    "Delivery date: 2026-04-02",
    "Currency: EUR",
    "Total: 1250.00",
)
ANOTHER_ORDER = (
    "PURCHASE ORDER",
    "Order number: PO-3302",
    "Order date: 2026-05-20",
    "Supplier: Contoso Mills",
    "Delivery date: 2026-06-11",
    "Currency: EUR",
    "Total: 87.30",
)
PERMIT = (
    "PARKING PERMIT",
    "Permit holder: Jo Winter",
    "Licence plate: B-XY 1234",
    "Zone: 7",
    "Valid until: 2027-01-31",
)

BUILT_IN = "docagent-offline"
NOTHING = {"schemas": 0, "prompts": 0, "extraction_results": 0}
ONE_OF_EACH = {"schemas": 1, "prompts": 1, "extraction_results": 1}

FORMAT = {
    "type": "json_schema",
    "json_schema": {
        "name": "order",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"order_number": {"type": "string"}, "total": {"type": "number"}},
            "required": ["order_number", "total"],
            "additionalProperties": False,
        },
    },
}
VALUES = '{"order_number": "PO-2291", "total": 1250.0}'
"""What a model reads from the order with that schema."""


async def upload(api: OrgApi, lines: Sequence[str] = ORDER, **more: Any) -> str:
    """Upload a document that is to be prepared, and return its id."""
    document = {"name": "order.pdf", "content": base64_of(pdf(lines)), "auto_create": True, **more}
    uploaded = await api.post("/documents", {"documents": [document]})
    document_id: str = uploaded["documents"][0]["document_id"]
    return document_id


async def settled(api: OrgApi, document_id: str) -> Json:
    """The document, once its preparation has ended."""
    async with asyncio.timeout(SECONDS):
        while True:
            document: Json = await api.get(f"/documents/{document_id}", include_content=False)
            if document["auto_create_status"] not in (None, "running"):
                return document
            await asyncio.sleep(0.05)


async def proposed(api: OrgApi, lines: Sequence[str] = ORDER, **more: Any) -> Json:
    """Upload a document and return its proposal, which waits for a verdict."""
    document_id = await upload(api, lines, **more)
    document = await settled(api, document_id)
    assert document["auto_create_status"] == "proposed", document["auto_create_error"]
    return await proposal(api, document_id)


async def proposal(api: OrgApi, document_id: str) -> Json:
    found: Json = await api.get(f"/documents/{document_id}/auto_create")
    return found


async def verdict(api: OrgApi, document_id: str, what: str, **body: Any) -> Json:
    """Accept, reject, restore or retry."""
    found: Json = await api.post(f"/documents/{document_id}/auto_create/{what}", body)
    return found


async def extracted(api: OrgApi, document_id: str, prompt_revid: str) -> Json:
    """The result of exactly this version of a prompt, once it is there."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await api.call("GET", f"/llm/result/{document_id}", params={"prompt_revid": prompt_revid})
            if found.status_code == 200:
                result: Json = found.json()
                return result
            await asyncio.sleep(0.05)


async def names(api: OrgApi, noun: str) -> list[str]:
    """The names of all schemas or prompts that people see."""
    return sorted(item["name"] for item in (await api.get(f"/{noun}", limit=100))[noun])


async def left_over(db: Database, organization_id: str) -> dict[str, int]:
    """How many schemas, prompts and results there are, hidden ones too."""
    async with db.read_org(organization_id) as tx:
        return {
            table.name: int(await tx.scalar(sa.select(sa.func.count()).select_from(table)))
            for table in (schemas, prompts, extraction_results)
        }


# --- a model that prepares a document ---------------------------------------------------------------------------


def makes_schema(name: str = "Order", id: str = "schema") -> ModelReply:
    return calls(call(id, "create_schema", name=name, response_format=FORMAT))


def makes_prompt(body: Json, **more: Any) -> ModelReply:
    """For the schema that was made before."""
    given = {"name": "Order fields", "content": "Read the order.", "schema_id": told(body)["schema_id"]}
    return calls(call("prompt", "create_prompt", **given, **more))


def told(body: Json) -> Json:
    """The result of the last call, as the model was told."""
    found: Json = json.loads(body["messages"][-1]["content"])
    return found


RUNS_IT = calls(call("run", "run_extraction"))
PREPARES: tuple[Answer, ...] = (makes_schema(), makes_prompt, RUNS_IT, VALUES, "It is prepared.")
"""Everything that a model says that prepares the order: four replies of the agent, and the values."""


async def prepared(desk: Desk, *answers: Answer, lines: Sequence[str] = ORDER) -> Json:
    """The proposal that comes of an upload when the model answers like this."""
    desk.script(*answers)
    document_id = await upload(desk.api, lines)
    await settled(desk.api, document_id)
    return await proposal(desk.api, document_id)


async def rows(desk: Desk) -> dict[str, int]:
    return await left_over(desk.services.db, desk.tenant.organization_id)
