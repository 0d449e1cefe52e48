"""What the page of a document asks for: words with their boxes, and all results with their schemas."""

from __future__ import annotations

from typing import Any

from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

UNKNOWN = "0123456789abcdef01234567"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "string"}},
    "required": ["number"],
    "additionalProperties": False,
}


async def uploaded(product: Product, tenant: Tenant, api: OrgApi, name: str, content: bytes) -> str:
    body = {"documents": [{"name": name, "content": base64_of(content)}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_completed"
    return document_id


async def test_words_come_page_by_page_with_their_boxes(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    content = pdf(["Invoice number 2041"], ["Second page"], ["Third"])
    document_id = await uploaded(product, tenant, api, "a.pdf", content)
    found = await api.get(f"/ocr/words/{document_id}", first_page=1, limit=2)
    assert found["page_count"] == 3
    assert [page["number"] for page in found["pages"]] == [1, 2]
    page = found["pages"][0]
    assert (page["width"], page["height"], page["note"]) == (612, 792, None)
    assert [word[0] for word in page["lines"][0]] == ["Invoice", "number", "2041"]
    _, left, top, right, bottom = page["lines"][0][0]
    assert 0 < left < right < 1
    assert 0 < top < bottom < 0.2
    rest = await api.get(f"/ocr/words/{document_id}", first_page=3)
    assert [page["number"] for page in rest["pages"]] == [3]
    assert (await api.get(f"/ocr/words/{document_id}", first_page=4))["pages"] == []


async def test_text_files_have_words_too(product: Product, tenant: Tenant, api: OrgApi) -> None:
    document_id = await uploaded(product, tenant, api, "note.txt", b"Hello there")
    found = await api.get(f"/ocr/words/{document_id}")
    assert [word[0] for word in found["pages"][0]["lines"][0]] == ["Hello", "there"]


async def test_results_carry_the_name_and_schema_of_their_prompt(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document_id = await uploaded(product, tenant, api, "a.pdf", pdf(["Number: 2041"]))
    assert await api.get(f"/llm/results/{document_id}") == {"results": []}
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "invoice", "strict": True, "schema": SCHEMA},
    }
    schema = await api.post("/schemas", {"name": "Invoice", "response_format": response_format})
    linked = {"schema_id": schema["schema_id"], "schema_version": schema["schema_version"]}
    prompt = await api.post("/prompts", {"name": "Numbers", "content": "Extract.", **linked})
    await api.post(f"/llm/run/{document_id}?prompt_revid={prompt['prompt_revid']}", None)
    await api.post(f"/llm/run/{document_id}?prompt_revid=default", None)
    results = (await api.get(f"/llm/results/{document_id}"))["results"]
    by_name = {result["prompt_name"]: result for result in results}
    assert set(by_name) == {"Numbers", "Document Summary"}
    assert by_name["Numbers"]["json_schema"]["properties"] == SCHEMA["properties"]
    assert by_name["Numbers"]["updated_llm_result"] == {"number": "2041"}
    assert by_name["Numbers"]["grounding"]["number"]["match"] == "exact"
    assert by_name["Document Summary"]["json_schema"] is None


async def test_an_unknown_document_has_neither(api: OrgApi) -> None:
    assert await api.refused(404, "GET", f"/ocr/words/{UNKNOWN}") == "Document not found"
    assert await api.refused(404, "GET", f"/llm/results/{UNKNOWN}") == "Document not found"
