"""Upload with a proposal: prepared without a person, hidden until one accepts it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.support.agent import LINES, Json
from tests.support.made_documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS


async def upload(api: OrgApi, lines: Sequence[str] = LINES, **more: Any) -> str:
    document = {"name": "invoice.pdf", "content": base64_of(pdf(lines)), "auto_create": True, **more}
    uploaded = await api.post("/documents", {"documents": [document]})
    document_id: str = uploaded["documents"][0]["document_id"]
    return document_id


async def settled(api: OrgApi, document_id: str) -> Json:
    async with asyncio.timeout(SECONDS):
        while True:
            document: Json = await api.get(f"/documents/{document_id}", include_content=False)
            if document["auto_create_status"] not in (None, "running"):
                return document
            await asyncio.sleep(0.02)


async def test_everything_is_prepared_and_nothing_is_there_before_a_person_accepts(api: OrgApi) -> None:
    document_id = await upload(api)
    document = await settled(api, document_id)
    assert document["auto_create_status"] == "proposed"
    assert (await api.get("/schemas"))["total_count"] == 0
    assert (await api.get("/prompts"))["total_count"] == 0
    await api.post(f"/documents/{document_id}/auto_create/accept", {})
    assert (await api.get("/schemas"))["total_count"] == 1
    assert (await api.get("/prompts"))["total_count"] == 1
