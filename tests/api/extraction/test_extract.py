"""Extraction in one call: a file and a schema in, data with its evidence out; nothing is made twice."""

from __future__ import annotations

import asyncio
import base64
import json
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.store import tables
from tests.support.made.documents import pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

LINES = ["ACME Ltd", "Invoice", "Invoice number: INV-7", "Total: 90.50 EUR"]
SCHEMA: dict[str, Any] = {
    "title": "Bill",
    "type": "object",
    "properties": {"invoice_number": {"type": "string"}, "total": {"type": "number"}},
    "required": ["invoice_number", "total"],
}
REORDERED = {key: SCHEMA[key] for key in reversed(SCHEMA)}


@pytest.fixture
async def tenant(product: Product) -> Tenant:
    return await product.new_tenant()


@pytest.fixture
def api(product: Product, tenant: Tenant) -> OrgApi:
    return OrgApi(product.client, tenant.organization_id, tenant.headers)


async def send(
    api: OrgApi, file: bytes = pdf(LINES), name: str = "bill.pdf", key: str | None = None, **fields: Any
) -> httpx2.Response:
    form = {key: value if isinstance(value, str) else json.dumps(value) for key, value in fields.items()}
    return await api.client.post(
        f"/v0/orgs/{api.organization_id}/extract",
        headers={**api.headers, **({"Idempotency-Key": key} if key else {})},
        data={"schema": json.dumps(SCHEMA), "wait": "60", **form},
        files={"file": (name, file)},
    )


async def count(product: Product, tenant: Tenant, table: sa.Table) -> int:
    async with product.services.db.read_org(tenant.organization_id) as tx:
        return int(await tx.scalar(sa.select(sa.func.count()).select_from(table)))


async def test_a_file_and_a_schema_give_data_with_evidence(api: OrgApi) -> None:
    answer = await send(api)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["status"] == "done"
    assert found["data"] == {"invoice_number": "INV-7", "total": 90.5}
    assert (found["unproven"], found["problems"]) == ([], [])
    evidence = {one["path"]: one for one in found["evidence"]}
    total = evidence["total"]
    assert (total["state"], total["page"], total["value"]) == ("proven", 1, 90.5)
    assert "90.50" in " ".join(word["text"] for word in total["words"])
    left, top, right, bottom = total["box"]
    assert 0 <= left < right <= 1
    assert 0 <= top < bottom <= 1
    assert 0 < total["confidence"] <= 1


async def test_the_same_again_makes_nothing_new(product: Product, tenant: Tenant, api: OrgApi) -> None:
    first = (await send(api)).json()
    second = (await send(api, name="other name.pdf", schema=REORDERED)).json()
    assert second["job_id"] is None
    assert {**second, "job_id": first["job_id"]} == first
    for table in (tables.documents, tables.schema_revisions, tables.prompt_revisions):
        assert await count(product, tenant, table) == 1
    again = (await send(api, again=True)).json()
    assert again["job_id"] not in (None, first["job_id"])
    assert again["document_id"] == first["document_id"]


async def test_many_at_once_make_one_schema(product: Product, tenant: Tenant, api: OrgApi) -> None:
    files = [pdf([*LINES, f"Page of {number}"]) for number in range(4)]
    answers = await asyncio.gather(*(send(api, file) for file in files))
    assert {answer.json()["data"]["total"] for answer in answers} == {90.5}
    assert await count(product, tenant, tables.documents) == len(files)
    assert await count(product, tenant, tables.schema_revisions) == 1
    assert await count(product, tenant, tables.prompt_revisions) == 1


async def test_a_changed_schema_is_a_version_and_the_former_one_is_found_again(api: OrgApi) -> None:
    first = (await send(api)).json()
    wider = {**SCHEMA, "properties": {**SCHEMA["properties"], "currency": {"type": "string"}}}
    second = (await send(api, schema=wider)).json()
    assert (second["schema_id"], second["schema_version"]) == (first["schema_id"], 2)
    assert second["prompt_id"] == first["prompt_id"]
    assert (await send(api)).json()["prompt_revid"] == first["prompt_revid"]


async def test_a_schema_under_another_name_is_the_same(api: OrgApi) -> None:
    first = (await send(api)).json()
    await api.put(f"/schemas/{first['schema_id']}", {"name": "Renamed by hand"})
    assert (await send(api)).json()["prompt_revid"] == first["prompt_revid"]


async def test_a_prompt_of_somebody_else_is_left_as_it_is(api: OrgApi) -> None:
    tag = await api.post("/tags", {"name": "bills"})
    theirs = await api.post("/prompts", {"name": "Bill", "content": "Theirs.", "tag_ids": [tag["id"]]})
    found = (await send(api)).json()
    assert (found["prompt_name"], found["prompt_id"] == theirs["prompt_id"]) == ("Bill 2", False)
    assert (await api.get(f"/prompts/{theirs['prompt_revid']}"))["content"] == "Theirs."


async def test_documents_that_are_there_and_base64(api: OrgApi) -> None:
    content = base64.b64encode(pdf(LINES)).decode()
    sent = {"schema": SCHEMA, "wait": 60}
    found = await api.post("/extract", {**sent, "name": "bill.pdf", "content": content})
    by_id = await api.post("/extract", {**sent, "document_id": found["document_id"]})
    assert by_id["data"] == found["data"]
    by_prompt = await api.post(
        "/extract", {"prompt_id": found["prompt_id"], "document_id": found["document_id"]}
    )
    assert by_prompt["data"] == found["data"]
    await api.refused(404, "POST", "/extract", {**sent, "sha256": "0" * 64})


async def test_what_takes_longer_is_a_job(api: OrgApi) -> None:
    answer = await send(api, wait=0)
    assert answer.status_code == 202
    under_way = answer.json()
    assert (under_way["status"], under_way["data"]) == ("running", None)
    found = await api.get(f"/extract/{under_way['job_id']}", wait=60)
    assert found["status"] == "done"
    assert found["data"]["total"] == 90.5


async def test_a_repeated_request_gets_the_job_of_the_first(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    """Even if it asks for another run, or for a call: these would be made again."""
    await send(api)
    for more in ({"again": True}, {"callback_url": "https://example.com/done", "callback_secret": "x" * 16}):
        key = new_id()
        answers = [(await send(api, key=key, **more)).json() for _ in range(3)]
        assert len({one["job_id"] for one in answers}) == 1
        assert (await send(api, key=key, schema=REORDERED)).status_code == 422
    assert await count(product, tenant, tables.webhooks) == 1
    assert [one["callback_secret"] is None for one in answers] == [False, True, True]


async def test_what_cannot_be_read_says_why(api: OrgApi) -> None:
    answer = await send(api, b"%PDF-1.7 and nothing else")
    assert answer.status_code == 422
    assert answer.json()["code"] == "damaged"
    assert isinstance(answer.json()["detail"], str)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"document_id": "x"}, "a `schema` or a `prompt_id`"),
        ({"schema": SCHEMA}, "Name one document"),
        ({"schema": {"type": "string"}, "name": "a.pdf", "content": "QUJD"}, "must describe an object"),
        ({"schema": {"type": "objct", "properties": {}}, "name": "a.pdf", "content": "QUJD"}, "Invalid JSON"),
    ],
)
async def test_what_cannot_work_is_said_and_stores_nothing(
    product: Product, tenant: Tenant, api: OrgApi, body: dict[str, Any], said: str
) -> None:
    assert said in str(await api.refused(400, "POST", "/extract", body))
    assert await count(product, tenant, tables.documents) == 0
