"""An organisation that reads the papers of one harbour, whose labels nobody knows, and verifies them."""

from __future__ import annotations

import asyncio
from typing import Any

from docagent.domain.jobs import JobKind
from tests.support.made.documents import base64_of
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant

FIELDS = {"berth": {"type": ["string", "null"]}, "pilot": {"type": ["string", "null"]}}


def paper(berth: str, pilot: str) -> str:
    return (
        "Harbour of Skagen\n\nAll ships keep to the orders of the harbour office\n\n"
        f"Skibets liggeplads: {berth}\n\nLods om bord: {pilot}\n\nWelcome, and a safe journey home\n"
    )


class Harbour:
    """An organisation that reads the papers of one harbour."""

    def __init__(
        self,
        product: Product,
        tenant: Tenant,
        model: str = "docagent-offline",
        fields: dict[str, Any] = FIELDS,
    ) -> None:
        self.product = product
        self.model = model
        self.fields = fields
        self.tenant = tenant
        self.api = OrgApi(product.client, tenant.organization_id, tenant.headers)
        self.prompt: dict[str, Any] = {}
        self.fine_print = ""
        """What is printed at the end of the papers that are read next."""

    async def open(self) -> Harbour:
        schema = {
            "type": "object",
            "properties": self.fields,
            "required": list(self.fields),
            "additionalProperties": False,
        }
        form = {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}
        saved = await self.api.post("/schemas", {"name": "Schema", "response_format": form})
        body = {"name": "P", "content": "Read", "schema_id": saved["schema_id"], "model": self.model}
        self.prompt = await self.api.post("/prompts", body)
        return self

    async def read(self, berth: str, pilot: str) -> tuple[str, dict[str, Any]]:
        return await self.read_text(f"{berth}.txt", paper(berth, pilot) + self.fine_print)

    async def read_text(self, name: str, text: str) -> tuple[str, dict[str, Any]]:
        document = {"name": name, "content": base64_of(text.encode())}
        body = await self.api.post("/documents", {"documents": [document]})
        document_id: str = body["documents"][0]["document_id"]
        await self.product.read_document(self.tenant, document_id)
        return document_id, await self.run(document_id)

    async def run(self, document_id: str) -> dict[str, Any]:
        revid = self.prompt["prompt_revid"]
        ran = await self.api.call(
            "POST", f"/llm/run/{document_id}", params={"prompt_revid": revid, "force": True}
        )
        assert ran.status_code == 200, ran.text
        found: dict[str, Any] = await self.api.get(f"/llm/result/{document_id}", prompt_revid=revid)
        return found

    async def verify(self, document_id: str, berth: str | None, pilot: str | None) -> None:
        await self.verify_as(document_id, {"berth": berth, "pilot": pilot})

    async def verify_as(self, document_id: str, values: dict[str, Any]) -> None:
        stored = await self.api.call(
            "PUT",
            f"/llm/result/{document_id}",
            params={"prompt_revid": self.prompt["prompt_revid"]},
            json={"updated_llm_result": values, "is_verified": True},
        )
        assert stored.status_code == 200, stored.text
        await self.learnt()

    async def learnt(self) -> None:
        """Wait until every job that learns is done."""
        async with asyncio.timeout(SECONDS):
            while True:
                listed = (await self.api.get("/jobs"))["jobs"]
                if all(job["state"] in ("done", "failed") for job in listed if job["kind"] == JobKind.LEARN):
                    return
                await asyncio.sleep(0.05)

    async def documents(self) -> dict[str, dict[str, Any]]:
        listed = (await self.api.get(f"/learning/{self.prompt['prompt_id']}"))["documents"]
        return {one["document_id"]: one for one in listed}
