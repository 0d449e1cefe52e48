"""Upload with "create schema and prompt for me": one turn, begun once the text is read, that asks as always."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from docagent.services.set_up import MESSAGE, TITLE
from tests.support.agent import LINES, OPENAI, Desk, Json
from tests.support.made_documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.polling import SECONDS
from tests.support.product import Product, Tenant

T = TypeVar("T")


async def upload(api: OrgApi, content: bytes | None = None, **more: Any) -> str:
    document = {
        "name": "invoice.pdf",
        "content": base64_of(content or pdf(LINES)),
        "auto_create": True,
        **more,
    }
    uploaded = await api.post("/documents", {"documents": [document]})
    document_id: str = uploaded["documents"][0]["document_id"]
    return document_id


async def soon(look: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The first answer that is not empty."""
    async with asyncio.timeout(SECONDS):
        while True:
            if found := await look():
                return found
            await asyncio.sleep(0.02)


async def waiting(api: OrgApi, document_id: str) -> list[Json]:
    found = (await api.get("/approvals"))["approvals"]
    return [item for item in found if item["document_id"] == document_id]


async def threads(api: OrgApi, document_id: str) -> list[Json]:
    found: list[Json] = await api.get(f"/documents/{document_id}/chat/threads")
    return found


async def turns(api: OrgApi, document_id: str) -> list[Json]:
    """All turns of the document's threads."""
    loaded = [
        await api.get(f"/documents/{document_id}/chat/threads/{thread['id']}")
        for thread in await threads(api, document_id)
    ]
    return [turn for thread in loaded for turn in thread["turns"]]


async def jobs_done(api: OrgApi, document_id: str) -> list[str]:
    """The kinds of the document's jobs, oldest first, once none is left to do."""

    async def all_done() -> list[str]:
        found = (await api.get("/jobs", document_id=document_id))["jobs"]
        if any(job["state"] in ("queued", "running") for job in found):
            return []
        return [job["kind"] for job in reversed(found)]

    return await soon(all_done)


async def test_the_agent_begins_by_itself_and_asks_before_its_first_change(api: OrgApi) -> None:
    document_id = await upload(api)
    (waits,) = await soon(lambda: waiting(api, document_id))
    assert [call["name"] for call in waits["calls"]] == ["create_schema"]
    assert waits["message"] == MESSAGE
    (thread,) = await threads(api, document_id)
    assert (thread["id"], thread["title"]) == (waits["thread_id"], TITLE)
    assert (await api.get("/schemas"))["total_count"] == 0
    document = await api.get(f"/documents/{document_id}", include_content=False)
    assert document["auto_create"] is True
    assert [item["auto_create"] for item in (await api.get("/documents"))["documents"]] == [True]


async def test_what_is_approved_is_made_and_extracted(api: OrgApi) -> None:
    document_id = await upload(api)
    made = []
    async with asyncio.timeout(SECONDS):
        while (await turns(api, document_id) or [{"state": "-"}])[0]["state"] != "completed":
            for item in await waiting(api, document_id):
                names = [call["name"] for call in item["calls"]]
                verdicts = [{"call_id": call["id"], "approved": True} for call in item["calls"]]
                body = {"turn_id": item["turn_id"], "approvals": verdicts}
                await api.post(f"/documents/{document_id}/chat/approve", body)
                made += names
            await asyncio.sleep(0.02)
    assert made[:2] == ["create_schema", "create_prompt"]
    assert (await api.get("/schemas"))["total_count"] == 1
    (prompt,) = (await api.get("/prompts"))["prompts"]
    result = await api.get(f"/llm/result/{document_id}", prompt_revid=prompt["prompt_revid"])
    assert "4711" in json.dumps(result["llm_result"])


async def test_the_streamed_upload_takes_the_wish_too(api: OrgApi) -> None:
    files = {"file": ("invoice.pdf", pdf(LINES), "application/pdf")}
    response = await api.call("POST", "/documents/multipart", files=files, data={"auto_create": "true"})
    document_id = response.json()["document"]["document_id"]
    assert await soon(lambda: waiting(api, document_id))


async def test_nothing_begins_unless_it_was_asked_for(api: OrgApi) -> None:
    document_id = await upload(api, auto_create=False)
    assert await jobs_done(api, document_id) == ["read_text"]
    assert await threads(api, document_id) == []
    document = await api.get(f"/documents/{document_id}", include_content=False)
    assert document["auto_create"] is False


async def test_reading_again_begins_nothing_again(api: OrgApi) -> None:
    document_id = await upload(api)
    await soon(lambda: waiting(api, document_id))
    await api.call("POST", f"/ocr/run/{document_id}", params={"force": True})
    assert await jobs_done(api, document_id) == ["read_text", "set_up", "read_text"]
    assert len(await turns(api, document_id)) == 1


async def test_it_begins_when_the_text_is_there_not_when_reading_failed(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await upload(api, pdf(LINES, password="sesame"))
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_failed"
    assert await jobs_done(api, document_id) == ["read_text"]
    assert await threads(api, document_id) == []
    await api.post(f"/documents/{document_id}/password", {"password": "sesame"})
    assert await soon(lambda: waiting(api, document_id))
    assert len(await turns(api, document_id)) == 1


async def test_without_credits_the_conversation_says_so_and_the_text_is_there(own_desk: Desk) -> None:
    api, product = own_desk.api, own_desk.studio.product
    root = await product.admin_headers()
    limits = await own_desk.as_member(root).api.call("PUT", "/payments/limits", json={"enforced": True})
    assert limits.status_code == 200, limits.text
    await api.post("/payments/usage", {"spus": 100, "operation": "x"})
    await api.put("/llm/default_model", {"model": OPENAI})
    document_id = await upload(api)
    (turn,) = await soon(lambda: turns(api, document_id))
    assert turn["state"] == "failed"
    end = (await own_desk.events(turn["id"]))[-1]
    assert (end["type"], end["code"]) == ("failed", "insufficient_credits")
    assert end["error"].startswith("Insufficient SPU credits")
    (thread,) = await threads(api, document_id)
    loaded = await api.get(f"/documents/{document_id}/chat/threads/{thread['id']}")
    assert loaded["messages"][0]["content"] == MESSAGE
    assert (await product.read_document(own_desk.tenant, document_id))["state"] == "ocr_completed"
    assert not own_desk.provider.requests
