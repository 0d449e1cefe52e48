"""Sample documents, and the values by which documents are recognised in a list."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.ids import new_id
from docagent.services.documents.highlights import Highlight, short_values
from tests.support.made.documents import base64_of, pdf
from tests.support.operations import RESPONSE_FORMAT
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant


async def test_every_sample_can_be_uploaded_and_read(api: OrgApi, product: Product, tenant: Tenant) -> None:
    samples = (await api.get("/samples"))["samples"]
    assert [sample["name"] for sample in samples] == ["invoice", "receipt", "contract"]
    texts = {}
    for sample in samples:
        uploaded = (await api.post(f"/samples/{sample['name']}", {}))["document"]
        assert uploaded["document_name"] == sample["file_name"]
        await product.read_document(tenant, uploaded["document_id"])
        text = await api.call("GET", f"/ocr/download/text/{uploaded['document_id']}")
        texts[sample["name"]] = text.text
    assert "2,348.56" in texts["invoice"]
    assert "CAFE LANTERN" in texts["receipt"]
    assert "16.68" in texts["receipt"]
    assert "1 April 2026" in texts["contract"]


async def test_a_sample_is_prepared_if_that_is_asked_for(api: OrgApi) -> None:
    for wanted in (True, False):
        answer = await api.call("POST", "/samples/invoice", params={"auto_create": wanted})
        document_id = answer.json()["document"]["document_id"]
        document = await api.get(f"/documents/{document_id}", include_content=False)
        assert document["auto_create"] is wanted


async def test_an_unknown_sample_is_told(api: OrgApi) -> None:
    assert "invoice, receipt, contract" in await api.refused(404, "POST", "/samples/novel", {})


async def extracted(api: OrgApi, product: Product, tenant: Tenant, lines: list[str]) -> str:
    document = {"name": "a.pdf", "content": base64_of(pdf(lines))}
    document_id: str = (await api.post("/documents", {"documents": [document]}))["documents"][0][
        "document_id"
    ]
    await product.read_document(tenant, document_id)
    return document_id


async def test_highlights_prefer_a_prompt_of_ones_own_and_leave_out_what_is_gone(
    api: OrgApi, product: Product, tenant: Tenant
) -> None:
    document_id = await extracted(api, product, tenant, ["Invoice", "Total: 12.50"])
    bare = await extracted(api, product, tenant, ["Nothing was extracted here"])
    await api.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": "default"})

    async def highlights() -> dict[str, Any]:
        ids = f"{document_id},{bare},{new_id()},nonsense"
        found = (await api.call("GET", "/llm/highlights", params={"document_ids": ids})).json()["highlights"]
        return {
            item["document_id"]: {value["name"]: value["value"] for value in item["values"]} for item in found
        }

    assert set(await highlights()) == {document_id}
    assert (await highlights())[document_id]["document_type"] == "invoice"
    schema = await api.post("/schemas", {"name": f"s {new_id()}", "response_format": RESPONSE_FORMAT})
    prompt = await api.post(
        "/prompts", {"name": f"p {new_id()}", "content": "Take the total.", "schema_id": schema["schema_id"]}
    )
    await api.call("POST", f"/llm/run/{document_id}", params={"prompt_revid": prompt["prompt_revid"]})
    assert (await highlights())[document_id] == {"total": "12.50"}
    await api.call("DELETE", f"/documents/{document_id}")
    assert await highlights() == {}


async def test_highlights_of_too_many_documents_are_refused(api: OrgApi) -> None:
    ids = ",".join(new_id() for _ in range(101))
    answer = await api.call("GET", "/llm/highlights", params={"document_ids": ids})
    assert answer.status_code == 400
    assert "at most 100" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ({"a": None, "b": "", "c": " ", "d": [], "e": {}}, []),
        ({"a": " x ", "b": 0, "c": 1.5, "d": "y"}, [("a", "x"), ("b", "0"), ("c", "1.5")]),
        ({"long": "x" * 61, "short": "x" * 60}, [("short", "x" * 60)]),
        ({"paid": True, "late": False}, [("paid", "yes"), ("late", "no")]),
    ],
)
def test_the_first_short_values_are_shown(data: dict[str, Any], shown: list[tuple[str, str]]) -> None:
    assert short_values(data) == [Highlight(name, value) for name, value in shown]
